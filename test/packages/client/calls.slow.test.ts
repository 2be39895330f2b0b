import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Kusanya, KusanyaError, type NewCollectionRequest, WaitTimeout } from '../../../packages/client/src/index.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../../interface/test-service.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

let service: TestService
let proxy: FaultyProxy
let kusanya: Kusanya
let ticking: NodeJS.Timeout

beforeAll(async () => {
  service = await openTestService()
  proxy = await openProxy(service.url)
  kusanya = new Kusanya({ url: proxy.url, key: service.key, retries: 2, timeout_ms: 20_000 })
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
  await service.close()
})

const input: NewCollectionRequest = { ...REQUIRED_FIELDS, send_instructions: true }
const WAGES = { phonenumber: '+80000000003', amount: '100', currency: 'BXC', description: 'Wages' }
const countRequests = async () => (await service.shop.get('/api/collectionrequests?limit=1')).body.count as number
const errorOf = async (call: Promise<unknown>): Promise<KusanyaError> => {
  const error = await call.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(KusanyaError)
  return error as KusanyaError
}

describe('the client', () => {
  it('collects money: a request, its end, the collection, the transaction, the balance', async () => {
    const [before] = await kusanya.accounts.list({ currency: 'BXC' }).toArray()
    const created = await kusanya.collectionRequests.create({ ...input, amount: '1500.25', metadata: { order: 7 } })
    expect(created).toMatchObject({ status: 'pending', amount: '1500.2500', metadata: { order: 7 } })
    const request = await kusanya.collectionRequests.wait(created.id)
    expect(request).toMatchObject({ id: created.id, status: 'successful' })
    const collection = await kusanya.collections.get(request.collection!)
    expect(collection).toMatchObject({ amount: '1500.2500', collection_request: { id: created.id } })
    const transaction = await kusanya.transactions.get(collection.transaction!.id)
    expect(transaction).toMatchObject({ amount: '1500.2500', account: before!.id })
    const account = await kusanya.accounts.get(before!.id)
    expect(account.balance).toMatch(/^\d+\.2500$/)
    expect(Number(account.balance) - Number(before!.balance)).toBe(1500.25)
    const sms = await kusanya.sms.list({ collection_request: created.id }).first()
    expect(sms).toMatchObject({ phonenumber: '+80000000003', collection_request: created.id })
    const events = await kusanya.events.list({ type: 'collection.received' }).toArray()
    expect(events.map(({ data }) => data.id)).toContain(collection.id)
  })

  it('sends money, to one and to many', async () => {
    const payment = await kusanya.payments.create({
      currency: 'BXC',
      description: 'Wages',
      recipient_data: [
        { phonenumber: '+80000000003', amount: '100' },
        { phonenumber: '+80000000004', amount: '50.5' },
      ],
    })
    const ended = await kusanya.payments.wait(payment.id)
    expect(ended).toMatchObject({ state: 'processed', amount: '150.5000' })
    expect(ended.phone_nos.map(({ state }) => state)).toEqual(['complete', 'complete'])
  })

  it('creates, changes and finds contacts; reads networks, currencies and webhooks', async () => {
    const phone_number = '+80000000555'
    const contact = await kusanya.contacts.create({ phone_number, first_name: 'Jane', last_name: 'Doe' })
    expect(await kusanya.contacts.update(contact.id, { email: 'jane@example.com' })).toMatchObject({
      id: contact.id,
      email: 'jane@example.com',
    })
    expect(await kusanya.contacts.list({ phone_number }).first()).toMatchObject({ id: contact.id })
    expect(await kusanya.contacts.list({ phone_number: '+80000000556' }).first()).toBeUndefined()
    const days = { from: '2030-01-01', to: '2030-01-31' }
    expect(await kusanya.contacts.statement(contact.id, { ...days, currency: 'KES' })).toMatchObject({
      first_day: '2030-01-01',
      closing_balance: '0.0000',
      entries: [],
    })
    expect(await kusanya.reports.ageing({ tag: 'no such tag' })).toMatchObject({ count: 0, totals: [] })
    expect(await kusanya.reports.unmatched({ currency: 'KES', limit: 1 })).toMatchObject({ rows: [] })
    expect((await kusanya.currencies.list().toArray()).map(({ code }) => code)).toContain('BXC')
    expect((await kusanya.networks.list().first())?.name).toEqual(expect.any(String))
    const target = 'https://shop.example/hook'
    const webhook = await kusanya.webhooks.create({ event: 'collection.received', target })
    expect(await kusanya.webhooks.get(webhook.id)).toEqual(webhook)
  })

  it('claims unmatched money once', async () => {
    const filters = { amount: '77', phonenumber: '+80000000003', remote_transaction_id: 'not-there' }
    expect(await kusanya.collections.claim(filters)).toBeUndefined()
    const incomplete = { ...filters, remote_transaction_id: '' }
    expect((await errorOf(kusanya.collections.claim(incomplete))).fields).toHaveProperty('remote_transaction_id')
  })

  it('buys electricity, with amounts as strings', async () => {
    const meter = { service_type: 'abuja_electric_prepaid', account_number: '45060582249' }
    expect((await kusanya.bills.verifyMeter(meter)).name).toEqual(expect.any(String))
    const purchase = { ...meter, amount: '5000', phone: '08012345678', agentReference: 'client-1' }
    proxy.mishaps = ['answer-lost']
    const result = await kusanya.bills.buyElectricity(purchase)
    expect(result).toMatchObject({ transactionStatus: 'success', tokenAmount: '5000' })
    expect(await kusanya.bills.wait({ agentReference: 'client-1' })).toEqual(result)
    expect((await kusanya.bills.getBalance()).balance).toMatch(/^\d+(\.\d+)?$/)
    expect((await kusanya.bills.listAirtimeProviders()).map((one) => one.service_type)).toContain('mtn')
    expect((await kusanya.bills.listServices({ country: 'NG' })).length).toBeGreaterThan(0)
    const again = await errorOf(kusanya.bills.buyElectricity(purchase))
    expect(again).toMatchObject({ status: 400, code: 'BX0023', is_outcome_unknown: false })
    const wrong = await errorOf(kusanya.bills.buyElectricity({ ...purchase, agentReference: 'client-2', phone: 'x' }))
    expect(wrong.fields).toHaveProperty('phone')
  })

  it('waits for a limited time, and says that the request goes on', async () => {
    const { id } = await kusanya.collectionRequests.create({ ...input, phonenumber: '+80000000009' })
    const timeout = await kusanya.collectionRequests.wait(id, { wait_ms: 1 }).catch((error: unknown) => error)
    expect(timeout).toBeInstanceOf(WaitTimeout)
    expect((timeout as WaitTimeout).last).toMatchObject({ id })
  })
})

