import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { createWebhookHelpers } from '../../jobs/webhook-helpers.ts'
import { openReceiver, type Received, type Receiver } from '../../receiver.ts'
import { eventually } from '../../test-app.ts'
import { type FaultyProxy, openProxy } from '../client/proxy.ts'
import { PHP_PACKAGE, PYTHON_PACKAGE, php, python, run, titleOf } from './languages.ts'

/*
 * The Python and the PHP client against a running service. Each scenario is a function of scenarios.py and scenarios.php, which both
 * print the same.
 */

interface Language {
  program: typeof python
  args: string[]
  settings: Record<string, string>
}

const LANGUAGES: Record<string, Language> = {
  Python: {
    program: python,
    args: [join(import.meta.dirname, 'scenarios.py')],
    settings: { PYTHONPATH: join(PYTHON_PACKAGE, 'src') },
  },
  PHP: {
    program: php,
    args: [join(import.meta.dirname, 'scenarios.php')],
    settings: { KUSANYA_CLIENT: PHP_PACKAGE },
  },
}

let service: TestService
let receiver: Receiver
let proxy: FaultyProxy
let ticking: NodeJS.Timeout
let secret: string
/** A delivery that the service has sent: `collectionrequest.status.changed`. */
let delivery: Received

beforeAll(async () => {
  service = await openTestService()
  proxy = await openProxy(service.url)
  receiver = await openReceiver()
  const helpers = createWebhookHelpers(service.testApp)
  const webhook = await helpers.addWebhook(`${receiver.url}/?skip-cert-verify`, 'collectionrequest.status.changed')
  secret = await helpers.secretOf(webhook)
  const { id } = await service.createRequest({ send_instructions: true, metadata: { note: 'Çà "là"' } })
  await service.advanceUntilStatus(id, 'successful')
  delivery = await eventually('the delivery', async () =>
    receiver.received.find(({ body }) => JSON.parse(body).data.status === 'successful'),
  )
  // Time passes, so that simulated customers act.
  ticking = setInterval(() => service.advance(1), 250)
})
beforeEach(() => {
  proxy.mishaps = []
  proxy.seen = []
})
afterAll(async () => {
  clearInterval(ticking)
  await proxy.close()
  await receiver.close()
  await service.close()
})

const countRequests = async () => (await service.shop.get('/api/collectionrequests?limit=1')).body.count as number
/** A request that has come to a status. */
async function makeRequest(status: string, phonenumber: string): Promise<number> {
  const { id } = await service.createRequest({ phonenumber, send_instructions: true })
  if (status === 'instructions_sent') await service.waitForStatus(id, status)
  else await service.advanceUntilStatus(id, status)
  return id
}
const makePaid = () => makeRequest('successful', '+80000000003')
const makeFailed = () => makeRequest('failed', '+80000000001')
const keysOf = (method: string) =>
  proxy.seen.filter((request) => request.method === method).map(({ headers }) => headers['duplicate-check-key'])

