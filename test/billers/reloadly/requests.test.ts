import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderVend } from '../../../src/billers/contract.ts'
import { reloadly } from '../../../src/billers/reloadly/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

const settings = { client_id: 'our-client', client_secret: 'our-secret', countries: 'KE, NG' }
const hosts = (url: string) => ({ auth: `${url}/auth/`, topups: `${url}/topups`, utilities: `${url}/utilities/` })
const token = (access_token: string) => ({ body: { access_token, expires_in: 3600, scope: 'x', token_type: 'Bearer' } })
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(reloadly, settings, { hosts })
  recorder.answer('POST /auth/oauth/token', token('token-1'), token('token-2'))
})
afterEach(() => recorder.close())

const topup = (changes: Partial<ProviderVend> = {}) =>
  providerVend({
    country: 'KE',
    currency: 'KES',
    account_number: '0712345678',
    offer: { remote_service: '265', remote_product: null },
    ...changes,
  })
const bill = (changes: Partial<ProviderVend> = {}) =>
  providerVend({
    kind: 'electricity',
    account_number: '04042404048',
    amount: 20_005_000n,
    details: { prepaid: true },
    offer: { remote_service: 'biller:2', remote_product: null },
    ...changes,
  })

const sent = () =>
  recorder.requests
    .filter(({ path }) => !path.startsWith('/auth'))
    .map(({ method, path, headers, body }) => ({
      method,
      path,
      body,
      accept: headers.accept,
      authorization: headers.authorization,
    }))
const topups = { accept: 'application/com.reloadly.topups-v1+json', authorization: 'Bearer token-1' }
const utilities = { accept: 'application/com.reloadly.utilities-v1+json', authorization: 'Bearer token-1' }
const phone = '"recipientPhone":{"countryCode":"KE","number":"254712345678"}'

describe('the requests to Reloadly', () => {
  it.each([
    ['sandbox', 'https://topups-sandbox.reloadly.com'],
    ['simulated', 'https://topups-sandbox.reloadly.com'],
    ['production', 'https://topups.reloadly.com'],
  ])('for a token in %s', async (environment, audience) => {
    const own = await openRecorder(reloadly, settings, { environment, hosts })
    await own.operations.balance!()
    expect(own.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/auth/oauth/token',
        `{"client_id":"our-client","client_secret":"our-secret","grant_type":"client_credentials","audience":"${audience}"}`,
      ],
    ])
    await own.close()
  })

  it.each<[string, Partial<ProviderVend>, string]>([
    [
      'airtime in the currency of the country',
      {},
      `{"operatorId":265,"amount":"100","useLocalAmount":true,"customIdentifier":"KB17",${phone}}`,
    ],
    [
      'airtime in the currency of our account',
      { currency: 'USD', amount: 12_500n, account_number: '+254712345678' },
      `{"operatorId":265,"amount":"1.25","useLocalAmount":false,"customIdentifier":"KB17",${phone}}`,
    ],
    [
      'a bundle',
      {
        kind: 'databundle',
        offer: { remote_service: '894', remote_product: '99' },
        amount: 990_000n,
        account_number: '',
      },
      `{"operatorId":894,"amount":"99","useLocalAmount":true,"customIdentifier":"KB17","recipientPhone":{"countryCode":"KE","number":"254799999999"}}`,
    ],
  ])('for %s', async (_, changes, body) => {
    await recorder.operations.vend(topup({ phone: '254 799 999999'.replace('254 ', '+254 '), ...changes }))
    expect(sent()).toEqual([{ method: 'POST', path: '/topups/topups', body, ...topups }])
  })

  it('for a bill', async () => {
    const body =
      '{"subscriberAccountNumber":"04042404048","amount":2000.5,"billerId":2,"useLocalAmount":true,"referenceId":"KB17"}'
    await recorder.operations.vend(bill())
    expect(sent()).toEqual([{ method: 'POST', path: '/utilities/pay', body, ...utilities }])
  })

  it('for a bill with a fixed amount', async () => {
    const offer = { remote_service: '25', remote_product: '2' }
    await recorder.operations.vend(bill({ kind: 'cabletv', offer, currency: 'XOF', amount: 40_000_000n }))
    expect(sent()[0]!.body).toBe(
      '{"subscriberAccountNumber":"04042404048","amount":4000,"billerId":25,"useLocalAmount":true,"referenceId":"KB17","amountId":2}',
    )
  })

  it('buy internet from a biller, whose kind operators sell too', async () => {
    await recorder.operations.vend(bill({ kind: 'databundle' }))
    expect(sent()[0]!.path).toBe('/utilities/pay')
  })

  it.each<[string, () => ProviderVend, string, object]>([
    ['a top-up by its id', () => topup({ remote_id: '4602843' }), '/topups/topups/4602843/status', topups],
    [
      'a top-up by our reference',
      () => topup({ reference: 'KB 17/é' }),
      '/topups/topups/reports/transactions?customIdentifier=KB%2017%2F%C3%A9&page=1&size=50',
      topups,
    ],
    ['a bill by its id', () => bill({ remote_id: '36' }), '/utilities/transactions/36', utilities],
    ['a bill by our reference', () => bill(), '/utilities/transactions?referenceId=KB17&page=1&size=50', utilities],
  ])('for a question about %s', async (_, order, path, headers) => {
    await recorder.operations.vendStatus(order())
    expect(sent()).toEqual([{ method: 'GET', path, body: '', ...headers }])
  })

  it('for the catalogue and the balance', async () => {
    recorder.answer('GET /topups/operators/countries/KE', { body: [] })
    recorder.answer('GET /topups/operators/countries/NG', { body: [] })
    recorder.answer('GET /utilities/billers', { body: { content: [], last: true } })
    await recorder.operations.catalogue!()
    await recorder.operations.balance!()
    const query = 'includeBundles=true&includeData=true&includePin=false'
    expect(sent().map(({ path }) => path)).toEqual([
      `/topups/operators/countries/KE?${query}`,
      `/topups/operators/countries/NG?${query}`,
      '/utilities/billers?page=1&size=200',
      '/topups/accounts/balance',
    ])
  })

  it('are not sent for an impossible order', async () => {
    const orders = [
      topup({ account_number: '12' }),
      topup({ account_number: '+256772000001' }),
      topup({ country: 'XX' }),
      topup({ offer: { remote_service: 'safaricom', remote_product: null } }),
      topup({ reference: 'x'.repeat(151) }),
      bill({ offer: { remote_service: 'biller:2', remote_product: 'monthly' } }),
    ]
    for (const order of orders)
      expect(await recorder.operations.vend(order)).toMatchObject({ outcome: 'failed', message: expect.any(String) })
    expect(recorder.requests).toEqual([])
  })
})

