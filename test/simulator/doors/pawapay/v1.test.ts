import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { type DoorAnswer, openPawapay, type PawapayTest, deposit as secondDeposit } from './pawapay-door-test.ts'

/* Version 1 of the API: another form of the same network. */

let database: Awaited<ReturnType<typeof openDatabase>>
let pawapay: PawapayTest
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  pawapay = await openPawapay(database.db)
})
afterEach(async () => {
  await pawapay.close()
  expect(pawapay.errors).toEqual([])
})

const address = (value: string) => ({ type: 'MSISDN', address: { value } })
const common = {
  amount: '5000',
  currency: 'UGX',
  correspondent: 'MTN_MOMO_UGA',
  customerTimestamp: '2026-11-27T10:00:00Z',
  statementDescription: 'Rent for March',
}
const deposit = (changes: object = {}, phone = '256783456789') => ({
  depositId: randomUUID(),
  payer: address(phone),
  ...common,
  ...changes,
})
const payout = (changes: object = {}, phone = '256783456789') => ({
  payoutId: randomUUID(),
  recipient: address(phone),
  ...common,
  ...changes,
})
const refund = (depositId: string, changes: object = {}) => ({ refundId: randomUUID(), depositId, ...changes })
const codeOf = ({ body }: DoorAnswer) => body.rejectionReason?.rejectionCode
const lastCallback = () => JSON.parse(pawapay.sent.at(-1)!.body)

