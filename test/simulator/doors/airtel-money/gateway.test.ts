import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { type AirtelTest, chargeBody, credentials, openAirtel, orderFor, payoutFor } from './airtel-door-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let test: AirtelTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  test = await openAirtel(database.db)
})
afterEach(async () => {
  expect(test.errors).toEqual([])
  await test.close()
})

describe('a callback', () => {
  it.each([
    ['none', false],
    ['transaction', true],
    ['body', true],
  ])('with the hash %s', async (callback_hash, verified) => {
    await test.set({ callback_hash })
    await test.airtel.charge(orderFor('000002'))
    await test.advance(1)
    expect(test.callbacks()).toMatchObject([{ subject: 'order', verified }])
  })

  it('that is forged is not verified', async () => {
    test.simulator.faults.add({ door: 'airtel-money', kind: 'forged' })
    await test.airtel.charge(orderFor('000002'))
    await test.advance(1)
    expect(test.callbacks()).toMatchObject([{ subject: 'order', verified: false }])
    expect(test.alarms.join()).toMatch(/callback_key/)
  })

  it('does not come without an address', async () => {
    await test.set({ callback_url: '' })
    await test.airtel.charge(orderFor('000002'))
    await test.advance(10)
    expect(test.callbacks()).toEqual([])
  })
})

describe('the gateway', () => {
  it('gives tokens for the documented credentials only, as JSON, as a form and with Basic', async () => {
    const { client_id, client_secret } = credentials as { client_id: string; client_secret: string }
    const ask = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${test.base}/auth/oauth2/token`, { method: 'POST', body, headers })
    const grant_type = 'client_credentials'
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
    const good = await Promise.all([
      ask(JSON.stringify({ client_id, client_secret, grant_type })),
      ask(new URLSearchParams({ client_id, client_secret, grant_type }).toString()),
      ask(`grant_type=${grant_type}`, basic),
    ])
    for (const response of good)
      expect(await response.json()).toEqual({
        token_type: 'bearer',
        access_token: expect.stringMatching(/^[\w-]{32}$/),
        expires_in: '180',
      })
    const wrong = await ask(JSON.stringify({ client_id, client_secret: 'x', grant_type }))
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      { error_description: 'Invalid client authentication', error: 'invalid_client' },
    ])
  })

  it('gives one token for two hundred payments at once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => test.airtel.charge(orderFor('000002'))))
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
    expect(test.calls()).toMatchObject({ token: 1, 'encryption key': 1, charge: 200 })
  })

  it('ends tokens after their time, and the driver fetches another one', async () => {
    const order = orderFor('000002')
    await test.airtel.charge(order)
    await test.advance(181)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'successful' })
    expect(test.calls()).toMatchObject({ token: 2 })
  })

  it('refuses calls without a token, a country or a currency', async () => {
    const path = '/standard/v1/users/balance'
    expect(await test.call('GET', path, undefined, { authorization: 'Bearer x' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    })
    const place = (country: string, currency: string) => ({ 'x-country': country, 'x-currency': currency })
    expect((await test.call('GET', path, undefined, place('ZZ', 'UGX'))).body).toMatchObject({
      status_code: 'ROUTER006',
    })
    expect((await test.call('GET', path, undefined, place('KE', 'UGX'))).body).toMatchObject({
      status_code: 'ROUTER112',
    })
    expect((await test.call('GET', path, undefined, place('KE', 'KES'))).body).toMatchObject({
      data: { currency: 'KES' },
    })
  })

  it('refuses a v2 call whose signature covers another body', async () => {
    const refused = { status: { response_code: 'DP00800001026', success: false } }
    expect((await test.call('POST', '/merchant/v2/payments/', chargeBody())).body).toMatchObject(refused)
    await test.set({ signatures: 'ignored' })
    expect((await test.call('POST', '/merchant/v2/payments/', chargeBody())).body).toMatchObject({
      status: { success: true },
    })
  })

  it('makes a new key, and the driver encrypts again', async () => {
    await test.airtel.charge(orderFor('000002'))
    await test.world.remember('encryption key', undefined)
    expect(await test.airtel.charge(orderFor('000002'))).toMatchObject({ outcome: 'accepted' })
    expect(await test.airtel.payout(payoutFor('000002'))).toMatchObject({ outcome: 'accepted' })
    expect(test.calls()).toMatchObject({ 'encryption key': 2 })
  })

  it('limits the calls of a minute', async () => {
    await test.set({ calls_per_minute: 4 })
    expect((await test.call('GET', '/standard/v1/users/balance')).headers.get('x-ratelimit-remaining-minute')).toBe('2')
    const answers = [await test.airtel.balance(), await test.airtel.balance()]
    expect(answers).toMatchObject([
      { outcome: 'found' },
      { outcome: 'unknown', message: expect.stringContaining('429') },
    ])
    await test.advance(60)
    expect(await test.airtel.balance()).toMatchObject({ outcome: 'found' })
  })

  it('names the wrong setting', async () => {
    const outcomes = async (settings: object = {}) => {
      const results = await test.open(settings as Record<string, unknown>).test()
      return Object.fromEntries(results.map(({ name, outcome, message }) => [name, `${outcome}: ${message}`]))
    }
    expect(await outcomes()).toMatchObject({
      token: expect.stringMatching(/^ok/),
      balance: 'ok: The balance is UGX 10,000,000.',
    })
    expect((await outcomes({ client_secret: 'x' })).token).toMatch(/^failed.*client_secret/)
    await test.set({ country: 'KE' })
    expect((await outcomes()).balance).toMatch(/^failed.*country/)
  })
})