describe('tokens', () => {
  it('are fetched once for each service', async () => {
    await recorder.operations.vend(topup())
    await recorder.operations.vend(topup())
    await recorder.operations.vend(bill())
    const audiences = recorder.requests.flatMap(({ path, body }) =>
      path.startsWith('/auth') ? [JSON.parse(body).audience] : [],
    )
    expect(audiences).toEqual(['https://topups-sandbox.reloadly.com', 'https://utilities-sandbox.reloadly.com'])
  })

  it('that are refused are renewed, and the purchase is sent once more', async () => {
    const refused = { status: 401, body: { errorCode: 'INVALID_TOKEN', message: 'expired' } }
    recorder.answer('POST /topups/topups', refused, { body: { transactionId: 1, status: 'SUCCESSFUL' } })
    expect(await recorder.operations.vend(topup())).toMatchObject({ outcome: 'successful' })
    expect(sent().map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
    expect(sent()[0]!.body).toBe(sent()[1]!.body)
  })

  it('that are always refused sell nothing, after one repetition', async () => {
    recorder.answer('POST /topups/topups', { status: 401, body: { errorCode: 'INVALID_TOKEN' } })
    expect(await recorder.operations.vend(topup())).toMatchObject({ outcome: 'failed', reason: 'no_answer' })
    expect(sent()).toHaveLength(2)
    expect(recorder.tools.alarms).toEqual([expect.stringContaining('topups')])
  })

  it.each([
    [401, 'INVALID_CREDENTIALS', /client_id.*client_secret/],
    [400, 'INVALID_AUDIENCE', /environment/],
  ])('that are not given (%i %s) send nothing, and tell the operator why', async (status, errorCode, says) => {
    recorder.answer('POST /auth/oauth/token', { status, body: { errorCode, message: 'our-secret is wrong' } })
    const answer = await recorder.operations.vend(topup())
    expect(answer).toMatchObject({ outcome: 'unknown', message: expect.not.stringContaining('our-secret') })
    expect(recorder.tools.alarms).toEqual([expect.stringMatching(says)])
    expect(sent()).toEqual([])
  })
})
