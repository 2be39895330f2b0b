import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reloadly } from '../../../src/billers/reloadly/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

const settings = { client_id: 'our-client', client_secret: 'our-secret', countries: 'KE' }
const hosts = (url: string) => ({ auth: url, topups: `${url}/topups`, utilities: `${url}/utilities` })
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(reloadly, settings, { hosts })
  recorder.answer('POST /oauth/token', { body: { access_token: 'token-1', expires_in: 3600 } })
})
afterEach(() => recorder.close())

describe('the goods of the customer', () => {
  const light = (billDetails: object) => {
    const transaction = { id: 36, status: 'SUCCESSFUL', referenceId: 'KB17', billDetails }
    recorder.answer('GET /utilities/transactions/36', { body: { code: 'X', message: 'words', transaction } })
    const offer = { remote_service: 'biller:2', remote_product: null }
    return recorder.operations.vendStatus(providerVend({ kind: 'electricity', offer, remote_id: '36' }))
  }

  it('a token, its units, and the data of the biller', async () => {
    const pinDetails = { token: '2636-2054-4059-8275-7802', info1: 'Units: 23.4 kWh', info2: null, info3: null }
    expect(await light({ billerId: 2, completedAt: '2026-11-22 08:00:00', pinDetails })).toEqual({
      outcome: 'successful',
      remote_id: '36',
      vended: {
        token: '26362054405982757802',
        amount_of_power: '23.4KWH',
        pins: [],
        provider_message: 'Successful',
        raw_output: { billerId: '2', completedAt: '2026-11-22 08:00:00' },
        more: { info1: 'Units: 23.4 kWh' },
      },
    })
  })

  it('a code that is no token of 20 digits', async () => {
    const answer = await light({ pinDetails: { token: 'ABC-123', info1: null } })
    expect(answer).toMatchObject({ vended: { token: null, amount_of_power: null, more: { token_pin: 'ABC-123' } } })
  })

  it('no token yet', async () => {
    expect(await light({ pinDetails: null })).toMatchObject({ outcome: 'successful', vended: { token: null } })
  })

  it("keep all digits of a top-up's pin", async () => {
    const pinDetail = { serial: 558111, info1: 'DIAL *611', info2: 'DIAL *611', info3: null, code: '077370973309766' }
    recorder.answer('POST /topups/topups', { body: { transactionId: 1, status: 'SUCCESSFUL', pinDetail } })
    const offer = { remote_service: '265', remote_product: null }
    const order = providerVend({ country: 'KE', currency: 'KES', account_number: '0712345678', offer })
    const pins = [{ instructions: 'DIAL *611', serial_number: '558111', pin: '077370973309766', expires_on: '' }]
    expect(await recorder.operations.vend(order)).toMatchObject({ vended: { pins, token: null } })
  })
})

describe('the charge of a sale to the account', () => {
  const sell = (balanceInfo: string) => {
    recorder.answer('POST /topups/topups', {
      body: `{"transactionId":1,"status":"SUCCESSFUL","balanceInfo":${balanceInfo}}`,
    })
    const offer = { remote_service: '265', remote_product: null }
    return recorder.operations.vend(
      providerVend({ country: 'KE', currency: 'KES', account_number: '0712345678', offer }),
    )
  }

  it.each([
    ['{"cost":0.773201,"oldBalance":10,"newBalance":9.226799,"currencyCode":"USD"}', 7_733n],
    ['{"cost":3.8E-5,"currencyCode":"USD"}', 1n],
    ['{"oldBalance":10.5,"newBalance":9.25,"currencyCode":"USD"}', 12_500n],
  ])('is what the answer says, rounded up: %s', async (info, amount) => {
    expect(await sell(info)).toMatchObject({ outcome: 'successful', charged: { amount, currency: 'USD' } })
  })

  it.each([
    'null',
    '{}',
    '"x"',
    '{"cost":"much","currencyCode":"USD"}',
    '{"cost":1,"currencyCode":"dollars"}',
    '{"cost":-1,"currencyCode":"USD"}',
  ])('is not known from %s, and the sale counts all the same', async (info) => {
    const answer = await sell(info)
    expect([answer.outcome, 'charged' in answer]).toEqual(['successful', false])
  })
})

