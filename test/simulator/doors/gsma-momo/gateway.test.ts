import { createHash, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { callerOf, credentials, type GsmaTest, id, openGsma, orderFor } from './gsma-door-test.ts'

/* Calls that the provider itself accepts and refuses, without the driver. */

let database: Awaited<ReturnType<typeof openDatabase>>
let test: GsmaTest
let defaults: Record<string, string | number | boolean>

beforeAll(async () => {
  database = await openDatabase()
  test = await openGsma(database.db)
  defaults = { ...(await test.world.switches()) }
})
afterAll(async () => {
  await test.close()
  await database.drop()
})
afterEach(async () => {
  await test.set(defaults)
  expect(test.errors.splice(0)).toEqual([])
})

const { basic, newToken, call, balance } = callerOf(() => test)

const CHARGE = '/transactions/type/merchantpay'
const charge = (more: object = {}) => ({
  amount: '1500',
  currency: 'UGX',
  debitParty: [{ key: 'msisdn', value: '+256772000002' }],
  ...more,
})

describe('the gateway', () => {
  it('gives out tokens with seconds, as OAuth 2 has it', async () => {
    expect(await newToken()).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } })
    expect(await newToken('Basic eDp5')).toEqual({ status: 401, body: { error: 'invalid_client' } })
    expect(await newToken(basic, '')).toEqual({ status: 400, body: { error: 'unsupported_grant_type' } })
  })

  it.each([
    ['without a token', { authorization: undefined }],
    ['with HTTP Basic', { authorization: basic }],
    ['with another token', { authorization: 'Bearer x' }],
    ['without an API key', { 'x-api-key': undefined }],
    ['with another API key', { 'x-api-key': 'x' }],
  ])('refuses calls %s', async (_what, headers) => {
    const { status, body } = await call('GET', '/accounts/balance', undefined, headers)
    expect([status, body]).toEqual([
      401,
      expect.objectContaining({ errorCategory: 'authorisation', errorCode: 'clientAuthorisationError' }),
    ])
  })

  it('takes HTTP Basic at the level development', async () => {
    await test.set({ security_level: 'development' })
    expect((await call('GET', '/accounts/balance', undefined, { authorization: basic })).status).toBe(200)
    expect((await call('GET', '/accounts/balance')).status).toBe(401)
    const driver = test.open({ security_level: 'development' })
    expect(await driver.charge(orderFor('000002'))).toMatchObject({ outcome: 'accepted' })
  })

  it('wants the hash of the content and the date at the level enhanced', async () => {
    await test.set({ security_level: 'enhanced' })
    const text = JSON.stringify(charge())
    const hash = { 'x-content-hash': createHash('sha256').update(text).digest('hex') }
    const date = { 'x-date': '2026-11-22T08:00:00Z' }
    expect((await call('POST', CHARGE, text, { ...id(), ...hash, ...date })).status).toBe(202)
    expect((await call('POST', CHARGE, text, { ...id(), ...hash })).body.errorCode).toBe('mandatoryValueNotSupplied')
    expect((await call('POST', CHARGE, `${text} `, { ...id(), ...hash, ...date })).body.errorCode).toBe('formatError')
    const driver = test.open({ security_level: 'enhanced' })
    expect(await driver.charge(orderFor('000002'))).toMatchObject({ outcome: 'accepted' })
    expect(await test.driver.charge(orderFor('000002'))).toMatchObject({ outcome: 'unknown' })
  })

  it('reports a missing page in another form than the standard', async () => {
    expect(await call('GET', '/plums/1')).toMatchObject({ status: 404, body: { message: expect.any(String) } })
  })

  it('says whether the service is available', async () => {
    expect((await call('GET', '/heartbeat')).body).toEqual({ serviceStatus: 'available' })
    await test.set({ service_status: 'degraded' })
    expect((await call('GET', '/heartbeat')).body).toEqual({ serviceStatus: 'degraded', delay: 1500 })
    await test.set({ service_status: 'none' })
    expect((await call('GET', '/heartbeat')).status).toBe(404)
  })
})

