import { afterEach, describe, expect, it } from 'vitest'
import { secretNames, settingFields } from '../../../src/drivers/settings.ts'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import { traitsFor } from '../../../src/networks/contract.ts'
import { type Answer, encryption_key, envelope, openRecorder, order, type Recorder, settings } from './airtel-test.ts'

let recorder: Recorder
afterEach(() => recorder?.close())

const BALANCE = 'GET /standard/v1/users/balance'
const balance: Answer = { body: { data: { balance: '37,600.00', currency: 'UGX' }, status: { code: '200' } } }

describe('the driver', () => {
  it('names its settings, its secrets, and where their values are found', () => {
    const fields = settingFields(airtelMoney)
    expect(fields.map(({ name, required, kind }) => [name, required, kind])).toEqual([
      ['country', true, 'choice'],
      ['currency', false, 'choice'],
      ['client_id', true, 'text'],
      ['client_secret', true, 'text'],
      ['collection_version', false, 'choice'],
      ['payout_version', false, 'choice'],
      ['pin', false, 'text'],
      ['callback_key', false, 'text'],
      ['wallets', false, 'choice'],
    ])
    expect(secretNames(airtelMoney)).toEqual(['client_secret', 'pin', 'callback_key'])
    for (const { title, help } of fields)
      expect([title, help]).toEqual([expect.stringMatching(/./), expect.stringMatching(/\.$/)])
  })

  it('has hosts for all countries, and for those with hosts of their own', () => {
    const { environments } = airtelMoney
    expect(environments.staging).toEqual({
      title: 'All countries: staging',
      live: false,
      hosts: { api: 'https://openapiuat.airtel.africa' },
    })
    const hosts = Object.values(environments).flatMap(({ live, hosts }) => (live ? [hosts.api] : []))
    expect(hosts).toEqual(
      ['airtel.africa', 'airtel.cg', 'airtel.ke', 'airtel.co.rw', 'airtel.co.tz', 'airtel.ug', 'airtel.co.zm'].map(
        (domain) => `https://openapi.${domain}`,
      ),
    )
  })

  it('serves fourteen countries, each in its environments, with whole amounts', () => {
    const uganda = airtelMoney.places.filter(({ country }) => country === 'UG')
    expect(uganda).toMatchObject([
      { currency: 'UGX', environments: ['staging', 'production', 'staging-ug', 'production-ug', 'simulated'] },
    ])
    expect(new Set(airtelMoney.places.map(({ country }) => country)).size).toBe(14)
    for (const { environments, limits } of airtelMoney.places) {
      expect(limits.decimals).toBe(0)
      for (const name of environments!) expect(airtelMoney.environments[name]).toBeDefined()
    }
  })

  it.each([
    ['UG', ['+256701000001', '+256741000001', '+256752000001'], ['+256772000001', '+25675200000', '+2567520000011']],
    ['KE', ['+254733000001', '+254100000001', '+254762000001'], ['+254712000001', '+254757000001']],
    ['TZ', ['+255682000001', '+255782000001'], ['+255742000001']],
    ['RW', ['+250732000001'], ['+250782000001']],
    ['ZM', ['+260972000001', '+260772000001'], ['+260962000001']],
    ['MW', ['+265992000001'], ['+265882000001']],
    ['CD', ['+243992000001'], ['+243812000001']],
    ['CG', ['+242055000001'], ['+242065000001', '+24255000001']],
    ['GA', ['+24177000001'], ['+24166000001']],
    ['MG', ['+261332000001'], ['+261342000001']],
  ])('knows the phones of Airtel in %s', (country, own, others) => {
    const { phones } = airtelMoney.places.find((place) => place.country === country)!
    for (const phone of own) expect(phone).toMatch(phones)
    for (const phone of others) expect(phone).not.toMatch(phones)
  })

  it('sends an order again under the same reference, and a refund never', () => {
    expect(traitsFor(airtelMoney, 'charge')).toMatchObject({ repeat: 'refused', unseen: 'certain', in_flight_s: 180 })
    expect(traitsFor(airtelMoney, 'payout')).toMatchObject({ repeat: 'refused', unseen: 'certain' })
    expect(traitsFor(airtelMoney, 'refund')).toMatchObject({
      repeat: 'charges-again',
      unseen: 'never-certain',
      refunds: 'full',
    })
    expect(airtelMoney.traits.status_waits_s![0]).toBe(180)
    expect(traitsFor(airtelMoney, 'payout').status_waits_s![0]).toBe(5)
  })

  it.each([
    [{ country: 'UG' }, 'staging', {}],
    [{ country: 'CD', currency: 'USD' }, 'production', {}],
    [{ country: 'UG' }, 'production-ug', {}],
    [{ country: 'UG', currency: 'KES' }, 'staging', { currency: 'Currencies of Uganda: UGX.' }],
    [{ country: 'CD', currency: 'UGX' }, 'staging', { currency: 'Currencies of DR Congo: CDF and USD.' }],
    [{ country: 'KE' }, 'production-ug', { country: expect.stringContaining('production-ke') }],
  ])('checks that %j fits %s', (given, environment, wrong) => {
    const parsed = airtelMoney.settings.parse({ ...settings, ...given })
    const connection = { slug: 'airtel', environment, hosts: {}, settings: parsed }
    expect(airtelMoney.checkSettings!(connection as never, 'https://pay.example.com/x')).toEqual(wrong)
  })

  it.each([{ country: 'ZZ' }, { pin: '12345' }, { client_id: ' ' }, { collection_version: 'v3' }])(
    'refuses %j',
    (given) => {
      expect(airtelMoney.settings.safeParse({ ...settings, ...given }).success).toBe(false)
    },
  )
})