describe('the balance', () => {
  it.each([
    ['505.00000000000', 5_050_000n],
    ['997.34912', 9_973_491n],
    ['3.8E-5', 0n],
  ])('%s is read exactly, and rounded down', async (text, amount) => {
    recorder.answer('GET /topups/accounts/balance', { body: `{"balance":${text},"currencyCode":"USD"}` })
    const balances = [{ currency: 'USD', amount, name: 'account' }]
    expect(await recorder.operations.balance!()).toEqual({ outcome: 'found', balances })
  })

  it('in another currency than the settings is found by the test of the connection', async () => {
    recorder.answer('GET /topups/accounts/balance', { body: '{"balance":1,"currencyCode":"NGN"}' })
    const results = await recorder.operations.test!()
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([
      { name: 'account_currency', outcome: 'failed', message: expect.stringContaining('set NGN') },
    ])
  })
})

describe('the catalogue', () => {
  const operator = (more: object) => ({
    id: 265,
    operatorId: 265,
    name: 'Safaricom',
    bundle: false,
    data: false,
    pin: false,
    status: 'ACTIVE',
    supportsLocalAmounts: true,
    denominationType: 'RANGE',
    senderCurrencyCode: 'USD',
    destinationCurrencyCode: 'KES',
    internationalDiscount: 4.42,
    localDiscount: 0,
    ...more,
  })
  const biller = (more: object) => ({
    id: 12,
    name: 'KPLC',
    countryCode: 'KE',
    type: 'ELECTRICITY_BILL_PAYMENT',
    serviceType: 'PREPAID',
    denominationType: 'RANGE',
    localAmountSupported: true,
    localTransactionCurrencyCode: 'KES',
    ...more,
  })
  async function read(operators: unknown, billers: unknown[] = []) {
    recorder.answer('GET /topups/operators/countries/KE', { body: operators as object })
    recorder.answer('GET /utilities/billers', { body: { content: billers, last: true } })
    const found = await recorder.operations.catalogue!()
    return found.outcome === 'found' ? found.products : found.outcome
  }
  const base = { country: 'KE', commission_percent: null, is_available: true }

  it('has operators in their own currency where they sell in it', async () => {
    const found = await read([operator({ localMinAmount: 10, localMaxAmount: 5000, minAmount: 0.08, maxAmount: 39.2 })])
    expect(found).toEqual([
      {
        ...base,
        kind: 'airtime',
        currency: 'KES',
        remote_service: '265',
        remote_product: null,
        name: 'Safaricom',
        price: null,
        min: 100_000n,
        max: 50_000_000n,
      },
    ])
  })

  it('has operators in the currency of the account where they do not', async () => {
    const found = await read([operator({ supportsLocalAmounts: false, minAmount: 0.5, maxAmount: 3.8e-5 })])
    expect(found).toMatchObject([{ currency: 'USD', min: 5_000n, max: null, commission_percent: '4.42' }])
  })

  it('has one product for each fixed amount', async () => {
    const fixed = { denominationType: 'FIXED', data: true, localFixedAmounts: [99, 250.5, 0.00001] }
    const found = await read([operator({ ...fixed, localFixedAmountsDescriptions: { '99.00': '1GB for 24 hours' } })])
    expect(found).toMatchObject([
      { kind: 'databundle', remote_product: '99', name: 'Safaricom: 1GB for 24 hours', price: 990_000n, min: null },
      { kind: 'databundle', remote_product: '250.5', name: 'Safaricom 250.5', price: 2_505_000n },
    ])
  })

  it('has billers of the countries, with amounts by their ids, and none for water', async () => {
    const localFixedAmounts = [{ id: 2, amount: 4000, description: 'one month' }]
    const found = await read(
      [],
      [
        biller({ minLocalTransactionAmount: 100, maxLocalTransactionAmount: 35_000, localDiscountPercentage: 1.5 }),
        biller({ id: 25, name: 'StarTimes', type: 'TV_BILL_PAYMENT', denominationType: 'FIXED', localFixedAmounts }),
        biller({ id: 26, type: 'WATER_BILL_PAYMENT' }),
        biller({ id: 27, countryCode: 'UG' }),
      ],
    )
    expect(found).toEqual([
      {
        ...base,
        kind: 'electricity',
        currency: 'KES',
        remote_service: 'biller:12',
        remote_product: null,
        name: 'KPLC',
        price: null,
        min: 1_000_000n,
        max: 350_000_000n,
        commission_percent: '1.5',
      },
      {
        ...base,
        kind: 'cabletv',
        currency: 'KES',
        remote_service: 'biller:25',
        remote_product: '2',
        name: 'StarTimes: one month',
        price: 40_000_000n,
        min: null,
        max: null,
      },
    ])
  })

  it('leaves out operators with pins and inactive ones are not available', async () => {
    expect(await read([operator({ pin: true }), operator({ status: 'INACTIVE' })])).toMatchObject([
      { is_available: false },
    ])
  })

  it('skips countries that Reloadly lacks, and reads all pages', async () => {
    recorder.answer('GET /topups/operators/countries/KE', { status: 404, body: { message: 'Country not found' } })
    recorder.answer('GET /utilities/billers?page=1&size=200', { body: { content: [biller({})], last: false } })
    recorder.answer('GET /utilities/billers?page=2&size=200', { body: { content: [biller({ id: 13 })], last: true } })
    expect(await recorder.operations.catalogue!()).toMatchObject({
      products: [{ remote_service: 'biller:12' }, { remote_service: 'biller:13' }],
    })
  })

  it.each([[{}], [[{ id: 1 }]], ['<html>']])('is unknown when a list is %j', async (operators) => {
    expect(await read(operators)).toBe('unknown')
  })
})

