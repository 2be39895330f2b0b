import { afterEach, describe, expect, it } from 'vitest'
import type { FailureReason } from '../../../src/lib/adapter-types.ts'
import {
  type Answer,
  failureReason,
  found,
  ID,
  OTHER_ID,
  openRecorder,
  order,
  payout,
  type Recorder,
  refund,
  state,
} from './pawapay-test.ts'

let recorder: Recorder
afterEach(() => recorder.close())

const sent = (status: string, more: object = {}, id: object = { depositId: ID }) => ({
  body: { ...id, status, ...more },
})
const rejected = (code: string, id?: object) => sent('REJECTED', failureReason(code), id)

/** Send a deposit that is answered so. */
async function charge(answer: Answer, rows: Record<string, Answer> = {}) {
  recorder = await openRecorder({ 'POST /v2/deposits': answer, ...rows })
  const outcome = await recorder.operations.charge(order)
  return { outcome, recorder }
}

describe('the answer to an order', () => {
  it.each(['ACCEPTED', 'ENQUEUED', 'DUPLICATE_IGNORED'])('%s: it was taken, and is not paid', async (status) => {
    const { outcome } = await charge(sent(status, { nextStep: 'FINAL_STATUS' }))
    expect(outcome).toEqual({ outcome: 'accepted', remote_id: ID })
    expect(recorder.alarms).toEqual([])
  })

  it.each<[string, FailureReason, string?]>([
    ['AMOUNT_OUT_OF_BOUNDS', 'limit_reached'],
    ['INVALID_AMOUNT', 'rejected'],
    ['INVALID_CURRENCY', 'rejected'],
    ['INVALID_PROVIDER', 'rejected', 'ask pawaPay to add it'],
    ['INVALID_PHONE_NUMBER', 'payer_not_found'],
    ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'unreachable'],
    ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'rejected', 'add money'],
    ['NOT_FOUND', 'rejected'],
    ['INVALID_STATE', 'rejected'],
    ['AMOUNT_TOO_LARGE', 'rejected'],
    ['DEPOSIT_ALREADY_REFUNDED', 'rejected'],
    ['REFUND_IN_PROGRESS', 'rejected'],
    ['SOMETHING_NEW', 'rejected'],
  ])('REJECTED with %s: %s', async (code, reason, alarm) => {
    const { outcome } = await charge(rejected(code))
    expect(outcome).toMatchObject({ outcome: 'failed', reason, code, message: expect.stringMatching(/\.$/) })
    expect(recorder.alarms).toEqual(alarm ? [expect.stringContaining(alarm)] : [])
    expect(recorder.paths().at(-1)).toBe(`GET /v2/deposits/${ID}`)
  })

  it.each([
    'INVALID_INPUT',
    'MISSING_PARAMETER',
    'UNSUPPORTED_PARAMETER',
    'INVALID_PARAMETER',
    'DUPLICATE_METADATA_FIELD',
  ])('HTTP 400 with %s: we sent something wrong', async (code) => {
    const { outcome } = await charge({ ...rejected(code), status: 400 })
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'rejected', code })
    expect(recorder.alarms).toEqual([expect.stringContaining('newer version')])
  })

  it.each(['DEPOSITS_NOT_ALLOWED', 'PAYOUTS_NOT_ALLOWED', 'REFUNDS_NOT_ALLOWED'])(
    'HTTP 403 with %s: the operation is not open for us',
    async (code) => {
      const { outcome } = await charge({ ...rejected(code), status: 403 })
      expect(outcome).toMatchObject({ outcome: 'failed', reason: 'not_allowed', code })
      expect(recorder.alarms).toEqual([expect.stringContaining(code)])
    },
  )

  it.each<[string, Answer, string]>([
    ['401', { status: 401, body: failureReason('NO_AUTHENTICATION') }, 'api_token'],
    ['401 without a reason', { status: 401 }, 'api_token'],
    ['a signature error with 401', { status: 401, body: failureReason('HTTP_SIGNATURE_ERROR') }, 'signing_key'],
  ])('%s: certainly unsent', async (_name, answer, alarm) => {
    const { outcome } = await charge(answer)
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
    expect(recorder.alarms).toEqual([expect.stringContaining(alarm)])
  })

  it.each<[string, Answer, string?]>([
    ['403', { status: 403, body: failureReason('AUTHENTICATION_ERROR') }, 'api_token'],
    ['403 for other permissions', { status: 403, body: failureReason('AUTHORISATION_ERROR') }, 'permissions'],
    ['500', { status: 500, body: { depositId: ID, ...failureReason('UNKNOWN_ERROR') } }],
    ['UNKNOWN_ERROR', rejected('UNKNOWN_ERROR')],
    ['a 500 that says REJECTED', { ...rejected('INVALID_AMOUNT'), status: 500 }],
    ['429', { status: 429, body: '{"message":"Too many"}' }],
    ['404', { status: 404, body: failureReason('NOT_FOUND') }],
    ['400 without a reason', { status: 400, body: '{}' }],
    ['a page', { body: '<html><h1>Welcome</h1></html>' }],
    ['nothing', { body: '' }],
    ['half of an answer', { body: '{"depositId":"' }],
    ['a new word', sent('POSTPONED')],
    ['ACCEPTED with a reason', sent('ACCEPTED', failureReason('INVALID_AMOUNT'))],
    ['another order', sent('ACCEPTED', {}, { depositId: OTHER_ID })],
    ['a hang-up', { hang_up: true }],
  ])('%s: unknown', async (_name, answer, alarm) => {
    const { outcome } = await charge(answer)
    expect(outcome).toEqual({ outcome: 'unknown', message: expect.any(String) })
    expect(recorder.alarms).toEqual(alarm ? [expect.stringContaining(alarm)] : [])
    expect(recorder.alarms.join()).not.toContain('the-api-token-of-a-test')
  })

  it('is not final if it refuses an order that an earlier call has placed', async () => {
    const { outcome } = await charge(rejected('PROVIDER_TEMPORARILY_UNAVAILABLE'), {
      [`GET /v2/deposits/${ID}`]: found(state('PROCESSING')),
    })
    expect(outcome).toEqual({ outcome: 'accepted', remote_id: ID })
  })

  it('is not believed if it refuses and the status query has no answer', async () => {
    const { outcome } = await charge(rejected('INVALID_AMOUNT'), { [`GET /v2/deposits/${ID}`]: { status: 500 } })
    expect(outcome).toMatchObject({ outcome: 'unknown' })
  })
})