describe('a call that gets no answer', () => {
  it('is repeated under one key, and creates one request', async () => {
    const before = await countRequests()
    proxy.mishaps = ['answer-lost']
    const request = await kusanya.collectionRequests.create({ ...input, metadata: { order: 'cut' } })
    expect(request.metadata).toEqual({ order: 'cut' })
    expect(await countRequests()).toBe(before + 1)
    const posts = proxy.seen.filter(({ method }) => method === 'POST')
    expect(posts).toHaveLength(2)
    expect(new Set(posts.map(({ headers }) => headers['duplicate-check-key'])).size).toBe(1)
    expect(proxy.seen.at(-1)).toMatchObject({ method: 'GET', path: `/api/collectionrequests/${request.id}` })
  })

  it('pays once, also if the wallet could not pay it again', async () => {
    const count = async () => (await kusanya.payments.list().page()).count
    const before = await count()
    proxy.mishaps = ['answer-lost']
    const all = { phonenumber: '+80000000003', amount: '60000', currency: 'BXC', description: 'Most of the wallet' }
    expect((await kusanya.payments.create(all)).amount).toBe('60000.0000')
    expect(await count()).toBe(before + 1)
    const error = await errorOf(kusanya.payments.create(all))
    expect(error).toMatchObject({ status: 400, fields: { amount: [expect.any(String)] }, is_outcome_unknown: false })
  })

  it('reports an unknown outcome, and can be repeated with its key', async () => {
    proxy.mishaps = ['answer-lost']
    const error = await errorOf(kusanya.collectionRequests.create(input, { retries: 0 }))
    expect(error).toMatchObject({ status: 0, is_outcome_unknown: true, attempts: 1 })
    expect(error.message).toContain('did not answer')
    const again = await errorOf(
      kusanya.collectionRequests.create(input, { duplicate_check_key: error.duplicate_check_key! }),
    )
    expect(again).toMatchObject({ status: 409, is_outcome_unknown: false, duplicate: { type: 'collectionrequest' } })
    expect(await kusanya.collectionRequests.get(again.duplicate!.id)).toMatchObject({ amount: '1500.0000' })
  })

  it('has not failed when its key may not read what it created', async () => {
    const key = await service.newKey({ permissions: ['initiate_payments'] })
    const payer = new Kusanya({ url: proxy.url, key, retries: 2 })
    proxy.mishaps = ['answer-lost']
    const error = await errorOf(payer.payments.create(WAGES))
    expect(error).toMatchObject({ status: 403, is_outcome_unknown: true, attempts: 2, duplicate: { type: 'payment' } })
    expect(error.duplicate_check_key).toEqual(expect.any(String))
    expect((await kusanya.payments.get(error.duplicate!.id)).description).toBe('Wages')
  })

  it('has not failed when what it created cannot be read', async () => {
    const taken = { status: 409, body: '{"detail":"x","type":"payment","id":7}' }
    proxy.mishaps = [{ status: 503, body: '{}' }, taken, { status: 500, body: '{}' }]
    const error = await errorOf(kusanya.payments.create(WAGES))
    expect(error).toMatchObject({ status: 500, is_outcome_unknown: true, duplicate: { type: 'payment', id: 7 } })
  })

  it('has failed when it bought something whose purchase has failed', async () => {
    const taken = { status: 409, body: '{"code":"BX0023","message":"x","type":"billpayment","id":7}' }
    const failed = { status: 400, body: '{"code":"BX0024","message":"x","data":{"transactionStatus":"failed"}}' }
    proxy.mishaps = [{ status: 503, body: '{}' }, taken, failed]
    const meter = { service_type: 'abuja_electric_prepaid', account_number: '45060582249' }
    const purchase = { ...meter, amount: '5000', phone: '08012345678', agentReference: 'client-failed' }
    const error = await errorOf(kusanya.bills.buyElectricity(purchase))
    expect(error).toMatchObject({ status: 400, is_outcome_unknown: false, code: 'BX0024' })
  })

  it('never gives another object that has the key', async () => {
    const duplicate_check_key = 'of-a-contact'
    const contact = { phone_number: '+80000000557', first_name: 'Jane', last_name: 'Doe' }
    const { id } = await kusanya.contacts.create(contact, { duplicate_check_key })
    proxy.mishaps = ['answer-lost']
    const error = await errorOf(kusanya.payments.create(WAGES, { duplicate_check_key }))
    expect(error).toMatchObject({ status: 409, duplicate: { type: 'contact', id }, attempts: 2 })
  })

  it('has a key that protects', async () => {
    for (const duplicate_check_key of ['', ' '])
      await expect(kusanya.payments.create(WAGES, { duplicate_check_key })).rejects.toThrow('`duplicate_check_key`')
    expect(proxy.seen).toHaveLength(0)
  })

  it('ends in time, and at the signal of the caller', async () => {
    proxy.mishaps = ['no-answer']
    const late = await errorOf(kusanya.currencies.get(1, { timeout_ms: 50, retries: 0 }))
    expect(late.message).toContain('in time')
    proxy.mishaps = ['no-answer']
    const reason = new Error('The customer has left.')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    await expect(kusanya.currencies.get(1, { signal: controller.signal })).rejects.toBe(reason)
    expect(proxy.seen).toHaveLength(2)
  })

  it('is repeated when it reads', async () => {
    proxy.mishaps = ['answer-lost', { status: 502, body: '<html>Bad gateway</html>' }]
    expect((await kusanya.currencies.list().first())?.id).toEqual(expect.any(Number))
    expect(proxy.seen).toHaveLength(3)
  })

  it('is not repeated after a refusal, a redirect or an answer that is no JSON', async () => {
    const redirect = { status: 301, headers: { location: 'http://127.0.0.1:1/' }, body: '' }
    for (const mishap of [redirect, { status: 200, body: 'Welcome' }, { status: 500, body: '{}' }]) {
      proxy.mishaps = [mishap]
      proxy.seen = []
      const error = await errorOf(kusanya.collectionRequests.create(input))
      expect(error).toMatchObject({ status: mishap.status, is_outcome_unknown: true })
      expect(proxy.seen).toHaveLength(1)
    }
  })
})

