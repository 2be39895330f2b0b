import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Service } from '../../src/cli/service/serve.ts'
import { revokeKey } from '../../src/core/access/api-keys.ts'
import { type NewEvent, recordEvents } from '../../src/core/events/events.ts'
import { begin } from '../../src/db/client.ts'
import { callRaw, openTestService, type TestService } from '../interface/test-service.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { openStream as open, type StreamReader } from '../stream.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'

let service: TestService
let receiver: Receiver
const readers: StreamReader[] = []

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  // The next stream begins at the last committed event and must not contain events of the test before.
  await service.waitForFeed()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

async function openStream(query = '', headers: Record<string, string> = {}, key = service.key): Promise<StreamReader> {
  const reader = await open(service.url, key, query, headers)
  readers.push(reader)
  return reader
}

function eventOf(number: number, changes: Partial<NewEvent> = {}): NewEvent {
  return { organization: service.organization, type: 'contact.created', data: { number }, author: 1, ...changes }
}

async function record(...events: NewEvent[]): Promise<void> {
  await begin(service.testApp.db, (tx) => recordEvents(tx, service.testApp.clock.now(), events))
  service.testApp.app.wake()
}

const numbersOf = (reader: StreamReader) => reader.events.flatMap(({ data }) => JSON.parse(data).data.number ?? [])
const newestId = async () => (await service.shop.get('/api/events?limit=1')).body.results[0].id as number

describe('the stream of events', () => {
  it('has the body of a webhook notification, byte for byte except for the hook', async () => {
    await service.shop.post('/api/webhooks', { event: 'contact.created', target: `${receiver.url}/?skip-cert-verify` })
    const stream = await openStream('?event=contact.created&target=http://localhost:4000/hook')
    const { id } = await service.createRequest({
      phonenumber: '+80000000071',
      metadata: { note: 'Çà, "là"\n', price: '1.0' },
    })
    const [streamed] = await stream.waitForEvents(1)
    const notification = await eventually('the notification', async () => receiver.received[0])
    const { body: event } = await service.shop.get(`/api/events/${streamed!.id}`)
    await service.advanceUntilStatus(id, 'successful')
    expect(streamed!.type).toBe('contact.created')
    expect(streamed!.data.slice(streamed!.data.indexOf('"data":'))).toBe(
      notification.body.slice(notification.body.indexOf('"data":')),
    )
    expect(Object.keys(JSON.parse(streamed!.data).hook)).toEqual(Object.keys(JSON.parse(notification.body).hook))
    expect(JSON.parse(streamed!.data)).toEqual({
      hook: {
        id: 0,
        user: service.user,
        event: 'contact.created',
        created: event.created,
        updated: event.created,
        target: 'http://localhost:4000/hook',
      },
      data: event.data,
    })
  })

  it('has the headers of an event stream and sends its start position at once', async () => {
    const before = await newestId()
    const stream = await openStream('', { accept: 'text/event-stream' })
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(Number(stream.last_id)).toBeGreaterThanOrEqual(before)
    expect(stream.events).toEqual([])
  })

  it('loses and reorders no event under parallel writes and reconnects', async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
    const seen: number[] = []
    let stream = await openStream()
    const first = stream.last_id
    const writing = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let count = 0; count < 25; count += 1)
          await begin(service.testApp.db, async (tx) => {
            await recordEvents(tx, service.testApp.clock.now(), [eventOf(writer), eventOf(writer)])
            await pause()
          })
        service.testApp.app.wake()
      }),
    )
    while (seen.length < 300) {
      await stream.waitForEvents(1)
      // A reader may disconnect in the middle of an event; an incomplete event is sent again.
      for (let pauses = Math.random() * 3; pauses > 0; pauses -= 1) await pause()
      stream.close()
      seen.push(...stream.events.map(({ id }) => id))
      stream = await openStream('', { 'last-event-id': stream.last_id })
    }
    await writing
    const rows = await service.testApp.db<{ id: number }[]>`
      select id from events where organization = ${service.organization} and id > ${first} order by id`
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  it('begins at the given event or time, and Last-Event-ID overrides both', async () => {
    await record(eventOf(101), eventOf(102))
    const second = await newestId()
    service.testApp.clock.advance(3_600)
    const timestamp = service.testApp.clock.now().toISOString()
    await record(eventOf(103), eventOf(104))
    const readFrom = async (query: string, headers?: Record<string, string>) => {
      const stream = await openStream(query, headers)
      await eventually('the newest event', async () => numbersOf(stream).at(-1) === 104 || undefined)
      return numbersOf(stream)
    }
    expect(await readFrom(`?since=${second}`)).toEqual([102, 103, 104])
    expect(await readFrom(`?since=${timestamp}`)).toEqual([103, 104])
    expect(await readFrom('?since=10 minutes ago')).toEqual([103, 104])
    expect((await readFrom('?since=2 hours ago')).length).toBeGreaterThan(3)
    expect(await readFrom(`?since=0`, { 'last-event-id': String(second) })).toEqual([103, 104])
  })

  it('refuses an invalid start and an event that does not exist yet', async () => {
    const error = 'Enter the id of an event or a time (e.g. 4711, 2030-01-31T18:00:00Z or 10 minutes ago).'
    for (const since of ['soon', '-1', 'tomorrow', 'in 2 days'])
      expect((await service.shop.get(`/api/events/stream?since=${since}`)).body).toEqual({ since: [error] })
    const future = { 'last-event-id': '999999999' }
    const { status, body } = await service.shop.get('/api/events/stream', future)
    expect([status, body]).toEqual([400, { 'Last-Event-ID': ['There is no event 999999999 yet.'] }])
  })

  it('contains only the requested types', async () => {
    const types = ['collection.received', 'collectionrequest.status.changed', 'contact.created'] as const
    const one_parameter = await openStream(`?event=${types[0]},${types[1]}`)
    const two_parameters = await openStream(`?event=${types[0]}&event=${types[1]}`)
    await record(...types.map((type, number) => eventOf(number, { type })), eventOf(9, { type: types[0] }))
    for (const stream of [one_parameter, two_parameters])
      expect((await stream.waitForEvents(3)).map(({ type }) => type)).toEqual([types[0], types[1], types[0]])
    const { status, body } = await service.shop.get('/api/events/stream?event=contact.created,contact')
    expect([status, body]).toEqual([400, { event: [expect.stringContaining('"contact" is not a valid choice.')] }])
  })

  it('contains no events of other organizations', async () => {
    const [own, other] = [await openStream(), await openStream('', {}, service.otherShop.key)]
    await record(eventOf(1), eventOf(2, { organization: service.otherShop.organization }), eventOf(3))
    await own.waitForEvents(2)
    await other.waitForEvents(1)
    expect([numbersOf(own), numbersOf(other)]).toEqual([[1, 3], [2]])
    const late = await openStream('?since=0', {}, service.otherShop.key)
    await late.waitForEvents(1)
    expect(numbersOf(late)).toEqual([2])
  })
})