describe('the provider of a phone', () => {
  it('is a missing payer or payee if pawaPay does not have it', async () => {
    recorder = await openRecorder({
      'POST /v2/predict-provider': { status: 400, body: failureReason('INVALID_PHONE_NUMBER') },
    })
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'failed', reason: 'payer_not_found' })
    expect(await recorder.operations.payout(payout)).toMatchObject({ outcome: 'failed', reason: 'payee_not_found' })
    expect(recorder.paths()).not.toContain('POST /v2/deposits')
  })

  it.each<[string, Answer]>([
    ['no answer', { hang_up: true }],
    ['500', { status: 500 }],
    ['a page', { body: '<html></html>' }],
    ['another phone', { body: { country: 'UGA', provider: 'MTN_MOMO_UGA', phoneNumber: '256783456780' } }],
    ['400 with another code', { status: 400, body: failureReason('INVALID_INPUT') }],
  ])('%s: not sent, and not failed', async (_name, answer) => {
    recorder = await openRecorder({ 'POST /v2/predict-provider': answer })
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'unknown' })
    expect(recorder.paths()).toEqual(['POST /v2/predict-provider'])
  })

  const availability = (operationType: string, status: string, form: 'list' | 'object' = 'list') => ({
    body: [
      {
        country: 'UGA',
        providers: [
          { provider: 'AIRTEL_OAPI_UGA', operationTypes: [{ operationType, status: 'OPERATIONAL' }] },
          {
            provider: 'MTN_MOMO_UGA',
            operationTypes: form === 'list' ? [{ operationType, status }] : { [operationType]: status },
          },
        ],
      },
    ],
  })

  it.each([
    ['CLOSED', 'list'],
    ['DELAYED', 'list'],
    ['CLOSED', 'object'],
  ] as const)('that is %s (%s) is not tried', async (status, form) => {
    recorder = await openRecorder({ 'GET /v2/availability': availability('DEPOSIT', status, form) })
    expect(await recorder.operations.charge(order)).toMatchObject({
      outcome: 'failed',
      reason: 'unreachable',
      code: status,
      message: expect.stringContaining('MTN_MOMO_UGA'),
    })
    expect(recorder.to('/v2/deposits')).toEqual([])
  })

  it('that is down for payouts is tried if they may wait in the queue, and for deposits', async () => {
    const rows = {
      'GET /v2/availability': availability('PAYOUT', 'DELAYED'),
      'POST /v2/payouts': sent('ENQUEUED', {}, { payoutId: ID }),
      'POST /v2/deposits': sent('ACCEPTED'),
    }
    recorder = await openRecorder(rows)
    expect(await recorder.operations.payout(payout)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'accepted' })
    await recorder.close()
    recorder = await openRecorder(rows, { delayed_payouts: 'queue' })
    expect(await recorder.operations.payout(payout)).toMatchObject({ outcome: 'accepted' })
  })

  it.each<[string, Answer]>([
    ['OPERATIONAL', availability('DEPOSIT', 'OPERATIONAL')],
    ['a new word', availability('DEPOSIT', 'SLOW')],
    ['no answer', { status: 503 }],
    ['a page', { body: '<html></html>' }],
  ])('that is not reported as down is tried: %s', async (_name, answer) => {
    recorder = await openRecorder({ 'GET /v2/availability': answer, 'POST /v2/deposits': sent('ACCEPTED') })
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'accepted' })
  })
})

