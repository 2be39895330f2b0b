import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/app.ts'
import { listOccurrences } from '../../src/core/collections/plans.ts'
import { countOverdue } from '../../src/core/events/due-work.ts'
import { fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { startJobs } from '../../src/jobs/index.ts'
import { startOccurrences } from '../../src/jobs/start-occurrences.ts'
import { newestPlans } from '../core/collections/newest-plans.ts'
import { openShop, type Shop } from '../core/shop.ts'
import { createApiClient, eventually } from '../test-app.ts'

/** Some tests have many due rows at once. */
const TIMEOUT_MS = 60_000

let shop: Shop
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  shop = await openShop()
  const service = await shop.testApp.startService()
  api = createApiClient(service.url, shop.testApp.api_key)
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

async function createRequest(fields: object) {
  const { status, body } = await api.post('/api/collectionrequests', {
    phonenumber: '+80000000003',
    amount: '1500',
    currency: 'BXC',
    send_instructions: true,
    ...fields,
  })
  expect(body).toMatchObject({ status: 'pending' })
  expect(status).toBe(201)
  await advance(0)
  return body as { id: number; expiry_date: string; start_date: string | null }
}

/** Move the clock and wait until all due work is done. */
async function advance(seconds: number): Promise<void> {
  shop.testApp.clock.advance(seconds)
  shop.testApp.app.wake()
  const isIdle = async () => ((await countOverdue(shop.db, shop.now())) === 0 ? true : undefined)
  await eventually('no due work', isIdle, TIMEOUT_MS)
}

/** Run `work` while the wallet is empty. */
async function withoutFunds(work: () => Promise<void>): Promise<void> {
  const { id: account, balance } = await shop.wallet()
  const fund = (amount: bigint) =>
    begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account, amount, description: 'test', author: 1 }))
  await fund(-balance)
  await work()
  await fund(balance)
}

const statusOf = async (id: number) => (await shop.request(id)).status
const DAY_S = 24 * 3_600
const inSeconds = (seconds: number) => new Date(shop.now().getTime() + seconds * 1_000)
const formatDate = (date: Date) => {
  const [day, time] = date.toISOString().slice(0, 19).split('T')
  return `${day!.split('-').reverse().join('/')} ${time}`
}

describe('a request with a start date', () => {
  it('waits for its start, and its expiry counts from there', async () => {
    const start = inSeconds(DAY_S)
    const request = await createRequest({
      start_date: 'tomorrow',
      expiry_date: '2 minutes',
      phonenumber: '+80000000009',
    })
    expect(request.expiry_date.slice(0, 19)).toBe(
      new Date(start.getTime() + 120_000).toISOString().slice(0, 19).replace('T', ' '),
    )
    await advance(DAY_S - 1)
    expect(await statusOf(request.id)).toBe('pending')
    await advance(1)
    expect(await statusOf(request.id)).toBe('instructions_sent')
    await advance(119)
    expect(await statusOf(request.id)).toBe('instructions_sent')
    await advance(1)
    expect(await statusOf(request.id)).toBe('expired')
  })

  it('is fulfilled by money that arrives before its start', async () => {
    const { id } = await createRequest({ start_date: 'tomorrow' })
    await shop.ingest(shop.paymentReport())
    expect(await shop.request(id)).toMatchObject({ status: 'successful', due_at: null })
    await advance(DAY_S + 60)
    expect(await shop.orders(id)).toEqual([])
  })

  it('fails at its start when its account has no funds', async () => {
    const { id } = await createRequest({ start_date: 'tomorrow' })
    // The wallet is refilled during the night.
    await advance(DAY_S - 1)
    await withoutFunds(() => advance(1))
    expect(await shop.request(id)).toMatchObject({ status: 'failed', error_message: 'The BXC account has no funds.' })
    const [event] = await shop.events('collectionrequest.status.changed')
    expect(event!.data).toMatchObject({ id, status: 'failed', error_message: 'The BXC account has no funds.' })
  })

  it('fails at its start when its account is no longer active', async () => {
    const { id } = await createRequest({ start_date: 'tomorrow' })
    const { id: account } = await shop.wallet()
    await shop.db`update accounts set status = 'inactive' where id = ${account}`
    await advance(DAY_S)
    expect(await shop.request(id)).toMatchObject({ status: 'failed', error_message: 'The account is not active.' })
    await shop.db`update accounts set status = 'active' where id = ${account}`
  })
})

