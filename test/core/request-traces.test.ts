import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/cli/service/log.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { type OtlpReceiver, openOtlpReceiver, type ReceivedSpan } from '../otlp-receiver.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { eventually } from '../test-app.ts'

/*
 * A collection from its API call to the webhooks: the whole trace at a collector, and the whole story in the log. It
 * goes over the sandbox's own network and over the driver of a real one.
 */

type Line = Record<string, unknown> & { event: string }

let collector: OtlpReceiver
let receiver: Receiver
let service: TestService
const lines: Line[] = []

beforeAll(async () => {
  collector = await openOtlpReceiver()
  receiver = await openReceiver()
  service = await openTestService({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=of%20the%20collector',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
    log: createLogger('debug', { write: (line: string) => void lines.push(JSON.parse(line)) }),
  })
  for (const event of ['collectionrequest.status.changed', 'collection.received'])
    await service.shop.post('/api/webhooks', { event, target: `${receiver.url}/?skip-cert-verify` })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
  await collector.close()
})

/** Make a collection that a customer pays, and wait for its webhooks and SMS. */
async function collect(fields: Record<string, unknown>, headers: Record<string, string> = {}): Promise<number> {
  const body = { amount: '1500', currency: 'BXC', send_instructions: true, first_name: 'Nakimuli', ...fields }
  const { status, body: made } = await service.shop.post('/api/collectionrequests', body, headers)
  expect([status, made]).toEqual([201, expect.anything()])
  await service.advanceUntilStatus(made.id, 'successful')
  await eventually('the webhooks', async () => {
    const due = await service.testApp.db`select 1 from webhook_deliveries where state = 'waiting'`
    return due.length === 0 || undefined
  })
  await eventually('the SMS', async () => {
    const due = await service.testApp
      .db`select 1 from sms_messages where collection_request = ${made.id} and state = 'waiting'`
    return due.length === 0 || undefined
  })
  return made.id
}

/** The spans of one trace, once all that is expected has come. */
function traceWith(trace_id: string, names: readonly string[]): Promise<ReceivedSpan[]> {
  return eventually(`the spans ${names}`, async () => {
    const trace = collector.spans.filter((span) => span.trace_id === trace_id)
    return names.every((name) => trace.some((span) => span.name === name)) ? trace : undefined
  })
}

const CREATE = 'POST /api/collectionrequests'
const WHOLE = [
  CREATE,
  'store request',
  'start request',
  'call for order',
  'network call',
  'settle order',
  'callback',
  'match payment',
  'webhook delivery',
  'call for SMS',
]
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

/** Collection with its trace. */
interface Story {
  id: number
  phonenumber: string
  connection: string
  trace_id: string
  trace: ReceivedSpan[]
}

