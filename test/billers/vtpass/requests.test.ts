import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderVend } from '../../../src/billers/contract.ts'
import { vtpass } from '../../../src/billers/vtpass/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

const settings = { api_key: 'our-key', public_key: 'PK_ours', secret_key: 'SK_ours' }
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(vtpass, settings, { hosts: (url) => ({ api: `${url}/api/` }) })
})
afterEach(() => recorder.close())

const sent = () =>
  recorder.requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    body,
    'api-key': headers['api-key'],
    keys: [headers['public-key'], headers['secret-key'], headers['content-type']],
  }))
const post = { method: 'POST', 'api-key': 'our-key', keys: [undefined, 'SK_ours', 'application/json'] }
const get = { method: 'GET', 'api-key': 'our-key', keys: ['PK_ours', undefined, undefined], body: '' }
const id = '"request_id":"202611220915KB17"'

const orders: [string, Partial<ProviderVend>, string][] = [
  ['airtime', {}, `{${id},"serviceID":"mtn","amount":100,"phone":"08031234567"}`],
  [
    'airtime of an odd amount, for another phone than that of the customer',
    { amount: 1_005_000n, account_number: '08055555555' },
    `{${id},"serviceID":"mtn","amount":100.5,"phone":"08055555555"}`,
  ],
  [
    'a bundle',
    { kind: 'databundle', offer: { remote_service: 'mtn-data', remote_product: 'mtn-1gb-1000' }, amount: 10_000_000n },
    `{${id},"serviceID":"mtn-data","billersCode":"08031234567","variation_code":"mtn-1gb-1000","amount":1000,"phone":"08031234567"}`,
  ],
  [
    'light for a prepaid meter',
    {
      kind: 'electricity',
      account_number: '1111111111111',
      details: { prepaid: true },
      amount: 20_000_000n,
      offer: { remote_service: 'ikeja-electric', remote_product: null },
    },
    `{${id},"serviceID":"ikeja-electric","billersCode":"1111111111111","variation_code":"prepaid","amount":2000,"phone":"08031234567"}`,
  ],
  [
    'light for a postpaid meter',
    {
      kind: 'electricity',
      account_number: '1010101010101',
      details: { prepaid: false },
      amount: 20_000_000n,
      offer: { remote_service: 'ikeja-electric', remote_product: null },
    },
    `{${id},"serviceID":"ikeja-electric","billersCode":"1010101010101","variation_code":"postpaid","amount":2000,"phone":"08031234567"}`,
  ],
  [
    'another bouquet for three months',
    {
      kind: 'cabletv',
      account_number: '1212121212',
      details: { product_code: 'COMPE36', months: 3 },
      offer: { remote_service: 'dstv', remote_product: 'dstv79' },
      amount: 570_000_000n,
    },
    `{${id},"serviceID":"dstv","billersCode":"1212121212","variation_code":"dstv79","subscription_type":"change","quantity":3,"amount":57000,"phone":"08031234567"}`,
  ],
  [
    'the renewal of a bouquet',
    {
      kind: 'cabletv',
      account_number: '1212121212',
      details: { product_code: '0', months: 1 },
      offer: { remote_service: 'gotv', remote_product: null },
      amount: 58_000_000n,
    },
    `{${id},"serviceID":"gotv","billersCode":"1212121212","subscription_type":"renew","amount":5800,"phone":"08031234567"}`,
  ],
  [
    'a bouquet of a service without renewals',
    {
      kind: 'cabletv',
      account_number: '1212121212',
      details: { product_code: 'NOVA', months: 1 },
      offer: { remote_service: 'startimes', remote_product: 'nova' },
      amount: 19_000_000n,
    },
    `{${id},"serviceID":"startimes","billersCode":"1212121212","variation_code":"nova","amount":1900,"phone":"08031234567"}`,
  ],
  [
    'pins',
    {
      kind: 'epin',
      account_number: '',
      details: { pins: 2 },
      amount: 78_000_000n,
      offer: { remote_service: 'waec', remote_product: 'waecdirect' },
    },
    `{${id},"serviceID":"waec","variation_code":"waecdirect","quantity":2,"amount":7800,"phone":"08031234567"}`,
  ],
  [
    'a pin for a candidate',
    {
      kind: 'exampin',
      account_number: '0123456789',
      details: { product_code: 'DE' },
      amount: 77_000_000n,
      offer: { remote_service: 'jamb', remote_product: 'de' },
    },
    `{${id},"serviceID":"jamb","variation_code":"de","billersCode":"0123456789","amount":7700,"phone":"08031234567"}`,
  ],
]

describe('the requests to VTpass', () => {
  it.each(orders)('for %s', async (_, changes, body) => {
    await recorder.operations.vend(providerVend(changes))
    expect(sent()).toEqual([{ ...post, path: '/api/pay', body }])
  })

  it('for a question', async () => {
    await recorder.operations.vendStatus(providerVend())
    expect(sent()).toEqual([{ ...post, path: '/api/requery', body: `{${id}}` }])
  })

  it('for the holders of a meter, a smartcard and a profile', async () => {
    const { accountHolder } = recorder.operations
    const query = { country: 'NG', account_number: '1', prepaid: null }
    const offer = (remote_service: string, remote_product: string | null = null) => ({ remote_service, remote_product })
    await accountHolder!({ ...query, kind: 'electricity', prepaid: false, offer: offer('eko-electric') })
    await accountHolder!({ ...query, kind: 'cabletv', offer: offer('dstv', 'dstv79') })
    await accountHolder!({ ...query, kind: 'exampin', offer: offer('jamb', 'utme') })
    await accountHolder!({ ...query, kind: 'airtime', offer: offer('mtn') })
    expect(sent()).toEqual(
      [
        '{"billersCode":"1","serviceID":"eko-electric","type":"postpaid"}',
        '{"billersCode":"1","serviceID":"dstv"}',
        '{"billersCode":"1","serviceID":"jamb","type":"utme"}',
      ].map((body) => ({ ...post, path: '/api/merchant-verify', body })),
    )
  })

  it('for the balance and the lists', async () => {
    recorder.answer('GET /api/services', { body: { response_description: '000', content: [] } })
    await recorder.operations.balance!()
    await recorder.operations.catalogue!()
    const categories = ['airtime', 'data', 'tv-subscription', 'electricity-bill', 'education']
    const paths = ['/api/balance', ...categories.map((one) => `/api/services?identifier=${one}`)]
    expect(sent()).toEqual(paths.map((path) => ({ ...get, path })))
  })

  it('are not sent for an impossible order', async () => {
    const light = { kind: 'electricity', phone: '', account_number: '1' } as const
    const addon = { kind: 'cabletv', details: { addon_code: 'FRN15E36' } } as const
    for (const changes of [light, addon])
      expect(await recorder.operations.vend(providerVend(changes))).toMatchObject({
        outcome: 'failed',
        reason: 'rejected',
      })
    expect(sent()).toEqual([])
  })

  it('name the phone of the business if the customer gave none', async () => {
    const ours = await openRecorder(vtpass, { ...settings, phone: '08099999999' }, { hosts: (url) => ({ api: url }) })
    const pin = {
      kind: 'epin',
      phone: '',
      account_number: '',
      offer: { remote_service: 'waec', remote_product: 'w' },
    } as const
    await ours.operations.vend(providerVend({ ...pin, details: { pins: 1 } }))
    expect(JSON.parse(ours.requests[0]!.body)).toMatchObject({ phone: '08099999999', quantity: 1 })
    await ours.close()
  })
})