describe('a plan', () => {
  const daily = () => ({ end_date: formatDate(inSeconds(10 * DAY_S)), frequency: 'daily' })
  const occurrences = async () => {
    const [plan] = await newestPlans(shop.db, 1)
    return (await listOccurrences(shop.db, plan!.id, 100)).toReversed()
  }

  it('creates a request on each of its dates, and continues after a failure', async () => {
    await createRequest({ subscription_settings: daily(), phonenumber: '+80000000001' })
    await advance(1)
    await advance(DAY_S - 1)
    await advance(1)
    await advance(DAY_S - 1)
    await advance(1)
    expect((await occurrences()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
    expect((await shop.events('contact.created')).length).toBe(1)
    expect((await shop.events('collectionrequest.status.changed')).length).toBe(9)
  })

  it('continues after an occurrence without funds, which fails', async () => {
    await createRequest({ subscription_settings: daily() })
    await advance(1)
    await advance(DAY_S - 2)
    await withoutFunds(() => advance(1))
    await advance(DAY_S)
    await advance(1)
    const statuses = (await occurrences()).map(({ status }) => status)
    expect(statuses).toEqual(['successful', 'failed', 'successful'])
  })

  it('starts an occurrence soon after its date without a wake', async () => {
    await createRequest({ subscription_settings: daily() })
    await advance(DAY_S - 1)
    // Nothing wakes the loops here.
    shop.testApp.clock.advance(1)
    const start_ms = performance.now()
    await eventually('the second occurrence', async () => ((await occurrences()).length === 2 ? true : undefined))
    // The job polls every second; the rest is tolerance for a busy machine.
    expect(performance.now() - start_ms).toBeLessThan(8_000)
  })
})

describe('the job', { timeout: 3 * TIMEOUT_MS }, () => {
  it('shares plans with other processes, and each date is created once', async () => {
    const others = await Promise.all([startOtherProcess(), startOtherProcess()])
    for (let batch = 0; batch < 2; batch += 1)
      await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          createRequest({
            phonenumber: `+8000001${String(batch * 40 + i).padStart(4, '0')}`,
            subscription_settings: { end_date: formatDate(inSeconds(3_700)), frequency: 'hourly' },
          }),
        ),
      )
    await advance(3_600)
    const [counts] = await shop.db`
      select count(*) as made, count(distinct plan) as plans, count(distinct collection_request) as requests
      from occurrences where date = ${shop.now()}`
    expect(counts).toEqual({ made: 80, plans: 80, requests: 80 })
    for (const other of others) await other.stop()
  })

  it('does not delay other plans because of a broken one', async () => {
    const settings = { end_date: formatDate(inSeconds(10 * DAY_S)), frequency: 'daily' }
    for (const phonenumber of ['+80000000003', '+80000000004', '+80000000005'])
      await createRequest({ phonenumber, subscription_settings: settings })
    const [newest, broken] = await newestPlans(shop.db, 2)
    await shop.db`
      insert into occurrences values (${broken!.id}, ${broken!.due_at!}, ${newest!.collection_request + 1_000_000})`
    shop.testApp.clock.advance(DAY_S)
    await eventually('the other plans', async () => {
      const made = (await newestPlans(shop.db, 3)).map((plan) => plan.occurrence_count)
      return made.join() === '2,1,2' ? true : undefined
    })
    await shop.db`delete from occurrences where plan = ${broken!.id} and collection_request > 1000000`
    await shop.db`update plans set leased_until = null`
    const job = startOccurrences(shop.testApp.app)
    await eventually('the repaired plan', async () => {
      await job.run(await job.claim(10))
      return (await newestPlans(shop.db, 3)).every((plan) => plan.occurrence_count === 2) ? true : undefined
    })
  })
})

/** Start the jobs of another process on the same database, with the same clock. */
async function startOtherProcess() {
  const app: App = await buildApp({ ...shop.testApp.app.config }, pino({ level: 'silent' }), {
    clock: shop.testApp.clock,
    connections: shop.testApp.app.connections.list(),
  })
  const jobs = startJobs(app)
  return {
    async stop() {
      await jobs.stop()
      await app.close()
    },
  }
}