describe.each(Object.entries(LANGUAGES))('the %s client', (name, { program, args, settings }) => {
  const test = (title: string, body: () => Promise<void>) =>
    it.skipIf(program.skipped)(titleOf(title, program), async () => {
      // Each key may read 30 times a minute.
      key = await service.newKey({ reads_per_minute: 1_000 })
      await body()
    })
  let key: string
  const play = async (scenario: string, input: object = {}) =>
    JSON.parse(
      await run(program.path!, [...args, scenario, proxy.url, key], { settings, input: JSON.stringify(input) }),
    )

  test('collects money, with all digits', async () => {
    expect(await play('collect')).toEqual({
      created: 'pending',
      status: 'successful',
      amount: '1500.2500',
      metadata: { order: 7, weight: 0.5 },
      collection: '1500.2500',
      transaction: '1500.2500',
      gained: '1500.2500',
      event: true,
    })
  })

  test('sends money, and makes a payment link', async () => {
    expect(await play('pay')).toEqual({
      state: 'processed',
      amount: '150.5000',
      recipients: ['complete', 'complete'],
      link: ['closed', '1000.0000', '2000.5000'],
    })
  })

  test('reads a list page by page', async () => {
    const prefix = name === 'PHP' ? '61' : '60'
    expect(await play('contacts', { prefix, name: `Doe ${name}` })).toEqual({
      same: true,
      count: 5,
      pages: [2, 2, 1],
      first: true,
      some: 3,
      none: null,
      since: true,
      email: 'jane@example.com',
      owed: '0.0000',
      open: [],
      unmatched: 0,
      claimed: null,
    })
  })

  test('repeats a call without an answer under one key, and creates one request', async () => {
    const before = await countRequests()
    proxy.mishaps = ['answer-lost']
    const { id, metadata } = await play('lost_answer')
    expect(metadata).toEqual({ order: 'cut' })
    expect(await countRequests()).toBe(before + 1)
    const keys = keysOf('POST')
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(proxy.seen.at(-1)).toMatchObject({ method: 'GET', path: `/api/collectionrequests/${id}` })
  })

  test('reminds once, although the first answer is lost', async () => {
    const request = await makeRequest('instructions_sent', '+80000000009')
    proxy.mishaps = ['answer-lost']
    const again = { status: 400, fields: ['collection_request'], is_outcome_unknown: false, attempts: 1 }
    expect(await play('remind', { request })).toEqual({ kind: 'reminder', comment: 'Friday', again })
  })

  test('tries a request again once, although the first answer is lost', async () => {
    const request = await makeFailed()
    proxy.mishaps = ['answer-lost']
    expect(await play('retry', { request })).toEqual({ amount: '1500.0000', of: request, new: true })
    const keys = keysOf('POST')
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  test('sends one payment link for a request, although the first answer is lost', async () => {
    const request = await makeFailed()
    proxy.mishaps = ['answer-lost']
    expect(await play('send_payment_link', { request })).toEqual({ amount: '1500.0000', single_use: true })
  })

  test('refunds once, although the first answer is lost', async () => {
    const request = await makePaid()
    proxy.mishaps = ['answer-lost']
    expect(await play('refund', { request })).toEqual({ amount: '500.2500', actions: [['refund', 'duplicate', true]] })
  })

  test('never gives what another call with the key has made', async () => {
    const order = { amount: '1500', currency: 'BXC', phonenumber: '+80000000001', send_instructions: true }
    const own_key = `order-7-${name}`
    const { body } = await service.shop.post('/api/collectionrequests', order, { 'duplicate-check-key': own_key })
    await service.advanceUntilStatus(body.id, 'failed')
    proxy.mishaps = [{ status: 502, body: '<html>Bad gateway</html>' }]
    const error = { status: 409, fields: [], is_outcome_unknown: true, attempts: 2 }
    expect(await play('key_of_another', { request: body.id, key: own_key })).toEqual({ error, duplicate: body.id })
  })

  test('issues one receipt of a payment', async () => {
    const request = await makePaid()
    proxy.mishaps = ['answer-lost']
    expect(await play('receipt', { request })).toEqual({ amount: '1500.0000', state: 'paid', pdf: true, sends: [] })
  })

  test('sends a receipt once, although the first answer is lost', async () => {
    const { body } = await service.shop.post('/api/receipts', { collection_request: await makePaid() })
    proxy.mishaps = ['answer-lost']
    expect(await play('send_receipt', { receipt: body.id })).toEqual({ sends: [['sms', '+80000000003']] })
    const keys = keysOf('POST')
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  test('issues an invoice, sends it, requests a part of it, and voids another', async () => {
    expect(await play('invoice')).toEqual({
      total: '1770.0000',
      sends: [['sms', '+80000000003']],
      requests: [['manual', '500.0000']],
      states: ['draft', 'issued', 'void'],
    })
  })

  test('makes invoices and requests for a tag once, although the first answer is lost', async () => {
    const prefix = name === 'PHP' ? '71' : '70'
    const pupil = { last_name: name, tags: [`P5 ${name}`] }
    for (const [index, first_name] of ['Ada', 'Eve'].entries())
      await service.shop.post('/api/contacts', { ...pupil, first_name, phone_number: `+80000000${prefix}${index}` })
    proxy.mishaps = ['answer-lost']
    expect(await play('batches', { tag: `P5 ${name}` })).toEqual({
      made: [2, 0],
      other: [409, 'invoicebatch', true],
      preview: [['1700.0000'], 2],
      done: [2, 2, 2],
      requests: [['ready', 'ready'], 2],
      open: '1700.0000',
      customers: [
        [`Ada ${name}`, '850.0000'],
        [`Eve ${name}`, '850.0000'],
      ],
    })
    const keys = keysOf('POST')
    expect(keys[1]).toBe(keys[0])
  })

  test('says that an outcome is unknown, and finds it with its key', async () => {
    proxy.mishaps = ['answer-lost']
    expect(await play('unknown')).toEqual({
      first: { status: 0, fields: [], is_outcome_unknown: true, attempts: 1 },
      again: { status: 409, fields: [], is_outcome_unknown: false, attempts: 1 },
      type: 'collectionrequest',
      amount: '1500.0000',
    })
  })

  test('ends a call in time', async () => {
    proxy.mishaps = ['no-answer']
    expect(await play('late')).toEqual({ status: 0, fields: [], is_outcome_unknown: false, attempts: 1 })
  })

  test('waits when the service is busy, and repeats', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: '{"detail":"Request was throttled."}' }
    proxy.mishaps = [busy, { status: 502, body: '<html>Bad gateway</html>' }]
    expect(await play('first_currency')).toEqual({ id: expect.any(Number) })
    expect(proxy.seen).toHaveLength(3)
  })

  test('takes no part of an answer for the whole', async () => {
    const body = '{"count":0,"next":null,"previous":null,"results":[]}'
    proxy.mishaps = [{ status: 200, headers: { 'content-length': '1000', connection: 'close' }, body }]
    expect(await play('first_currency')).toEqual({ id: expect.any(Number) })
    expect(proxy.seen).toHaveLength(2)
  })

  test('repeats nothing after a redirect, an answer that is no JSON, or an error of the service', async () => {
    const redirect = { status: 301, headers: { location: 'http://127.0.0.1:1/' }, body: '' }
    proxy.mishaps = [redirect, { status: 200, body: 'Welcome' }, { status: 500, body: '{}' }]
    const error = { fields: [], is_outcome_unknown: true, attempts: 1 }
    expect(await play('refused_thrice')).toEqual([301, 200, 500].map((status) => ({ status, ...error })))
    expect(proxy.seen).toHaveLength(3)
  })

  test('describes a refusal', async () => {
    expect(await play('refusals')).toEqual({
      wrong: { status: 400, fields: ['amount', 'phonenumber'], is_outcome_unknown: false, attempts: 1 },
      request_id: true,
      message: true,
      stranger: [401, 'Invalid token.'],
      missing: 404,
    })
  })

  test('waits no longer than it may', async () => {
    expect(await play('waits')).toEqual({ last: true })
  })

  test('buys electricity once, with amounts that are no floats', async () => {
    proxy.mishaps = ['answer-lost']
    expect(await play('bills', { reference: `client-${name}` })).toEqual({
      name: true,
      status: 'success',
      token: '5000',
      same: true,
      again: [400, 'BX0023', false],
      airtime: true,
      services: true,
      prices: true,
    })
  })

  test('follows events over breaks of the connection', async () => {
    const { body } = await service.shop.get('/api/events?type=contact.created&ordering=id&limit=2')
    proxy.mishaps = ['answer-lost', { status: 503, body: '{"detail":"Busy"}' }]
    const ids = body.results.map(({ id }: { id: number }) => id)
    expect(await play('follow', { count: 2 })).toEqual({ ids })
    expect(proxy.seen).toHaveLength(3)
  })

  test('verifies a webhook', async () => {
    const { body, headers } = delivery
    const another = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const { data } = JSON.parse(body)
    expect(await play('verify', { body, headers, secret, another })).toEqual({
      type: 'collectionrequest.status.changed',
      hook: 'collectionrequest.status.changed',
      data: [data.id, 'successful', '1500.0000'],
      metadata: { note: 'Çà "là"' },
      webhook_id: headers['webhook-id'],
      refused: [
        'No signature of the notification fits the secret.',
        'No signature of the notification fits the secret.',
        'The notification is too old, or one of the clocks is wrong.',
      ],
    })
  })
})
