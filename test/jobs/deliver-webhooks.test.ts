import { Webhook as ReferenceWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rotateSecret } from '../../src/core/events/endpoints.ts'
import { deleteLostRetries, replayDeliveries } from '../../src/core/events/replays.ts'
import { clearCredentials, setCredentials, WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { begin } from '../../src/db/client.ts'
import { openReceiver, pause, type Received, type Receiver, type Responder } from '../receiver.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'
import { createWebhookHelpers, type WebhookHelpers } from './webhook-helpers.ts'

const SKIP = '?skip-cert-verify'
/** The waits before attempts 2 to 10 (interface-gaps: Webhooks). */
const WAITS_S = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
let test: WebhookHelpers
const receivers: Receiver[] = []

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService()
  api = createApiClient(service.url, testApp.api_key)
  test = createWebhookHelpers(testApp)
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
  await test.deleteAllWebhooks()
})
afterAll(() => testApp.close())

async function receive(answer?: Responder): Promise<Receiver> {
  const receiver = await openReceiver(answer)
  receivers.push(receiver)
  return receiver
}

function arrived(receiver: Receiver, count: number) {
  return eventually(`${count} notifications`, async () =>
    receiver.received.length >= count ? receiver.received : undefined,
  )
}

interface Sent {
  hook: Record<string, unknown>
  data: unknown
}

/** The event id of a notification, from its webhook-id. */
const eventIdOf = (received: Received) => Number(String(received.headers['webhook-id']).split('_').at(-1))