describe('the test of a connection', () => {
  const test = async (rows: Record<string, Answer | Answer[]>, given: Record<string, unknown> = {}) => {
    recorder = await openRecorder(rows, given)
    const results = await recorder.operations.test()
    return Object.fromEntries(results.map(({ name, outcome, message }) => [name, [outcome, message]]))
  }

  it('moves no money and finds all well', async () => {
    expect(await test({ [BALANCE]: balance })).toEqual({
      token: ['ok', 'Airtel accepts client_id and client_secret.'],
      balance: ['ok', 'The balance is UGX 37,600.'],
      'encryption key': ['ok', expect.stringContaining('key')],
      pin: ['skipped', expect.stringContaining('payout')],
      'callback address': ['skipped', expect.stringMatching(/https:\/\/pay\.example\.com.*callback_key/)],
    })
    expect(recorder.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /auth/oauth2/token',
      BALANCE,
      'GET /v1/rsa/encryption-keys',
    ])
  })

  it.each([400, 401])('reports wrong credentials (HTTP %i)', async (status) => {
    const refused = { status, body: { error: 'invalid_client', error_description: 'Invalid client authentication' } }
    const results = await test({ 'POST /auth/oauth2/token': refused })
    expect(results.token).toEqual(['failed', expect.stringMatching(/client_id and client_secret.*environment/)])
    expect(results.balance).toEqual(['skipped', expect.any(String)])
    expect(recorder.alarms.join()).toMatch(/client_secret/)
    expect(JSON.stringify([results, recorder.alarms])).not.toContain('our-secret')
  })

  it.each<[string, Answer]>([
    ['503', { status: 503 }],
    ['HTML', { body: '<html>' }],
    ['an end without a token', { body: { expires_in: 180 } }],
    ['an empty token', { body: { access_token: '', expires_in: 180 } }],
    ['a hang-up', { hang_up: true }],
  ])('does not blame the credentials for %s', async (_, answer) => {
    expect((await test({ 'POST /auth/oauth2/token': answer })).token).toEqual(['unknown', expect.any(String)])
  })

  it.each<[string, Answer, string, RegExp]>([
    ['another country', { status: 400, body: { status_code: 'ROUTER007' } }, 'failed', /country/],
    ['no wallet', envelope(undefined, undefined, { result_code: 'ROUTER001' }), 'failed', /wallet/],
    ['another currency', envelope(undefined, undefined, { result_code: 'ROUTER112' }), 'failed', /currency/],
    [
      'a wallet of another currency',
      { body: { data: { balance: '1.00', currency: 'USD' } } },
      'failed',
      /country and currency/,
    ],
    ['403', { status: 403, body: 'Forbidden' }, 'failed', /product Account/],
    ['429', { status: 429 }, 'unknown', /429/],
  ])('finds %s', async (_, answer, outcome, words) => {
    expect((await test({ [BALANCE]: answer })).balance).toEqual([outcome, expect.stringMatching(words)])
  })

  it('reports a missing encryption key, and skips it if none is needed', async () => {
    const none = envelope(undefined, 'DP02010001000', { success: false })
    expect((await test({ [BALANCE]: balance, 'GET /v1/rsa/encryption-keys': none }))['encryption key']).toEqual([
      'failed',
      expect.stringContaining('product Encryption'),
    ])
    await recorder.close()
    const results = await test({ [BALANCE]: balance }, { collection_version: 'v1', pin: undefined })
    expect(results['encryption key']![0]).toBe('skipped')
    expect(results.pin).toEqual(['skipped', expect.stringContaining('sends no money')])
  })
})

describe('a short token', () => {
  it.each([180, '180', 7200])('is stored for %j seconds', async (expires_in) => {
    recorder = await openRecorder({
      'POST /auth/oauth2/token': { body: { token_type: 'bearer', access_token: 'token-9', expires_in } },
      'GET /standard/v1/payments/KR12x1': envelope({ id: 'KR12x1', status: 'TIP' }),
      'GET /v1/rsa/encryption-keys': encryption_key,
    })
    expect(await recorder.operations.chargeStatus(order)).toMatchObject({ outcome: 'accepted' })
    expect(recorder.lifetimes).toEqual([Number(expires_in)])
  })
})