describe('a callback', () => {
  const body =
    '{"type":"airtime_transaction.status","data":{"transactionId":4602843,"customIdentifier":"KB17","status":"X"}}'
  const SECRET = 'webhook-secret'
  const signed = (text: string, time = '1764000000000', secret = SECRET) => ({
    'x-reloadly-request-timestamp': time,
    'x-reloadly-signature': createHmac('sha256', secret).update(`${text}:${time}`).digest('hex'),
  })
  const withSecret = () => openRecorder(reloadly, { ...settings, webhook_secret: SECRET }, { hosts })

  it('without a secret of ours only names the purchase', () => {
    const read = (text: string) => recorder.operations.readCallback!(rawCallback({ body: text }))
    const vend = { reference: 'KB17' }
    expect(read(body)).toEqual({ subject: 'vend', vend, verified: false, answer: null })
    expect(read('{"data":{"id":36,"referenceId":"KB17"}}')).toMatchObject({ vend })
    expect(read('{"data":{"transactionId":4602843}}')).toMatchObject({ vend: { remote_id: '4602843' } })
    for (const text of ['{}', '{"data":{}}', '{"data":{"customIdentifier":""}}', '', 'null', '[]'])
      expect(read(text)).toMatchObject({ subject: 'unrecognized' })
  })

  it('with a secret of ours needs a right signature', async () => {
    const own = await withSecret()
    const read = (headers: Record<string, string>) => own.operations.readCallback!(rawCallback({ body, headers }))
    expect(read(signed(body))).toMatchObject({ subject: 'vend', verified: true, answer: null })
    const wrong = [
      {},
      signed(`${body} `),
      signed(body, '1', 'another'),
      { ...signed(body), 'x-reloadly-signature': 'zz' },
    ]
    const moved = { ...signed(body), 'x-reloadly-request-timestamp': '1764000000001' }
    for (const headers of [...wrong, moved])
      expect(read(headers)).toMatchObject({ subject: 'unrecognized', verified: false })
    await own.close()
  })
})
