import { afterEach, describe, expect, it } from 'vitest'
import { pawapay } from '../../../src/networks/pawapay/index.ts'
import { type Answer, CALLBACK_URL, failureReason, newKeys, openRecorder, type Recorder } from './pawapay-test.ts'

let recorder: Recorder
afterEach(() => recorder?.close())

const balances = (...list: object[]) => ({ body: { balances: list } })
const uganda = { country: 'UGA', balance: '10798.03', currency: 'UGX', provider: '' }
const operation = (more: object = {}) => ({
  minAmount: '500',
  maxAmount: '5000000',
  decimalsInAmount: 'NONE',
  status: 'OPERATIONAL',
  ...more,
})

/** The configuration of an account with one provider in Uganda. */
const configuration = (operationTypes: unknown, more: object = {}) => ({
  body: {
    companyName: 'Kusanya',
    signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
    countries: [
      { country: 'UGA', providers: [{ provider: 'MTN_MOMO_UGA', currencies: [{ currency: 'UGX', operationTypes }] }] },
    ],
    ...more,
  },
})
const address = (purpose: string) => `${CALLBACK_URL}/${purpose}`
const registered = {
  DEPOSIT: operation({ authType: 'PROVIDER_AUTH', callbackUrl: address('deposits') }),
  PAYOUT: operation({ callbackUrl: `${address('payouts')}/` }),
  REFUND: operation({ callbackUrl: address('refunds') }),
}

/** The results of a test of the connection, by their names. */
async function test(rows: Record<string, Answer>, given: Record<string, unknown> = {}) {
  recorder = await openRecorder(rows, given)
  const results = await recorder.operations.test()
  return new Map(results.map(({ name, outcome, message }) => [name, `${outcome}: ${message}`]))
}

describe('the settings', () => {
  const keys = newKeys()
  const check = (settings: Record<string, unknown>) =>
    Object.keys(
      pawapay.checkSettings!(
        {
          slug: 'p',
          environment: 'sandbox',
          hosts: {},
          settings: pawapay.settings.parse({ api_token: 'x', ...settings }),
        } as never,
        CALLBACK_URL,
      ),
    )

  it('name the faults of the keys', () => {
    expect(check({})).toEqual([])
    expect(check({ signing_key: keys.private_pem, signing_key_id: 'K' })).toEqual([])
    expect(check({ callback_public_key: keys.public_pem })).toEqual([])
    expect(check({ signing_key: keys.private_pem })).toEqual(['signing_key_id'])
    expect(check({ signing_key_id: 'K' })).toEqual(['signing_key'])
    expect(check({ signing_key: keys.public_pem, signing_key_id: 'K' })).toEqual(['signing_key'])
    expect(check({ callback_public_key: keys.private_pem })).toEqual(['callback_public_key'])
    expect(check({ callback_public_key: 'no key' })).toEqual(['callback_public_key'])
  })

  it('refuse a token with blanks, and an ID with quotes', () => {
    for (const wrong of [{ api_token: 'a b' }, { api_token: '' }, { api_token: 'x', signing_key_id: 'a"b' }])
      expect(pawapay.settings.safeParse(wrong).success).toBe(false)
  })
})

describe('a test of the connection', () => {
  it('finds no fault in a sound connection', async () => {
    const results = await test({
      'GET /v2/wallet-balances': balances(uganda),
      'GET /v2/active-conf': configuration(registered),
    })
    expect([...results.values()].filter((text) => /^(failed|unknown)/.test(text))).toEqual([])
    expect(results.get('balance')).toBe('ok: UGA UGX 10,798.03')
    expect(results.get('providers')).toBe('ok: MTN_MOMO_UGA.')
    expect(results.get('signed callbacks')).toMatch(/^ok/)
    expect(results.get('callback address of payouts')).toBe(`ok: Our address ${address('payouts')} is registered.`)
  })

  it('names the wrong setting', async () => {
    const refused = { status: 403, body: failureReason('AUTHENTICATION_ERROR') }
    const results = await test({ 'GET /v2/wallet-balances': refused })
    expect([...results]).toEqual([['token', expect.stringMatching(/^failed: .*api_token/)]])
    await recorder.close()
    const signed_only = { signatureConfiguration: { signedRequestsOnly: true, signedCallbacks: false } }
    const others = await test({
      'GET /v2/wallet-balances': balances(uganda),
      'GET /v2/active-conf': configuration(registered, signed_only),
    })
    expect(others.get('signed requests')).toMatch(/^failed: .*signing_key/)
    expect(others.get('signed callbacks')).toMatch(/^skipped: .*dashboard/)
  })

  it('prints the addresses to register, and any that are registered differently', async () => {
    const results = await test({
      'GET /v2/wallet-balances': balances(uganda),
      'GET /v2/active-conf': configuration({
        DEPOSIT: operation({ callbackUrl: 'https://old.example.com/paid' }),
        PAYOUT: operation({ status: 'DELAYED' }),
      }),
    })
    expect(results.get('callback address of deposits')).toMatch(/^failed: Another address/)
    expect(results.get('callback address of deposits')).toContain(address('deposits'))
    expect(results.get('callback address of payouts')).toContain(`skipped: Enter ${address('payouts')}`)
    expect(results.get('callback address of refunds')).toContain(`skipped: Enter ${address('refunds')}`)
    expect(results.get('providers')).toContain('Down now: MTN_MOMO_UGA PAYOUT DELAYED')
  })

  it.each<[string, Answer]>([
    ['500', { status: 500 }],
    ['a page', { body: '<html></html>' }],
    ['a hang-up', { hang_up: true }],
  ])('is unknown without an answer: %s', async (_name, answer) => {
    const results = await test({ 'GET /v2/wallet-balances': answer, 'GET /v2/active-conf': answer })
    expect([...results.values()].some((text) => text.startsWith('unknown'))).toBe(true)
    expect([...results.values()].some((text) => text.startsWith('failed'))).toBe(false)
  })
})