describe.each([
  { network: "the sandbox's own network", phonenumber: '+80000000003', currency: 'BXC', connection: 'sandbox' },
  { network: 'the driver of MTN', phonenumber: '+256772000003', currency: 'UGX', connection: 'sandbox-mtn' },
])('a collection over $network', ({ phonenumber, currency, connection }) => {
  const trace_id = TRACE.replace('4', currency === 'BXC' ? '4' : '5')
  let story: Story
  beforeAll(async () => {
    const id = await collect({ phonenumber, currency }, { traceparent: `00-${trace_id}-${CALLER}-01` })
    story = { id, phonenumber, connection, trace_id, trace: await traceWith(trace_id, WHOLE) }
  })

  it("is one trace, which continues the caller's", () => expectOneTrace(story))
  it('says of each step what it was about, and lets it end after its begin', () => expectSteps(story))
  it('is followed by the receiver of its webhooks', () => expectInWebhooks(story))
  it('is logged under its number, from the API call to the webhooks', () => expectInLog(story))

  it('shows the collector nothing about the customer and no secret', () => {
    const text = collector.text()
    const secrets = [phonenumber.slice(1), phonenumber.slice(4), 'Nakimuli', service.key, '/callbacks/', 'whsec']
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
})

function expectOneTrace({ id, trace }: Story): void {
  const root = trace.find(({ name }) => name === CREATE)!
  expect(root).toMatchObject({ parent: CALLER, kind: 2, service: 'kusanya' })
  expect(root.attributes).toMatchObject({
    'http.route': '/api/collectionrequests',
    'http.response.status_code': 201,
    'kusanya.collection_request': id,
  })
  const names = new Map(trace.map(({ span_id, name }) => [span_id, name]))
  const inside = trace.filter((span) => span !== root).map(({ name, parent }) => ({ name, parent: names.get(parent)! }))
  const calls = inside.filter(({ name }) => name === 'network call')
  const others = inside.filter(({ name }) => name !== 'network call')
  expect(new Set(others.map(({ parent }) => parent))).toEqual(new Set([CREATE]))
  expect(['call for order', 'callback', 'call for SMS']).toEqual(
    expect.arrayContaining(calls.map(({ parent }) => parent)),
  )
  expect(new Set([CREATE, 'network call', ...others.map(({ name }) => name)])).toEqual(new Set(WHOLE))
}

function expectSteps({ id, connection, trace }: Story): void {
  for (const span of trace) expect(span.end_ms, span.name).toBeGreaterThanOrEqual(span.start_ms)
  const one = (name: string) => trace.find((span) => span.name === name)!
  expect(one('call for order').attributes).toMatchObject({
    'kusanya.collection_request': id,
    'kusanya.connection': connection,
    'kusanya.call': expect.any(String),
    'kusanya.outcome': expect.any(String),
  })
  expect(one('callback').attributes).toMatchObject({ 'kusanya.state': 'settled', 'kusanya.connection': connection })
  expect(one('webhook delivery').attributes).toMatchObject({ 'http.response.status_code': 200 })
  expect(['callback', 'webhook delivery', 'call for SMS'].map((name) => one(name).kind)).toEqual([5, 3, 1])
  const expected = ['request_created', 'order_created', 'payment_recorded', 'request_changed', 'event_recorded']
  expect(trace.flatMap(({ events }) => events)).toEqual(expect.arrayContaining([...expected, 'sms_queued']))
}

async function expectInWebhooks({ id, trace_id }: Story): Promise<void> {
  const sent = receiver.received.filter(({ body }) => {
    const { data } = JSON.parse(body)
    return (data.collection_request?.id ?? data.id) === id
  })
  expect(sent.length).toBeGreaterThan(2)
  await eventually('the spans of all deliveries', async () => {
    const deliveries = collector.spans.filter(({ name }) => name === 'webhook delivery')
    const contexts = deliveries.map(({ span_id }) => `00-${trace_id}-${span_id}-01`)
    return sent.every(({ headers }) => contexts.includes(String(headers.traceparent))) || undefined
  })
}

function expectInLog({ id, trace_id }: Story): void {
  const told = lines.filter(({ collection_request }) => collection_request === id)
  const events = new Set(told.map(({ event }) => event))
  const expected = [
    'request_created',
    'request_answered',
    'order_created',
    'network_called',
    'order_answered',
    'payment_recorded',
    'callback_processed',
    'request_changed',
    'event_recorded',
    'webhook_called',
    'sms_queued',
    'sms_called',
  ]
  expect(expected.filter((event) => !events.has(event))).toEqual([])
  // The calls of the test itself, which reads the request, have traces of their own.
  expect(told.filter((line) => line.trace_id !== trace_id && line.method !== 'GET')).toEqual([])
  const created = told.find(({ event }) => event === 'request_created')!
  const answered = told.find(({ event, method }) => event === 'request_answered' && method === 'POST')!
  expect(answered).toMatchObject({ request_id: created.request_id, trace_id })
  const stored = lines.filter(({ event }) => event === 'callback_stored').map(({ callback }) => callback)
  for (const line of told.filter(({ event, request_id }) => event === 'callback_processed' && !request_id))
    expect(stored).toContain(line.callback)
}

describe('the trace of a caller', () => {
  it('is ignored when it is malformed, as the standard says', async () => {
    const context = `00-${TRACE}-${CALLER}-01`
    const malformed = [
      `${context}-more`,
      `ff${context.slice(2)}`,
      context.toUpperCase(),
      `${context}, ${context}`,
      'x',
      `00-${'0'.repeat(32)}-${CALLER}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
    ]
    for (const traceparent of malformed) {
      const { status, headers } = await service.shop.get('/api/currencies', { traceparent })
      expect(status).toBe(200)
      const request_id = headers.get('x-request-id')
      const answered = await eventually('the line', async () =>
        lines.find((line) => line.event === 'request_answered' && line.request_id === request_id),
      )
      expect(answered.trace_id, traceparent).toMatch(/^[0-9a-f]{32}$/)
      expect([TRACE, '0'.repeat(32)], traceparent).not.toContain(answered.trace_id)
    }
  })

  it('is not exported, nor continued by the collection, when the caller does not export it', async () => {
    const trace_id = 'c'.repeat(32)
    const body = { amount: '1500', currency: 'BXC', phonenumber: '+80000000003', send_instructions: true }
    const headers = { traceparent: `00-${trace_id}-${CALLER}-00` }
    const made = (await service.shop.post('/api/collectionrequests', body, headers)).body.id
    await service.waitForStatus(made, 'instructions_sent')
    const [row] = await service.testApp.db`select traceparent from collection_requests where id = ${made}`
    expect(row).toEqual({ traceparent: null })
    // The next request after its arrival.
    const after = (await service.shop.get('/api/currencies')).headers.get('x-request-id')
    await eventually('a later span', async () =>
      collector.spans.find(({ attributes }) => attributes['kusanya.request_id'] === after),
    )
    const speaks = collector.spans.filter(
      ({ attributes, name }) => attributes['kusanya.collection_request'] === made && !name.startsWith('GET'),
    )
    expect(speaks).toEqual([])
    expect(collector.spans.filter((span) => span.trace_id === trace_id)).toEqual([])
    expect(
      lines.find(
        ({ event, method, collection_request }) =>
          event === 'request_answered' && method === 'POST' && collection_request === made,
      ),
    ).toMatchObject({ trace_id })
  })

  it('is continued for callers with an account only, and no span is made for others', async () => {
    const before = collector.spans.length
    const response = await fetch(`${service.url}/api/currencies`, {
      headers: { authorization: 'Token wrong', traceparent: `00-${'d'.repeat(32)}-${CALLER}-01` },
    })
    expect(response.status).toBe(401)
    const { headers } = await service.shop.get('/api/currencies')
    await eventually('a later span', async () =>
      collector.spans
        .slice(before)
        .find(({ attributes }) => attributes['kusanya.request_id'] === headers.get('x-request-id')),
    )
    expect(collector.spans.filter(({ trace_id }) => trace_id === 'd'.repeat(32))).toEqual([])
  })
})

describe('requests that share a transaction', () => {
  it('have traces of their own, whose spans are linked', async () => {
    const traces = Array.from({ length: 12 }, (_, index) => index.toString(16).padStart(32, 'e'))
    await Promise.all(
      traces.map((trace_id, index) =>
        service.shop.post(
          '/api/collectionrequests',
          { phonenumber: `+8000000${String(1_000 + index)}`, amount: '10', currency: 'BXC' },
          { traceparent: `00-${trace_id}-${CALLER}-01` },
        ),
      ),
    )
    const stored = await eventually('all spans', async () => {
      const found = collector.spans.filter(
        ({ name, trace_id }) => name === 'store request' && traces.includes(trace_id),
      )
      return found.length === traces.length ? found : undefined
    })
    const shared = stored.filter(({ attributes }) => Number(attributes['kusanya.batch_size']) > 1)
    expect(shared.length).toBeGreaterThan(1)
    for (const span of shared) {
      expect(span.links.length).toBeGreaterThan(0)
      for (const link of span.links) {
        expect(link.trace_id).not.toBe(span.trace_id)
        expect(stored.map(({ span_id }) => span_id)).toContain(link.span_id)
      }
    }
    for (const span of stored.filter(({ attributes }) => attributes['kusanya.batch_size'] === 1))
      expect(span.links).toEqual([])
  })
})

it('the collector gets its headers, at the path of traces', () => {
  expect(collector.headers[0]).toMatchObject({ path: '/v1/traces', 'x-token': 'of the collector' })
})