describe('an order', () => {
  it('is answered with the state of its request', async () => {
    const headers = { ...id(), 'x-callback-url': 'http://127.0.0.1:2/hear' }
    const { status, body } = await call('POST', CHARGE, charge(), headers)
    expect([status, body]).toEqual([
      202,
      {
        serverCorrelationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'pending',
        objectReference: '',
        notificationMethod: 'callback',
        pollLimit: 100,
        expiryTime: expect.any(String),
        pendingReason: expect.any(String),
      },
    ])
    expect((await call('POST', CHARGE, charge(), id())).body.notificationMethod).toBe('polling')
  })

  it.each([
    ['no JSON', 'x', 400, 'formatError'],
    ['a list', [], 400, 'formatError'],
    ['no payer', charge({ debitParty: undefined }), 400, 'mandatoryValueNotSupplied'],
    [
      'eleven identifiers',
      charge({ debitParty: Array(11).fill({ key: 'msisdn', value: '+256772000002' }) }),
      400,
      'mandatoryValueNotSupplied',
    ],
    ['a payer that is none', charge({ debitParty: [{ key: 'accountid', value: '123' }] }), 404, 'identifierError'],
    ['a phone that is none', charge({ debitParty: [{ key: 'msisdn', value: '12' }] }), 400, 'formatError'],
    [
      'another account of the business',
      charge({ creditParty: [{ key: 'accountid', value: '123' }] }),
      404,
      'identifierError',
    ],
    ['another currency', charge({ currency: 'KES' }), 400, 'currencyNotSupported'],
    ['a number as the amount', charge({ amount: 1500 }), 400, 'formatError'],
    ['an amount below zero', charge({ amount: '-5' }), 400, 'negativeValue'],
    ['an amount of zero', charge({ amount: '0.00' }), 400, 'lessThanTransactionMinValue'],
    ['a description that is too long', charge({ descriptionText: 'x'.repeat(161) }), 400, 'lengthError'],
  ])('is refused with %s', async (_what, body, status, errorCode) => {
    const answer = await call('POST', CHARGE, body, id())
    expect([answer.status, answer.body.errorCode]).toEqual([status, errorCode])
  })

  it.each([
    ['5', true, true],
    ['5.0', true, false],
    ['5.00', true, false],
    ['5.5555', true, true],
    ['5.55555', false, false],
    ['5.', false, false],
    ['.5', false, false],
    ['00.5', false, false],
    ['555555555555555555', true, true],
    ['5555555555555555555', false, false],
  ])('of %s is accepted by the text of the standard (%s) and by its files (%s)', async (amount, by_text, by_files) => {
    for (const [amounts_taken, taken] of [
      ['text', by_text],
      ['pattern', by_files],
    ] as const) {
      await test.set({ amounts_taken })
      const { body } = await call('POST', CHARGE, charge({ amount }), id())
      const too_large = amount.length > 15 ? 'greaterThanTransactionMaxValue' : undefined
      expect(body.errorCode, amounts_taken).toBe(taken ? too_large : 'formatError')
    }
  })

  it('has phone numbers in the form that the provider takes', async () => {
    await test.set({ phones_taken: 'digits' })
    expect(await test.driver.charge(orderFor('000002'))).toMatchObject({ outcome: 'failed', code: 'formatError' })
    const digits = test.open({ phone_format: 'digits' })
    expect(await digits.charge(orderFor('000002'))).toMatchObject({ outcome: 'accepted' })
    await test.set({ phones_taken: 'plus' })
    expect(await digits.charge(orderFor('000002'))).toMatchObject({ outcome: 'failed' })
  })

  it('is refused under a used correlation id, and under an invalid one', async () => {
    const same = id()
    expect((await call('POST', CHARGE, charge(), same)).status).toBe(202)
    for (const body of [charge(), charge({ amount: '1' })])
      expect((await call('POST', CHARGE, body, same)).body.errorCode).toBe('duplicateRequest')
    expect((await call('POST', CHARGE, charge(), { 'x-correlationid': 'KR1-1' })).body.errorCode).toBe('formatError')
  })

  it('has a type that there is', async () => {
    expect((await call('POST', '/transactions/type/plum', charge(), id())).body.errorCode).toBe('transactionTypeError')
  })

  it('cannot be asked about under other ids', async () => {
    for (const path of [`/requeststates/${randomUUID()}`, `/responses/${randomUUID()}`, '/transactions/REF-1'])
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { errorCode: 'identifierError' } })
  })
})