describe('a notification', () => {
  it('reaches its receiver in the documented form when a customer pays', async () => {
    const receiver = await receive()
    const events = ['contact.created', 'collection.received', 'collectionrequest.status.changed']
    const hooks = new Map<string, { id: number }>()
    for (const event of events) {
      const created = await api.post('/api/webhooks', { event, target: `${receiver.url}/${event}${SKIP}` })
      hooks.set(event, created.body)
    }
    const request = { phonenumber: '+80000000077', amount: '1500', currency: 'BXC', send_instructions: true }
    const { id } = (await api.post('/api/collectionrequests', request)).body
    await eventually('the money', async () => {
      test.advance(1)
      return (await api.get(`/api/collectionrequests/${id}`)).body.status === 'successful' ? true : undefined
    })
    // They are a contact, a collection, and three status changes of the request.
    await arrived(receiver, 5)
    for (const event of events) {
      const sent = receiver.received.filter(({ path }) => path === `/${event}${SKIP}`)
      const recorded = (await api.get(`/api/events?type=${event}&ordering=id`)).body.results
      expect(sent.map((one) => one.body).sort()).toEqual(
        recorded.map((one: { data: object }) => JSON.stringify({ hook: hooks.get(event), data: one.data })).sort(),
      )
    }
    const changes = receiver.received.filter(({ path }) => path.includes('collectionrequest.status.changed'))
    // Concurrent notifications may arrive in another order; their ids give the order of events.
    changes.sort((one, other) => eventIdOf(one) - eventIdOf(other))
    expect(changes.map((one) => JSON.parse(one.body).data.status)).toEqual([
      'processing_started',
      'instructions_sent',
      'successful',
    ])
    expect(receiver.received[0]!.headers).toEqual({
      host: new URL(receiver.url).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(receiver.received[0]!.body)),
      'user-agent': 'Kusanya-Webhooks',
      'webhook-id': expect.stringMatching(/^msg_[\w-]{16}_\d+$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,\S{44}$/),
    })
    expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(5)
  })

  it('has signatures that the reference library accepts, with two secrets during a rotation', async () => {
    const receiver = await receive()
    const webhook = await test.addWebhook(receiver.url + SKIP)
    const old_secret = await test.secretOf(webhook)
    const verify = (secret: string, index: number) => {
      const { body, headers } = receiver.received[index]!
      return new ReferenceWebhook(secret).verify(body, headers as Record<string, string>)
    }
    await test.emitEvents(1)
    await arrived(receiver, 1)
    expect(verify(old_secret, 0)).toMatchObject({ hook: { id: webhook.id }, data: { number: 1 } })

    await begin(testApp.db, (tx) =>
      rotateSecret(tx, testApp.clock.now(), webhook.id, testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE)),
    )
    const new_secret = await test.secretOf(webhook)
    await test.emitEvents(2)
    await arrived(receiver, 2)
    for (const secret of [old_secret, new_secret]) expect(verify(secret, 1)).toMatchObject({ data: { number: 2 } })

    test.advance(24 * 60 * 60)
    // A claim from just before the clock moved may still sign this one with both secrets, but not the next.
    await test.emitEvents(3)
    await arrived(receiver, 3)
    await test.emitEvents(4)
    await arrived(receiver, 4)
    for (const index of [2, 3]) expect(verify(new_secret, index)).toMatchObject({ data: { number: index + 1 } })
    expect(() => verify(old_secret, 3)).toThrow()
  })

  it('has the Basic credentials of the organization, which are never stored in clear text', async () => {
    const receiver = await receive((received, response) => {
      response
        .writeHead(200, { 'x-echo': received.headers.authorization ?? 'none' })
        .end(received.headers.authorization)
    })
    const webhook = await test.addWebhook(receiver.url + SKIP)
    const credentials = { user: 'shop', password: 'öpen sesame' }
    const key = testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE)
    await begin(testApp.db, (tx) => setCredentials(tx, testApp.clock.now(), testApp.organization, credentials, key))
    await test.emitEvents(1)
    await test.waitForAttempts(webhook, 1)
    const basic = `Basic ${Buffer.from('shop:öpen sesame').toString('base64')}`
    expect(receiver.received[0]!.headers.authorization).toBe(basic)

    const [attempt] = await test.attempts(webhook)
    expect(attempt).toMatchObject({
      request_headers: { authorization: 'Basic ***' },
      response_headers: { 'x-echo': 'Basic ***' },
      response_body: 'Basic ***',
    })
    const [stored] = await testApp.db<
      { encrypted_credentials: string }[]
    >`select encrypted_credentials from webhook_credentials`
    expect(stored!.encrypted_credentials).not.toContain('sesame')

    await begin(testApp.db, (tx) => clearCredentials(tx, testApp.organization))
    await test.emitEvents(2)
    await arrived(receiver, 2)
    expect(receiver.received[1]!.headers).not.toHaveProperty('authorization')
  })

  it('goes to every webhook of its event, also to two webhooks with the same target', async () => {
    const receiver = await receive()
    const first = await test.addWebhook(`${receiver.url}/${SKIP}`)
    const second = await test.addWebhook(`${receiver.url}/${SKIP}`)
    const other = await test.addWebhook(`${receiver.url}/${SKIP}`, 'collection.received')
    await test.emitEvents(1)
    await arrived(receiver, 2)
    const hooks = receiver.received.map((one) => JSON.parse(one.body).hook.id)
    expect(hooks.sort((one: number, other: number) => one - other)).toEqual([first.id, second.id])
    expect(await test.deliveries(other)).toEqual([])
  })

  it('repeats its data as it was, with the webhook as it is at the attempt', async () => {
    const receiver = await receive((_received) => (receiver.received.length === 1 ? 500 : 200))
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1)
    await test.waitForAttempts(webhook, 1)
    await testApp.db`update webhooks set updated = '2031-01-01T00:00:00Z' where id = ${webhook.id}`
    test.advance(11)
    await arrived(receiver, 2)
    const [first, second] = receiver.received.map(({ body }) => JSON.parse(body)) as [Sent, Sent]
    expect(second.data).toEqual(first.data)
    expect(second.hook).toEqual({ ...first.hook, updated: '2031-01-01T00:00:00Z' })
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids[1]).toBe(ids[0])
  })

  it('is not sent any more after its event was deleted', async () => {
    const receiver = await receive((_received, response) => response.writeHead(500).end())
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1)
    await test.waitForAttempts(webhook, 1)
    await testApp.db`delete from events`
    await begin(testApp.db, deleteLostRetries)
    expect(await test.deliveries(webhook)).toMatchObject([{ state: 'cancelled', attempts: 1 }])
  })
})

describe('an attempt', () => {
  it('is recorded with its request and its answer', async () => {
    const receiver = await receive((_received, response) => {
      response.writeHead(500, { 'x-trace': 'abc' }).end('x'.repeat(5_000))
    })
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1)
    const delivery = await test.waitForAttempts(webhook, 1)
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, last_failure: '500', type: 'contact.created' })
    const [attempt] = await test.attempts(webhook)
    const { headers } = receiver.received[0]!
    const names = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    const shown = Object.fromEntries(names.map((name) => [name, headers[name]]))
    expect(attempt).toMatchObject({
      attempt: 1,
      remote_address: '127.0.0.1',
      status: 500,
      failure: 'status',
      request_headers: shown,
      response_headers: { 'x-trace': 'abc' },
      response_body: 'x'.repeat(4_096),
    })
    expect(Math.abs(attempt!.at.getTime() - Date.now())).toBeLessThan(20_000)
  })

  it('fails on an untrusted certificate, unless the target skips the check', async () => {
    const receiver = await receive()
    const webhook = await test.addWebhook(receiver.url)
    await test.emitEvents(1)
    expect(await test.waitForAttempts(webhook, 1)).toMatchObject({ state: 'waiting', last_failure: 'tls' })
    expect(receiver.received).toEqual([])
  })

  it('ends after five seconds', async () => {
    const receiver = await receive(() => undefined)
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1)
    expect(await test.waitForAttempts(webhook, 1)).toMatchObject({ state: 'waiting', last_failure: 'timeout' })
    const [attempt] = await test.attempts(webhook)
    expect(attempt!.duration_ms).toBeGreaterThanOrEqual(4_990)
    // The rest is tolerance for a busy machine.
    expect(attempt!.duration_ms).toBeLessThan(9_000)
  })
})

