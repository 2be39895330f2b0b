import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Kusanya, KusanyaError, type StreamedEvent } from '../../../packages/client/src/index.ts'
import { buildApp } from '../../../src/app.ts'
import { type Service, startService } from '../../../src/cli/service/serve.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { eventually } from '../../test-app.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

let service: TestService
/** A second process of the service, for readers; its jobs run in the first. */
let readers: Service
let proxy: FaultyProxy
let kusanya: Kusanya
let loop: AbortController
let got: StreamedEvent[]

async function startReaders(): Promise<Service> {
  const { app: first, clock } = service.testApp
  const app = await buildApp(first.config, pino({ level: 'silent' }), { clock })
  return startService(app, { api: true, jobs: false })
}

beforeAll(async () => {
  service = await openTestService()
  readers = await startReaders()
  proxy = await openProxy(readers.url)
  kusanya = new Kusanya({ url: proxy.url, key: service.key })
})
afterEach(() => loop?.abort())
afterAll(async () => {
  await proxy.close()
  await readers.stop()
  await service.close()
})

let number = 100
async function createContact(): Promise<number> {
  number += 1
  const contact = { phone_number: `+80000000${number}`, first_name: 'Jane', last_name: 'Doe' }
  const { status, body } = await service.shop.post('/api/contacts', contact)
  expect(status).toBe(201)
  await service.waitForFeed()
  return body.id
}

/** Read a stream in the background into `got`. */
function follow(options: Parameters<Kusanya['events']['stream']>[0] = {}): Promise<void> {
  loop = new AbortController()
  got = []
  proxy.seen = []
  const events = kusanya.events.stream({ types: ['contact.created'], signal: loop.signal, ...options })
  return (async () => {
    for await (const event of events) got.push(event)
  })()
}
const contacts = () => got.map(({ data }) => data.id)
async function waitForContacts(ids: number[]): Promise<void> {
  await eventually(`${ids.length} events`, async () => got.length >= ids.length || undefined)
  expect(contacts()).toEqual(ids)
}
const newest = async () => ((await service.shop.get('/api/events?limit=1')).body.results[0]?.id ?? 0) as number

describe('events.stream', () => {
  it.each<{ status: number; headers: Record<string, string>; body: string }>([
    { status: 301, headers: { location: 'https://pay.example.com/' }, body: '' },
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>\n\nWelcome</html>' },
  ])('says that its address is wrong, instead of waiting for ever: $status', async (mishap) => {
    proxy.mishaps = [mishap]
    const error = await follow().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: mishap.status, message: expect.stringContaining('no stream of events') })
  })

  it('waits while a proxy gives a page in the place of a stream that it had', async () => {
    const before = await newest()
    const first = await createContact()
    void follow({ last_event_id: before })
    await waitForContacts([first])
    proxy.mishaps = [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Back soon</html>' }]
    await readers.stop()
    readers = await startReaders()
    proxy.target = readers.url
    await waitForContacts([first, await createContact()])
    expect(proxy.mishaps).toEqual([])
  })

  it('gives events as they happen, and ends at the signal', async () => {
    const ended = follow()
    await eventually('the connection', async () => proxy.seen.length > 0 || undefined)
    // The service answers with the place at which the stream begins.
    const ids: number[] = []
    await eventually('a first event', async () => {
      ids.push(await createContact())
      return got.length > 0 || undefined
    })
    const begin = ids.indexOf(Number(contacts()[0]))
    await waitForContacts(ids.slice(begin))
    expect(got[0]).toMatchObject({ type: 'contact.created', hook: { id: 0 }, data: { first_name: 'Jane' } })
    loop.abort()
    await ended
  })

  it('continues after a restart of the service, and misses nothing', async () => {
    const first = await createContact()
    const ended = follow({ last_event_id: (await newest()) - 1 })
    await waitForContacts([first])
    await readers.stop()
    const missed = [await createContact(), await createContact()]
    readers = await startReaders()
    proxy.target = readers.url
    const after = await createContact()
    await waitForContacts([first, ...missed, after])
    expect(proxy.seen.at(-1)!.headers['last-event-id']).toBe(String(got[0]!.id))
    expect(got.map(({ id }) => id)).toEqual([...new Set(got.map(({ id }) => id))].sort((a, b) => a - b))
    loop.abort()
    await ended
  })

  it('continues where it began, even if it breaks before the first event', async () => {
    await createContact()
    const ended = follow({ idle_timeout_ms: 1_000 })
    await eventually('a second connection', async () => proxy.seen.length > 1 || undefined)
    const id = await createContact()
    await waitForContacts([id])
    expect(proxy.seen[1]!.headers['last-event-id']).toEqual(expect.any(String))
    loop.abort()
    await ended
  })

  it('waits while the service is overloaded', async () => {
    const id = await createContact()
    proxy.mishaps = [{ status: 503, body: '{"detail":"Busy"}' }, 'answer-lost']
    const ended = follow({ since: await newest() })
    await waitForContacts([id])
    expect(proxy.seen).toHaveLength(3)
    loop.abort()
    await ended
  })

  it('closes its connection when the loop is left', async () => {
    await createContact()
    for await (const event of kusanya.events.stream({ since: 1 })) {
      expect(event.id).toBeGreaterThan(0)
      break
    }
    // Ten open streams of a key would be refused.
    for (let count = 0; count < 12; count += 1) for await (const _ of kusanya.events.stream({ since: 1 })) break
  })

  it('is refused with an error', async () => {
    const stranger = new Kusanya({ url: service.url, key: 'ksy_wrong' })
    const error = await stranger.events
      .stream()
      .next()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KusanyaError)
    expect((error as KusanyaError).status).toBe(401)
    const later = kusanya.events.stream({ last_event_id: 999_999_999 })
    await expect(later.next()).rejects.toMatchObject({ status: 400, fields: { 'Last-Event-ID': [expect.any(String)] } })
  })
})