describe('a deposit', () => {
  it('is taken, paid and reported in the form of version 1', async () => {
    const wanted = deposit({
      country: 'UGA',
      metadata: [{ fieldName: 'email', fieldValue: 'a@example.com', isPII: true }],
    })
    const { depositId } = wanted
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(await pawapay.call('/deposits', wanted)).toEqual({
      status: 200,
      body: { depositId, status: 'ACCEPTED', created: time },
    })
    expect((await pawapay.call('/deposits', wanted)).body.status).toBe('DUPLICATE_IGNORED')
    const read = async () => (await pawapay.call(`/deposits/${depositId}`)).body
    expect(await read()).toMatchObject([{ depositId, status: 'SUBMITTED', requestedAmount: '5000.00' }])
    expect((await read())[0]).not.toHaveProperty('depositedAmount')
    await pawapay.clock.advance(2)
    const [paid] = await read()
    expect(paid).toEqual({
      depositId,
      status: 'COMPLETED',
      requestedAmount: '5000.00',
      depositedAmount: '5000.00',
      currency: 'UGX',
      country: 'UGA',
      correspondent: 'MTN_MOMO_UGA',
      payer: wanted.payer,
      created: time,
      respondedByPayer: time,
      customerTimestamp: common.customerTimestamp,
      statementDescription: 'Rent for March',
      correspondentIds: { PROVIDER_FINAL: expect.stringMatching(/^\d+$/) },
      metadata: { email: 'a@example.com' },
    })
    expect(lastCallback()).toEqual(paid)
  })

  it('is found by both versions, and reported in the version of its call', async () => {
    const [first, second] = [deposit(), secondDeposit()]
    await pawapay.call('/deposits', first)
    await pawapay.call('/v2/deposits', second)
    await pawapay.clock.advance(2)
    expect((await pawapay.call(`/v2/deposits/${first.depositId}`)).body).toMatchObject({
      data: { status: 'COMPLETED', amount: '5000.00', customerMessage: 'Rent for March' },
    })
    expect((await pawapay.call(`/deposits/${second.depositId}`)).body).toMatchObject([{ status: 'COMPLETED' }])
    const sent = pawapay.sent.map(({ body }) => JSON.parse(body))
    expect(sent).toContainEqual(expect.objectContaining({ depositId: first.depositId, depositedAmount: '5000.00' }))
    expect(sent).toContainEqual(expect.objectContaining({ depositId: second.depositId, amount: '5000.00' }))
    expect((await pawapay.call('/deposits', { ...first, depositId: second.depositId })).body.status).toBe(
      'DUPLICATE_IGNORED',
    )
  })

  it.each([
    ['another type of address', { payer: { type: 'MMO', address: { value: '256783456789' } } }, 'PARAMETER_INVALID'],
    ['no time of the customer', { customerTimestamp: undefined }, 'PARAMETER_INVALID'],
    ['a description with a comma', { statementDescription: 'Rent, March' }, 'PARAMETER_INVALID'],
    ['an id that is none', { depositId: 'ORD-1' }, 'PARAMETER_INVALID'],
    ['a plus sign', { payer: address('+256783456789') }, 'INVALID_PAYER_FORMAT'],
    ['a phone of another country', { payer: address('254703456789') }, 'INVALID_PAYER_FORMAT'],
    ['another country', { country: 'KEN' }, 'INVALID_COUNTRY'],
    ['an unknown correspondent', { correspondent: 'PLUM_UGA' }, 'INVALID_CORRESPONDENT'],
    ['another currency', { currency: 'KES' }, 'INVALID_CURRENCY'],
    ['an amount that is none', { amount: '05' }, 'INVALID_AMOUNT'],
    ['an amount of zero', { amount: '0.00' }, 'INVALID_AMOUNT'],
    ['decimals that the currency has not', { amount: '5000.5' }, 'INVALID_AMOUNT'],
    ['less than the least', { amount: '99' }, 'AMOUNT_TOO_SMALL'],
    ['more than the most', { amount: '5000001' }, 'AMOUNT_TOO_LARGE'],
  ])('with %s is REJECTED', async (_what, changes, code) => {
    const answer = await pawapay.call('/deposits', deposit(changes))
    expect([answer.status, answer.body.status, codeOf(answer)]).toEqual([200, 'REJECTED', code])
    expect(await pawapay.simulator.prompts()).toEqual([])
  })

  it('may have zeros at the end of its amount', async () => {
    expect((await pawapay.call('/deposits', deposit({ amount: '5000.00' }))).body.status).toBe('ACCEPTED')
  })

  it('is refused if the account or the correspondent does not support it', async () => {
    await pawapay.set({ deposits_allowed: false })
    expect(codeOf(await pawapay.call('/deposits', deposit()))).toBe('DEPOSITS_NOT_ALLOWED')
    await pawapay.set({ deposits_allowed: true, deposits_status: 'CLOSED' })
    expect(codeOf(await pawapay.call('/deposits', deposit()))).toBe('CORRESPONDENT_TEMPORARILY_UNAVAILABLE')
  })

  it.each([
    ['256783456039', 'PAYMENT_NOT_APPROVED'],
    ['256783457001', 'TRANSACTION_ALREADY_IN_PROCESS'],
    ['256783456069', 'OTHER_ERROR'],
  ])('by %s fails with %s', async (phone, failureCode) => {
    await pawapay.call('/deposits', deposit({}, phone))
    await pawapay.clock.advance(2)
    expect(lastCallback()).toMatchObject({ status: 'FAILED', failureReason: { failureCode } })
  })
})

describe('a payout', () => {
  it('arrives', async () => {
    const wanted = payout()
    expect((await pawapay.call('/payouts', wanted)).body).toMatchObject({ status: 'ACCEPTED' })
    await pawapay.clock.advance(2)
    const expected = { status: 'COMPLETED', amount: '5000.00', recipient: wanted.recipient }
    expect((await pawapay.call(`/payouts/${wanted.payoutId}`)).body).toMatchObject([expected])
    expect(lastCallback()).toMatchObject({ ...expected, receivedByRecipient: expect.any(String) })
  })

  it('is enqueued while its correspondent is down, and can be cancelled then', async () => {
    await pawapay.set({ payouts_status: 'DELAYED' })
    const { payoutId, status } = (await pawapay.call('/payouts', payout())).body
    expect(status).toBe('ENQUEUED')
    expect((await pawapay.call(`/payouts/${payoutId}`)).body).toMatchObject([{ status: 'ENQUEUED' }])
    const cancel = async (id: string) => (await pawapay.call(`/payouts/fail-enqueued/${id}`, '')).body
    expect(await cancel(payoutId)).toEqual({ payoutId, status: 'ACCEPTED' })
    await pawapay.clock.advance(1)
    expect(lastCallback()).toMatchObject({ status: 'FAILED', failureReason: { failureCode: 'MANUALLY_CANCELLED' } })
    const unknown = randomUUID()
    expect(await cancel(unknown)).toEqual({
      payoutId: unknown,
      status: 'REJECTED',
      rejectionReason: `Payout with ID #${unknown} not found`,
    })
  })

  it('of more than the wallet has fails', async () => {
    for (const _ of [1, 2]) await pawapay.call('/payouts', payout({ amount: '5000000' }))
    await pawapay.clock.advance(2)
    const { payoutId } = (await pawapay.call('/payouts', payout({}, '256783000002'))).body
    await pawapay.clock.advance(2)
    const failureReason = { failureCode: 'BALANCE_INSUFFICIENT' }
    expect((await pawapay.call(`/payouts/${payoutId}`)).body).toMatchObject([{ status: 'FAILED', failureReason }])
  })
})