describe('the balance', () => {
  it('has the exact amount of each wallet', async () => {
    const own = { country: 'COD', balance: '0.5', currency: 'USD', provider: 'ORANGE_COD' }
    recorder = await openRecorder({ 'GET /v2/wallet-balances': balances(uganda, own) })
    expect(await recorder.operations.balance()).toEqual({
      outcome: 'found',
      balances: [
        { currency: 'UGX', amount: 107_980_300n, name: 'UGA' },
        { currency: 'USD', amount: 5_000n, name: 'COD ORANGE_COD' },
      ],
    })
  })

  it('is unknown if any wallet cannot be read', async () => {
    for (const wrong of [
      balances(uganda, { ...uganda, balance: '1e3' }),
      balances({ country: 'UGA' }),
      { body: '[]' },
      { status: 500 },
    ]) {
      recorder = await openRecorder({ 'GET /v2/wallet-balances': wrong })
      expect(await recorder.operations.balance()).toMatchObject({ outcome: 'unknown' })
      await recorder.close()
    }
  })
})

describe('the limits', () => {
  const place = { kind: 'charge', country: 'UG', currency: 'UGX', phonenumber: '+256783456789' } as const
  const ask = async (types: unknown, change: object = {}) => {
    recorder = await openRecorder({ 'GET /v2/active-conf': configuration(types) })
    const limits = await recorder.operations.limits({ ...place, ...change })
    await recorder.close()
    return limits
  }
  const limits = { decimals: 0, min: 5_000_000n, max: 50_000_000_000n }

  it('come from the provider, by kind of order', async () => {
    const types = {
      DEPOSIT: operation(),
      PAYOUT: operation({ minAmount: '0.01', maxAmount: '1000.5', decimalsInAmount: 'TWO_PLACES' }),
      REFUND: operation({ status: 'CLOSED' }),
    }
    expect(await ask(types)).toEqual(limits)
    expect(recorder.paths().at(-1)).toBe('GET /v2/active-conf?country=UGA&operationType=DEPOSIT')
    expect(await ask(types, { kind: 'payout' })).toEqual({ decimals: 2, min: 100n, max: 10_005_000n })
    expect(await ask(types, { kind: 'refund' })).toEqual({ ...limits, is_down: true })
  })

  it('may come in the older form of the documentation', async () => {
    const old = { minTransactionLimit: '500', maxTransactionLimit: '5000000', decimalsInAmount: 'NONE' }
    expect(await ask([{ operationType: 'DEPOSIT', ...old }])).toEqual(limits)
    expect(await ask([{ DEPOSIT: old }])).toEqual(limits)
  })

  it('are not stated for another country, currency or provider, or without numbers', async () => {
    expect(await ask({ DEPOSIT: operation() }, { country: 'KE' })).toBe(undefined)
    expect(await ask({ DEPOSIT: operation() }, { currency: 'USD' })).toBe(undefined)
    expect(await ask({ PAYOUT: operation() })).toBe(undefined)
    expect(await ask({ DEPOSIT: operation({ maxAmount: 'much' }) })).toBe(undefined)
    expect(await ask({ DEPOSIT: operation({ minAmount: '10', maxAmount: '5' }) })).toBe(undefined)
  })
})

describe('the places', () => {
  const serving = (phonenumber: string) =>
    pawapay.places
      .filter(({ phones }) => phones.test(phonenumber))
      .map(({ country, currency }) => `${country} ${currency}`)

  it('serve the numbers of twenty countries', () => {
    expect(new Set(pawapay.places.map(({ country }) => country)).size).toBe(20)
    expect(serving('+256783456789')).toEqual(['UG UGX'])
    expect(serving('+243820000001')).toEqual(['CD CDF', 'CD USD'])
    expect(serving('+22951345789')).toEqual(['BJ XOF'])
    expect(serving('+44770090000')).toEqual([])
  })
})
