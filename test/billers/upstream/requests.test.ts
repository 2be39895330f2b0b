import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderVend } from '../../../src/billers/contract.ts'
import { upstream } from '../../../src/billers/upstream/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(
    upstream,
    { key: 'our-api-key' },
    {
      environment: 'production',
      hosts: (url) => ({ api: `${url}/api/gateway/` }),
    },
  )
})
afterEach(() => recorder.close())

const ours = { 'x-api-key': 'our-api-key', accept: 'application/json' }
const sent = () =>
  recorder.requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    body,
    scenario: headers['x-sandbox-scenario'],
    'x-api-key': headers['x-api-key'],
    accept: headers.accept,
    type: headers['content-type'],
  }))
const common = '"agentReference":"KB17","agentId":"207"'

const orders: [string, Partial<ProviderVend>, string, string][] = [
  [
    'airtime',
    {},
    '/services/airtime/request',
    `{${common},"service_type":"mtn","phone":"08031234567","amount":"100","plan":"prepaid"}`,
  ],
  [
    'a bundle',
    { kind: 'databundle', details: { datacode: '1000' }, amount: 10_000_000n },
    '/services/databundle/request',
    `{${common},"service_type":"mtn","phone":"08031234567","amount":"1000","datacode":"1000","account_number":"08031234567"}`,
  ],
  [
    'light, at a simulated biller',
    {
      kind: 'electricity',
      service_type: 'ikeja_electric_prepaid',
      account_number: '04042404048',
      offer: { remote_service: 'ikeja_electric_prepaid', remote_product: null },
      scenario: 'decline',
    },
    '/services/electricity/request',
    `{${common},"service_type":"ikeja_electric_prepaid","phone":"08031234567","amount":"100","account_number":"04042404048"}`,
  ],
  [
    'a bouquet',
    {
      kind: 'cabletv',
      details: { product_code: 'COMPE36', months: 1, addon_code: 'A', addon_months: 1, box_office: false },
    },
    '/services/cabletv/request',
    `{${common},"service_type":"mtn","phone":"08031234567","total_amount":"100","smartcard_number":"08031234567","product_code":"COMPE36","product_monthsPaidFor":1,"addon_code":"A","addon_monthsPaidFor":1,"isBoxOffice":false}`,
  ],
  [
    'pins',
    { kind: 'epin', details: { pin_value: 500_000n, pins: 2 } },
    '/services/epin/request',
    `{${common},"service_type":"mtn","phone":"08031234567","amount":"100","pinValue":"50","numberOfPins":2}`,
  ],
  [
    'an exam pin',
    { kind: 'exampin', details: { product_code: 'DE' } },
    '/services/exampin/request',
    `{${common},"service_type":"mtn","phone":"08031234567","amount":"100","account_number":"08031234567","product_code":"DE"}`,
  ],
]

describe('the address of another host', () => {
  const check = (settings: Record<string, unknown>, api = 'https://upstream.invalid') =>
    upstream.checkSettings!({ slug: 'x', environment: 'production', hosts: { api }, settings } as never, '')

  it('has to be given, as a setting or as a host', () => {
    expect(check({ key: 'k' })).toEqual({ url: 'is missing' })
    expect(check({ key: 'k', url: 'https://pay.example.com/api/gateway' })).toEqual({})
    expect(check({ key: 'k' }, 'https://pay.example.com')).toEqual({})
  })

  it.each(['http://pay.example.com', 'ftp://pay.example.com', 'pay.example.com', ''])('is not %s', (url) => {
    expect(upstream.settings.safeParse({ key: 'k', url }).success).toBe(false)
  })

  it('of the setting counts before the host', async () => {
    const own = await openRecorder(
      upstream,
      { key: 'our-api-key', url: `${recorder.url}/v2` },
      {
        environment: 'production',
        hosts: () => ({ api: 'http://127.0.0.1:2' }),
      },
    )
    await own.operations.vendStatus(providerVend())
    expect(recorder.requests.map(({ path }) => path.split('?')[0])).toEqual(['/v2/superagent/transaction/requery'])
    await own.close()
  })
})

describe('the requests to another host', () => {
  it.each(orders)('for %s', async (_, changes, path, body) => {
    const order = providerVend(changes)
    await recorder.operations.vend(order)
    const [now] = sent()
    const scenario = order.scenario ?? undefined
    expect(now).toEqual({
      method: 'POST',
      path: `/api/gateway${path}`,
      body,
      type: 'application/json',
      ...ours,
      scenario,
    })
  })

  it('for questions', async () => {
    const order = providerVend()
    await recorder.operations.vendStatus(order)
    const query = { kind: 'exampin', country: 'NG', account_number: '9678528352', prepaid: null } as const
    await recorder.operations.accountHolder!({ ...query, offer: { remote_service: 'jamb', remote_product: 'DE' } })
    const [requery, holder] = sent()
    expect([requery!.method, requery!.path]).toEqual([
      'GET',
      '/api/gateway/superagent/transaction/requery?agentReference=KB17',
    ])
    expect(holder!.body).toBe('{"service_type":"jamb","account_number":"9678528352","product_code":"DE"}')
  })

  it('with the names that the offer has for the service and the product', async () => {
    const offer = { remote_service: 'mtn-sme', remote_product: '1GB' }
    await recorder.operations.vend(providerVend({ kind: 'databundle', details: { datacode: '1000' }, offer }))
    const tv = { remote_service: 'dstv-2', remote_product: 'PREMIUM' }
    await recorder.operations.vend(providerVend({ kind: 'cabletv', details: { product_code: 'P' }, offer: tv }))
    await recorder.operations.vend(providerVend({ kind: 'cabletv', details: { product_code: '0' }, offer: tv }))
    expect(sent().map(({ body }) => JSON.parse(body))).toMatchObject([
      { service_type: 'mtn-sme', datacode: '1GB' },
      { service_type: 'dstv-2', product_code: 'PREMIUM' },
      { service_type: 'dstv-2', product_code: '0' },
    ])
  })

  it('for the balance', async () => {
    recorder.answer('GET /api/gateway/superagent/account/balance', {
      body: { status: 'success', message: 'Successful', code: 200, data: { balance: 1234.5, lastDeposit: null } },
    })
    const balances = [{ currency: 'NGN', amount: 12_345_000n, name: 'account' }]
    expect(await recorder.operations.balance!()).toEqual({ outcome: 'found', balances })
  })

  it('and an answer that repeats the key is not passed on with it', async () => {
    const body = { status: 'error', message: 'The key our-api-key is wrong.', code: 'BX0015', errors: [] }
    recorder.answer('POST /api/gateway/services/airtime/request', { status: 403, body })
    const message = 'The key *** is wrong. (BX0015)'
    expect(await recorder.operations.vend(providerVend())).toEqual({ outcome: 'unknown', message })
  })
})
