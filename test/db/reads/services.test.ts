import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Client, REQUIRED_FIELDS } from '../../interface/test-service.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../../test-app.ts'
import { openReplication, type Replication } from './replication.ts'

/* Two services on one primary, which read from a real replica. Their state is their own, as in two processes. */

let replication: Replication
let services: (TestApp & { url: string })[]
let [one, two]: Client[] = []

beforeAll(async () => {
  replication = await openReplication()
  services = []
  for (let number = 1; number <= 2; number += 1) {
    const settings = { DATABASE_READ_URL: replication.read_url, CONSOLE: 'off' }
    const testApp = await buildTestApp({ database: replication.database, settings })
    services.push({ ...testApp, ...(await testApp.startService({ jobs: false })) })
  }
  ;[one, two] = services.map(({ url, api_key }) => createApiClient(url, api_key))
  await replication.catchUp()
})
afterAll(async () => {
  for (const service of services) await service.close()
  await replication.close()
})

/** Return the number of both services' reads, by server and reason. */
async function countReads(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { app } of services)
    for (const metric of app.reads.metrics)
      for (const { labels, value } of (await metric.get()).values) {
        const key = `${labels.server}: ${labels.reason}`
        counts[key] = (counts[key] ?? 0) + value
      }
  return counts
}

/** The reads that a lost replica left to the primary: they met the loss, or came in the pause that follows it. */
function countDetours(counts: Record<string, number>): number {
  return (counts['primary: away'] ?? 0) + (counts['primary: paused'] ?? 0)
}

async function replicaReadsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = (await countReads())['replica: current'] ?? 0
  await work()
  return ((await countReads())['replica: current'] ?? 0) - before
}

const create = async (client: Client) => {
  const { status, body } = await client.post('/api/collectionrequests', REQUIRED_FIELDS)
  expect(status).toBe(201)
  return body.id as number
}

/** Expect that lists and single objects show a request. */
async function expectVisible(client: Client, id: number): Promise<void> {
  expect((await client.get(`/api/collectionrequests/${id}`)).body).toMatchObject({ id })
  expect((await client.get('/api/collectionrequests?limit=1')).body.results[0]).toMatchObject({ id })
  expect((await client.get('/api/collectionrequests?ordering=-id&limit=1')).body.results[0]).toMatchObject({ id })
}

/** Read until the replica is used again after a pause. */
function waitUntilUsed(client: Client): Promise<unknown> {
  return eventually('reads on the replica', async () => {
    const used = await replicaReadsDuring(() => client.get('/api/collectionrequests'))
    return used > 0 ? used : undefined
  })
}

describe('a service with a replica', () => {
  it('reads from it what is there', async () => {
    const id = await create(one!)
    await replication.catchUp()
    await waitUntilUsed(one!)
    await waitUntilUsed(two!)
    const used = await replicaReadsDuring(async () => {
      await expectVisible(one!, id)
      await expectVisible(two!, id)
    })
    expect(used).toBe(6)
    expect(await replication.connectionsOfReads()).toBeGreaterThan(0)
    const csv = await replicaReadsDuring(async () => {
      const answer = await fetch(`${services[0]!.url}/api/transactions?format=csv`, {
        headers: { authorization: `Token ${services[0]!.api_key}` },
      })
      expect((await answer.text()).split('\n')[0]).toContain('id,created,account')
    })
    expect(csv).toBeGreaterThan(0)
  })

  it('shows a write at once, through any process, while the replica stands still', async () => {
    await waitUntilUsed(one!)
    await replication.pause()
    for (const [writer, reader] of [
      [one, two],
      [two, one],
      [one, one],
    ])
      await expectVisible(reader!, await create(writer!))
    const { body } = await two!.get('/api/collectionrequests?limit=1')
    await replication.resume()
    await replication.catchUp()
    await waitUntilUsed(one!)
    // Pages never go back, wherever they are read.
    expect((await one!.get('/api/collectionrequests?limit=1')).body.count).toBe(body.count)
    expect((await countReads())['primary: behind']).toBeGreaterThan(0)
  })

  it('shows each write at once while the replica follows', async () => {
    const used = await replicaReadsDuring(async () => {
      for (let round = 0; round < 8; round += 1)
        await expectVisible(round % 2 === 0 ? two! : one!, await create(round % 3 === 0 ? two! : one!))
    })
    expect(used).toBeGreaterThan(8)
  })

  it('uses no replica that has another mark, as one of a former primary or of a restored copy has', async () => {
    const id = await create(one!)
    await replication.catchUp()
    await waitUntilUsed(one!)
    // A replica of a former primary has not got the mark of the new one. Here the primary forgets the mark.
    const [mark] = await replication.primary`select mark::text, timeline from primary_marks`
    await replication.pause()
    await replication.primary`update primary_marks set timeline = '000000FF', mark = gen_random_uuid()`
    expect(await replicaReadsDuring(() => expectVisible(one!, id))).toBe(0)
    await replication.resume()
    await waitUntilUsed(one!)
    const [renewed] = await replication.primary`select mark::text, timeline from primary_marks`
    expect(renewed).toMatchObject({ timeline: mark!.timeline })
    expect(renewed!.mark).not.toBe(mark!.mark)
  })

  it('answers every caller when the replica is killed, and uses it again afterwards', async () => {
    const id = await create(one!)
    await waitUntilUsed(one!)
    const before = countDetours(await countReads())
    const answers = Array.from({ length: 100 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 5))
      if (index === 30) replication.killReplica()
      return (await (index % 2 === 0 ? one : two)!.get(`/api/collectionrequests/${id}`)).status
    })
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    await waitUntilUsed(one!)
    expect(countDetours(await countReads())).toBeGreaterThan(before)
  })

  it('needs no replica', async () => {
    await replication.stopReplica()
    await expectVisible(two!, await create(one!))
    await vi.waitFor(async () => expect((await countReads())['primary: paused']).toBeGreaterThan(0), 120_000)
  })
})