describe('the list of transactions', () => {
  it('begins with the newest, and counts', async () => {
    await test.advance(5)
    await call('POST', CHARGE, charge({ amount: '11' }), id())
    await test.advance(5)
    await call('POST', CHARGE, charge({ amount: '22' }), id())
    await test.advance(5)
    const path = '/accounts/organisationid/simulated-shop/transactions'
    const { body, headers } = await call('GET', `${path}?limit=2`)
    expect(body.map((one) => (one as { amount: string }).amount)).toEqual(['22.00', '11.00'])
    expect(headers.get('x-records-returned-count')).toBe('2')
    expect(Number(headers.get('x-records-available-count'))).toBeGreaterThan(2)
    expect((await call('GET', `${path}?transactionType=disbursement`)).body).toEqual([])
    expect((await call('GET', `${path}?offset=-1`)).body.errorCode).toBe('invalidOffset')
    expect((await call('GET', `${path}?fromDateTime=x`)).body.errorCode).toBe('formatError')
    expect((await call('GET', path.replace('shop', 'bank'))).body.errorCode).toBe('identifierError')
  })
})

describe('the addresses of the SDKs', () => {
  const root = () => test.simulator.urlOf('gsma-momo')
  const send = async (path: string, authorization: string, body?: object) => {
    const answer = await fetch(root() + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, 'x-api-key': credentials.api_key!, 'content-type': 'application/json', ...id() },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  it.each([
    ['with a token', '/2/oauth/simulator/v1.2/mm', async () => `Bearer ${(await newToken()).body.access_token}`],
    ['with HTTP Basic', '/simulator/v1.2/passthrough/mm', async () => basic],
  ])('take and show orders %s', async (_, path, authorize) => {
    const authorization = await authorize()
    const taken = await send(path + CHARGE, authorization, charge())
    expect(taken).toMatchObject({ status: 202, body: { status: 'pending' } })
    await test.advance(2)
    const asked = await send(`${path}/requeststates/${taken.body.serverCorrelationId}`, authorization)
    expect(asked.body).toMatchObject({ status: 'completed', objectReference: expect.stringMatching(/^REF-/) })
    // Both are the network that the other addresses show.
    expect(await call('GET', `/transactions/${asked.body.objectReference}`)).toMatchObject({ status: 200 })
    expect((await send(`${path}/accounts/balance`, authorization)).status).toBe(200)
  })

  it("refuse each other's credentials", async () => {
    expect((await send('/2/oauth/simulator/v1.2/mm/heartbeat', basic)).status).toBe(401)
    expect((await send('/simulator/v1.2/passthrough/mm/heartbeat', 'Bearer none')).status).toBe(401)
  })
})

describe('the reversal of a disbursement', () => {
  const DISBURSEMENT = '/transactions/type/disbursement'
  const payout = { amount: '1500', currency: 'UGX', creditParty: [{ key: 'msisdn', value: '+256772000002' }] }

  async function complete(path: string, body: object): Promise<string> {
    const taken = await call('POST', path, body, id())
    expect(taken).toMatchObject({ status: 202 })
    await test.advance(2)
    const asked = await call('GET', `/requeststates/${taken.body.serverCorrelationId}`)
    expect(asked.body).toMatchObject({ status: 'completed' })
    return String(asked.body.objectReference)
  }

  it('returns its money once', async () => {
    const before = await balance()
    const sent = await complete(DISBURSEMENT, payout)
    expect(await balance()).toBe(before - 1_500)
    const returned = await complete(`/transactions/${sent}/reversals`, { type: 'reversal' })
    expect(await balance()).toBe(before)
    expect((await call('GET', `/transactions/${returned}`)).body).toMatchObject({
      type: 'reversal',
      amount: '1500.00',
      originalTransactionReference: sent,
      debitParty: [{ key: 'msisdn', value: '+256772000002' }],
    })
    const again = await call('POST', `/transactions/${sent}/reversals`, { type: 'reversal' }, id())
    expect(again).toMatchObject({ status: 400, body: { errorCode: 'incorrectState' } })
  })

  it('may be for a part, and never for more', async () => {
    const sent = await complete(DISBURSEMENT, payout)
    const path = `/transactions/${sent}/reversals`
    const part = (amount: string) => ({ type: 'reversal', amount, currency: 'UGX' })
    const refused = await call('POST', path, part('1500.01'), id())
    expect(refused).toMatchObject({ status: 400, body: { errorCode: 'greaterThanTransactionMaxValue' } })
    await test.set({ partial_reversals: false })
    expect((await call('POST', path, part('500'), id())).status).toBe(400)
    await test.set({ partial_reversals: true })
    const before = await balance()
    await complete(path, part('500'))
    expect(await balance()).toBe(before + 500)
  })
})