/** Ask about a deposit whose state is this. */
async function ask(answer: Answer, alarms: readonly unknown[] = []) {
  recorder = await openRecorder({ [`GET /v2/deposits/${ID}`]: answer })
  const outcome = await recorder.operations.chargeStatus(order)
  expect(recorder.alarms).toEqual(alarms)
  return outcome
}

describe('the state of an order', () => {
  it.each(['ACCEPTED', 'PROCESSING', 'ENQUEUED'])('%s: open', async (status) => {
    expect(await ask(found(state(status)))).toEqual({ outcome: 'accepted', remote_id: ID })
  })

  it('COMPLETED: paid, with the exact amount and the receipt of the provider', async () => {
    expect(await ask(found(state('COMPLETED', { amount: '4999.99' })))).toEqual({
      outcome: 'successful',
      remote_id: '12356789',
      amount: 49_999_900n,
    })
  })

  it('COMPLETED without a receipt: paid all the same', async () => {
    expect(await ask(found(state('COMPLETED', { providerTransactionId: undefined })))).toEqual({
      outcome: 'successful',
      amount: 50_000_000n,
    })
  })

  it('NOT_FOUND: it never arrived', async () => {
    expect(await ask({ body: { status: 'NOT_FOUND' } })).toEqual({ outcome: 'not_found' })
  })

  it('in another currency: not booked, and the operator is alerted', async () => {
    const alarms = [expect.stringContaining('another currency')]
    expect(await ask(found(state('COMPLETED', { currency: 'USD' })), alarms)).toMatchObject({ outcome: 'unknown' })
  })

  it.each<[string, FailureReason, FailureReason?]>([
    ['PAYMENT_NOT_APPROVED', 'cancelled'],
    ['INSUFFICIENT_BALANCE', 'insufficient_funds'],
    ['PAYER_LIMIT_REACHED', 'limit_reached'],
    ['WALLET_LIMIT_REACHED', 'limit_reached'],
    ['RECIPIENT_LIMIT_REACHED', 'limit_reached'],
    ['PAYER_NOT_FOUND', 'payer_not_found', 'payee_not_found'],
    ['RECIPIENT_NOT_FOUND', 'payee_not_found'],
    ['RECIPIENT_NOT_ALLOWED_TO_RECEIVE', 'not_allowed'],
    ['PAYMENT_IN_PROGRESS', 'unreachable'],
    ['TRANSACTION_ALREADY_IN_PROCESS', 'unreachable'],
    ['MANUALLY_CANCELLED', 'cancelled'],
    ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'rejected'],
    ['UNSPECIFIED_FAILURE', 'rejected'],
    ['UNKNOWN_ERROR', 'rejected'],
    ['SOMETHING_NEW', 'rejected'],
  ])('FAILED with %s: %s', async (code, reason, of_payout = reason) => {
    recorder = await openRecorder({
      [`GET /v2/deposits/${ID}`]: found(state('FAILED', failureReason(code))),
      [`GET /v2/payouts/${ID}`]: found(state('FAILED', failureReason(code), { payoutId: ID })),
      [`GET /v2/refunds/${ID}`]: found(state('FAILED', failureReason(code), { refundId: ID })),
    })
    const { chargeStatus, payoutStatus, refundStatus } = recorder.operations
    const failed = { outcome: 'failed', code, message: expect.stringMatching(/\.$/) }
    expect(await chargeStatus(order)).toEqual({ ...failed, reason })
    expect(await payoutStatus(payout)).toEqual({ ...failed, reason: of_payout })
    expect(await refundStatus(refund)).toEqual({ ...failed, reason: of_payout })
    const is_ours = code === 'PAWAPAY_WALLET_OUT_OF_FUNDS'
    expect(recorder.alarms).toEqual(is_ours ? Array(3).fill(expect.stringContaining('add money')) : [])
  })

  it('PAYMENT_NOT_APPROVED after the life of a prompt: it expired unanswered', async () => {
    const failure = failureReason('PAYMENT_NOT_APPROVED')
    const old = state('FAILED', { ...failure, created: '2026-11-22T07:55:00Z' })
    expect(await ask(found(old))).toMatchObject({ outcome: 'failed', reason: 'prompt_expired' })
    await recorder.close()
    const undated = state('FAILED', { ...failure, created: undefined })
    expect(await ask(found(undated))).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
  })

  it.each<[string, Answer]>([
    ['IN_RECONCILIATION', found(state('IN_RECONCILIATION'))],
    ['a new word', found(state('POSTPONED'))],
    ['COMPLETED with a reason', found(state('COMPLETED', failureReason('INSUFFICIENT_BALANCE')))],
    ['COMPLETED without an amount', found(state('COMPLETED', { amount: undefined }))],
    ['COMPLETED with a negative amount', found(state('COMPLETED', { amount: '-5000' }))],
    ['COMPLETED with an amount in words', found(state('COMPLETED', { amount: '5,000' }))],
    ['COMPLETED without a currency', found(state('COMPLETED', { currency: undefined }))],
    ['another order', found(state('COMPLETED', {}, { depositId: OTHER_ID }))],
    ['a payout with our id', found(state('COMPLETED', {}, { payoutId: ID }))],
    ['FOUND without data', { body: { status: 'FOUND' } }],
    ['NOT_FOUND with data', { body: { status: 'NOT_FOUND', data: state('COMPLETED') } }],
    ['a 404', { status: 404, body: { status: 'NOT_FOUND' } }],
    ['500', { status: 500, body: failureReason('UNKNOWN_ERROR') }],
    ['429', { status: 429 }],
    ['a page', { body: '<html></html>' }],
    ['nothing', { body: '' }],
  ])('%s: unknown', async (_name, answer) => {
    expect(await ask(answer)).toEqual({ outcome: 'unknown', message: expect.any(String) })
  })
})