describe('a refund', () => {
  it('gives a deposit back, once', async () => {
    const { depositId } = (await pawapay.call('/deposits', deposit())).body
    expect(codeOf(await pawapay.call('/refunds', refund(depositId)))).toBe('DEPOSIT_NOT_COMPLETED')
    expect(codeOf(await pawapay.call('/refunds', refund(randomUUID())))).toBe('DEPOSIT_NOT_FOUND')
    await pawapay.clock.advance(2)
    const wanted = refund(depositId)
    expect((await pawapay.call('/refunds', wanted)).body).toMatchObject({ status: 'ACCEPTED' })
    expect(codeOf(await pawapay.call('/refunds', refund(depositId)))).toBe('ALREADY_REFUNDED')
    await pawapay.clock.advance(2)
    const expected = { refundId: wanted.refundId, status: 'COMPLETED', amount: '5000.00' }
    expect((await pawapay.call(`/refunds/${wanted.refundId}`)).body).toMatchObject([expected])
    expect(lastCallback()).toMatchObject(expected)
  })
})

describe('a callback', () => {
  it('comes again when it is asked for, once the order has ended', async () => {
    const { depositId } = (await pawapay.call('/deposits', deposit())).body
    const resend = async (id: string) => (await pawapay.call('/deposits/resend-callback', { depositId: id })).body
    expect((await resend(depositId)).status).toBe('REJECTED')
    await pawapay.clock.advance(2)
    expect(await resend(depositId)).toEqual({ depositId, status: 'ACCEPTED' })
    await pawapay.clock.advance(1)
    expect(pawapay.sent.map(({ body }) => JSON.parse(body).depositedAmount)).toEqual(['5000.00', '5000.00'])
  })
})

describe('errors and the toolkit', () => {
  it('have the error object of version 1', async () => {
    const error = (errorCode: number) => ({ errorId: expect.any(String), errorCode, errorMessage: expect.any(String) })
    const refused = await pawapay.call('/availability', undefined, { authorization: 'Bearer other' })
    expect([refused.status, refused.body]).toEqual([403, error(2)])
    const unreadable = await pawapay.call('/deposits', 'no JSON')
    expect([unreadable.status, unreadable.body]).toEqual([400, error(1)])
    const nobody = await pawapay.call('/v1/predict-correspondent', { msisdn: '256411000001' })
    expect([nobody.status, nobody.body]).toEqual([400, error(1)])
    expect((await pawapay.call(`/deposits/${randomUUID()}`)).body).toEqual([])
  })

  it('names correspondents', async () => {
    expect((await pawapay.call('/v1/predict-correspondent', { msisdn: '+256 783 456-789' })).body).toEqual({
      country: 'UGA',
      operator: 'MTN',
      correspondent: 'MTN_MOMO_UGA',
      msisdn: '256783456789',
    })
    const { countries } = (await pawapay.call('/active-conf')).body
    const uganda = countries.find(({ country }: { country: string }) => country === 'UGA')
    expect(uganda.correspondents[0]).toMatchObject({
      correspondent: 'MTN_MOMO_UGA',
      currency: 'UGX',
      operationTypes: [{ operationType: 'DEPOSIT', minTransactionLimit: '100' }, {}, {}],
    })
    expect((await pawapay.call('/public-key/http')).body).toMatchObject([{ id: 'HTTP_EC_P256_KEY:1' }])
  })
})