describe('a refusal', () => {
  it('names every wrong field', async () => {
    const wrong = { phonenumber: 'x', amount: '-1', currency: 'BXC' }
    const error = await errorOf(kusanya.collectionRequests.create(wrong))
    expect(error).toMatchObject({ status: 400, is_outcome_unknown: false, attempts: 1 })
    expect(Object.keys(error.fields).sort()).toEqual(['amount', 'phonenumber'])
    expect(error.message).toContain('POST /api/collectionrequests: 400')
    expect(error.request_id).toEqual(expect.any(String))
  })

  it('of a key or an id is an error that never has the key', async () => {
    const stranger = new Kusanya({ url: service.url, key: 'ksy_wrong' })
    const error = await errorOf(stranger.accounts.list().first())
    expect(error).toMatchObject({ status: 401, detail: 'Invalid token.' })
    expect(JSON.stringify({ ...error, stack: error.stack, stranger })).not.toContain('ksy_wrong')
    expect((await errorOf(kusanya.collections.get(999_999_999))).status).toBe(404)
  })

  it('of too many requests is waited for, as long as the service asks', async () => {
    proxy.mishaps = [{ status: 429, headers: { 'retry-after': '1' }, body: '{"detail":"Request was throttled."}' }]
    const begin = performance.now()
    expect((await kusanya.currencies.list().first())?.id).toEqual(expect.any(Number))
    expect(performance.now() - begin).toBeGreaterThan(990)
    expect(proxy.seen).toHaveLength(2)
  })

  it('of too many requests says how long to wait when it is not repeated', async () => {
    const slow = new Kusanya({ url: service.url, key: await service.newKey({ reads_per_minute: 1 }), retries: 0 })
    await slow.currencies.get(1)
    const error = await errorOf(slow.currencies.get(1))
    expect(error.status).toBe(429)
    expect(error.retry_after_ms).toBeGreaterThan(0)
    // A throttled write had no effect.
    proxy.mishaps = [{ status: 429, headers: { 'retry-after': '3600' }, body: '{}' }]
    const write = await errorOf(kusanya.collectionRequests.create(input))
    expect(write).toMatchObject({ status: 429, attempts: 1, is_outcome_unknown: false })
  })
})

describe('the options of a client', () => {
  it('are checked', () => {
    expect(() => new Kusanya({ url: 'pay.example.com', key: 'k' })).toThrow('`url`')
    expect(() => new Kusanya({ url: 'https://user:word@pay.example.com', key: 'k' })).toThrow('`url`')
    expect(() => new Kusanya({ url: 'https://pay.example.com', key: '' })).toThrow('`key`')
  })

  it('may have another fetch, and an address with a path', async () => {
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (url) => {
      urls.push(String(url))
      return Response.json({ count: 0, next: null, previous: null, results: [] })
    }
    const client = new Kusanya({ url: 'https://pay.example.com/gateway/', key: 'k', fetch })
    expect(await client.payments.list({ phone_number: '+80000000003' }).toArray()).toEqual([])
    expect(urls).toEqual(['https://pay.example.com/gateway/api/payments?limit=100&phone_number=%2B80000000003'])
  })
})