describe('access to the stream', () => {
  it('has the same errors as other addresses', async () => {
    const path = '/api/events/stream'
    const headers = { authorization: `Token ${service.key}` }
    const head = await callRaw(service.url, 'HEAD', path, { headers })
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', ''])
    const json_only = await callRaw(service.url, 'GET', path, { headers: { ...headers, accept: 'application/json' } })
    expect([json_only.status, json_only.body]).toEqual([
      406,
      { detail: 'Could not satisfy the request Accept header.' },
    ])
    const post = await callRaw(service.url, 'POST', path, { headers })
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('allows ten open streams for each key, and another after one was closed', async () => {
    const key = await service.newKey()
    const ten = await Promise.all(Array.from({ length: 10 }, () => openStream('', {}, key)))
    const refused = await createApiClient(service.url, key).get('/api/events/stream')
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '15',
      { detail: expect.stringMatching(/ This API key has 10 streams open\. Close one first\.$/) },
    ])
    ten[0]!.close()
    await eventually('a free stream', async () => (await openStream('', {}, key)).status === 200 || undefined)
  })

  it('ends when the key is revoked', async () => {
    const key = await service.newKey({ name: 'to be revoked' })
    const [revoked, other] = [await openStream('', {}, key), await openStream()]
    const [row] = await service.testApp.db<{ id: number }[]>`select id from api_keys where name = 'to be revoked'`
    await begin(service.testApp.db, (tx) => revokeKey(tx, service.testApp.clock.now(), row!.id))
    await revoked.waitForEnd()
    expect((await createApiClient(service.url, key).get('/api/events/stream')).status).toBe(401)
    expect(other.ended).toBe(false)
  })
})

describe('a reader that does not read', () => {
  let testApp: TestApp
  let service: Service
  const answers: ServerResponse[] = []

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    testApp = await buildTestApp()
    service = await testApp.startService({ jobs: false })
    service.server.server.prependListener('request', (_request, answer: ServerResponse) => answers.push(answer))
  })
  afterAll(async () => {
    vi.useRealTimers()
    await testApp.close()
  })

  /** Far more than all buffers between the service and the reader hold. */
  const recordLarge = async (count: number) => {
    const data = { filling: 'x'.repeat(20_000) }
    const event = { organization: testApp.organization, type: 'contact.created' as const, data, author: 1 }
    for (let recorded = 0; recorded < count; recorded += 50)
      await begin(testApp.db, (tx) => recordEvents(tx, testApp.clock.now(), Array(50).fill(event)))
    testApp.app.wake()
  }

  it('delays no other reader, uses no more memory, and gets all events when it reads again', async () => {
    const slow = await open(service.url, testApp.api_key)
    const quick = await open(service.url, testApp.api_key)
    readers.push(slow, quick)
    slow.pause()
    await recordLarge(1_000)
    const received = await quick.waitForEvents(1_000)
    const buffered_bytes = answers[0]!.writableLength
    expect(slow.events.length).toBeLessThan(1_000)
    expect(buffered_bytes).toBeLessThan(1_000_000)
    slow.resume()
    expect((await slow.waitForEvents(1_000)).map(({ id }) => id)).toEqual(received.map(({ id }) => id))
  })

  it('is disconnected after a minute, and a reader that reads is not', async () => {
    const slow = await open(service.url, testApp.api_key)
    const quick = await open(service.url, testApp.api_key)
    readers.push(slow, quick)
    slow.pause()
    await recordLarge(1_000)
    await quick.waitForEvents(1_000)
    vi.advanceTimersByTime(76_000)
    await eventually('the connection to be closed', async () => answers.at(-2)!.destroyed || undefined)
    expect(quick.ended).toBe(false)
  })

  it('does not keep the service from stopping', async () => {
    const [idle, slow] = [
      await open(service.url, testApp.api_key),
      await open(service.url, testApp.api_key, '?since=0'),
    ]
    readers.push(idle, slow)
    slow.pause()
    const started_at = process.hrtime.bigint()
    await service.server.close()
    // Streams do not end by themselves, so a stop must not wait for them.
    expect(Number(process.hrtime.bigint() - started_at) / 1e9).toBeLessThan(20)
    await idle.waitForEnd()
  })
})