describe('a failed delivery', () => {
  it('is sent again after growing waits, never early, ten times in all, with one webhook-id', async () => {
    const receiver = await receive(() => 500)
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1)
    for (const [index, wait_s] of WAITS_S.entries()) {
      const before = testApp.clock.now().getTime()
      const { due_at } = await test.waitForAttempts(webhook, index + 1)
      const due_s = (due_at!.getTime() - before) / 1_000
      expect(due_s).toBeGreaterThanOrEqual(wait_s)
      expect(due_s).toBeLessThanOrEqual(wait_s * 1.1 + 0.001)
      test.advance(due_s - 0.001)
      await pause(60)
      expect(receiver.received).toHaveLength(index + 1)
      test.advance(0.001)
      await arrived(receiver, index + 2)
    }
    expect(await test.waitForAttempts(webhook, 10)).toMatchObject({
      state: 'failed',
      due_at: null,
      last_failure: '500',
    })
    expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(1)
    expect((await test.attempts(webhook)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    test.advance(100_000)
    await pause(100)
    expect(receiver.received).toHaveLength(10)

    // A person has repaired the receiver and replays the delivery.
    const choice = { organization: testApp.organization, webhook: webhook.id, failed: true }
    const replayed = await begin(testApp.db, (tx) => replayDeliveries(tx, testApp.clock.now(), choice, 10))
    expect(replayed).toEqual({ count: 1, next: null })
    test.advance(0)
    const again = await test.waitForAttempts(webhook, 11)
    expect(again.due_at!.getTime() - testApp.clock.now().getTime()).toBeLessThanOrEqual(11_000)
    expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(1)
    expect((await test.attempts(webhook)).map(({ replay }) => replay)).toEqual([...Array(10).fill(false), true])
  })

  it('is sent again at the time of Retry-After, if that is later, but within eight hours', async () => {
    const retry_after_headers = ['60', '1', '999999', undefined]
    const receiver = await receive((_received, response) => {
      const retry_after = retry_after_headers.shift()
      response.writeHead(retry_after ? 503 : 200, retry_after ? { 'retry-after': retry_after } : {}).end()
    })
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1)
    for (const [index, [min_s, max_s]] of [
      [60, 60],
      [30, 33],
      [28_800, 28_800],
    ].entries()) {
      const delivery = await test.waitForAttempts(webhook, index + 1)
      const wait_s = (delivery.due_at!.getTime() - testApp.clock.now().getTime()) / 1_000
      expect(wait_s).toBeGreaterThanOrEqual(min_s!)
      expect(wait_s).toBeLessThanOrEqual(max_s! + 0.001)
      test.advance(wait_s)
    }
    expect(await test.waitForAttempts(webhook, 4)).toMatchObject({ state: 'delivered', due_at: null })
  })

  it('ends with its webhook when the answer is 410, and other waiting deliveries are cancelled', async () => {
    let status = 500
    const receiver = await receive(() => status)
    const created = await api.post('/api/webhooks', { event: 'contact.created', target: receiver.url + SKIP })
    await test.emitEvents(1, 2)
    const states = async () => (await test.deliveries(created.body)).map((one) => `${one.state} ${one.attempts}`)
    await eventually('both to fail', async () => ((await states()).join() === 'waiting 1,waiting 1' ? true : undefined))
    status = 410
    await test.emitEvents(3)
    await eventually('the end', async () =>
      (await states()).join() === 'cancelled 1,cancelled 1,failed 1' ? true : undefined,
    )
    expect((await api.get(`/api/webhooks/${created.body.id}`)).status).toBe(404)
    await test.emitEvents(4)
    test.advance(60)
    await pause(100)
    expect(receiver.received).toHaveLength(3)
  })
})
