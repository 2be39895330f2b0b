import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, envelope, openRecorder, payout, type Recorder, refund } from './airtel-test.ts'

/*
 * Meanings of the answers of the product Disbursement and of answers to refunds.
 */

let recorder: Recorder
afterEach(() => recorder?.close())

const PAYOUT = 'POST /standard/v1/disbursements/'
const STATUS = 'GET /standard/v1/disbursements/KP17'
const REFUND = 'POST /standard/v1/payments/refund'
const CHARGE_STATUS = 'GET /standard/v1/payments/KR12x1'

const open = async (rows: Record<string, Answer | Answer[]>, given: Record<string, unknown> = {}) => {
  recorder = await openRecorder(rows, { collection_version: 'v1', payout_version: 'v1', ...given })
  return recorder.operations
}
const unknown_here = envelope(undefined, 'DP00900001015', { success: false })
const question = (status: string, code?: string) => envelope({ id: 'KP17', message: 'words', status }, code)

const refusals: [code: string, reason: string, alarm?: 'alarm'][] = [
  ['DP00900001003', 'limit_reached'],
  ['DP00900001004', 'limit_reached'],
  ['DP00900001005', 'rejected'],
  ['DP00900001007', 'insufficient_funds'],
  ['DP00900001009', 'payee_not_found'],
  ['DP00900001010', 'not_allowed', 'alarm'],
  ['DP00900001012', 'payee_not_found'],
  ['DP00900001013', 'rejected'],
  ['DP00900001016', 'not_allowed', 'alarm'],
  ['DP00900001018', 'not_allowed', 'alarm'],
  ['ROUTER114', 'not_allowed', 'alarm'],
  ['ROUTER115', 'not_allowed', 'alarm'],
  ['ROUTER116', 'not_allowed', 'alarm'],
]

const inEnvelope = (code: string): Answer =>
  code.startsWith('DP')
    ? envelope(undefined, code, { success: false })
    : { status: 400, body: { status_message: 'refused', status_code: code } }

describe('a payout', () => {
  it('that Airtel calls successful was only taken, under the id of Airtel', async () => {
    const operations = await open({
      [PAYOUT]: envelope({ reference_id: '18', airtel_money_id: 'CI1', id: 'KP17', status: 'TS' }, 'DP00900001001'),
      [STATUS]: question('TS', 'DP00900001001'),
    })
    expect(await operations.payout(payout)).toEqual({ outcome: 'accepted', remote_id: 'CI1' })
    expect(await operations.payoutStatus({ ...payout, remote_id: 'CI1' })).toEqual({
      outcome: 'successful',
      remote_id: 'CI1',
    })
    expect(await operations.payoutStatus(payout)).toEqual({ outcome: 'successful' })
  })

  it.each(refusals)(
    'that is refused with %s fails with %s when Airtel does not have it',
    async (code, reason, alarm) => {
      const operations = await open({ [PAYOUT]: inEnvelope(code), [STATUS]: unknown_here })
      expect(await operations.payout(payout)).toMatchObject({ outcome: 'failed', reason, code })
      expect(recorder.alarms).toHaveLength(alarm ? 1 : 0)
      expect(recorder.alarms.join()).not.toContain('4321')
    },
  )

  it.each(refusals)('that is refused with %s goes on when Airtel has it all the same', async (code) => {
    const operations = await open({ [PAYOUT]: inEnvelope(code), [STATUS]: question('TIP', 'DP00900001006') })
    expect(await operations.payout(payout)).toEqual({ outcome: 'accepted', remote_id: 'KP17' })
  })

  it.each(['DP00900001011', 'DP00900001017', 'ESB000041'])(
    'that exists already (%s) has the end that Airtel says',
    async (code) => {
      const answer = code.startsWith('ESB')
        ? envelope(undefined, 'DP00900001000', { result_code: code })
        : inEnvelope(code)
      const operations = await open({
        [PAYOUT]: answer,
        [STATUS]: [question('TS'), question('TF', 'DP00900001012'), unknown_here],
      })
      expect(await operations.payout(payout)).toMatchObject({ outcome: 'successful' })
      expect(await operations.payout(payout)).toMatchObject({ outcome: 'failed', reason: 'payee_not_found' })
      expect(await operations.payout(payout)).toMatchObject({ outcome: 'unknown' })
    },
  )

  it.each(['DP00900001000', 'DP00900001014', 'ESB000008', 'ROUTER117'])('with the code %s is unknown', async (code) => {
    const operations = await open({ [PAYOUT]: inEnvelope(code) })
    expect(await operations.payout(payout)).toMatchObject({ outcome: 'unknown' })
  })

  it.each<[string, Answer]>([
    ['HTML', { body: '<html>' }],
    ['408', { status: 408, body: { status_code: 'CONNECTION_TIMEOUT' } }],
    ['429', { status: 429 }],
    ['503', { status: 503 }],
    ['a hang-up', { hang_up: true }],
  ])('that is answered with %s is unknown', async (_, answer) => {
    const operations = await open({ [PAYOUT]: answer, [STATUS]: unknown_here })
    expect(await operations.payout(payout)).toMatchObject({ outcome: 'unknown' })
    expect(await operations.payoutStatus(payout)).toEqual({ outcome: 'not_found' })
  })

  it.each<[string, Answer, object]>([
    ['TS', question('TS', 'DP00900001001'), { outcome: 'successful' }],
    ['TIP', question('TIP', 'DP00900001006'), { outcome: 'accepted', remote_id: 'KP17' }],
    ['TA', question('TA', 'DP00900001000'), { outcome: 'accepted', remote_id: 'KP17' }],
    ['TF and a reason', question('TF', 'DP00900001007'), { outcome: 'failed', reason: 'insufficient_funds' }],
    ['TF and "timed out"', question('TF', 'DP00900001014'), { outcome: 'unknown' }],
    ['TR', question('TR', 'DP00900001001'), { outcome: 'reversed' }],
    ['a code without a word', envelope(undefined, 'DP00900001007'), { outcome: 'unknown' }],
    ['an unknown order', inEnvelope('ESB000045'), { outcome: 'not_found' }],
  ])('that is asked about, and answered with %s', async (_, answer, outcome) => {
    const operations = await open({ [STATUS]: answer })
    expect(await operations.payoutStatus(payout)).toMatchObject(outcome)
  })

  it('is not sent without a key to encrypt the PIN', async () => {
    const operations = await open({
      'GET /v1/rsa/encryption-keys': envelope(undefined, 'DP02010001000', { success: false }),
    })
    expect(await operations.payout(payout)).toMatchObject({ outcome: 'unknown' })
    expect(recorder.calls()).toEqual([])
    expect(recorder.alarms.join()).toMatch(/encryption key/)
  })

  it('is refused for another connection: airtime, another currency, another country', async () => {
    const operations = await open({})
    for (const part of [{ kind: 'airtime' as const }, { currency: 'KES' }, { phonenumber: '+254752000001' }])
      expect(await operations.payout({ ...payout, ...part })).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(recorder.requests).toEqual([])
  })

  it('cannot be made without a PIN', async () => {
    const operations = await open({}, { pin: undefined })
    expect([operations.payout, operations.payoutStatus]).toEqual([undefined, undefined])
  })
})

describe('a refund', () => {
  it.each<[string, Answer, object]>([
    ['SUCCESS', envelope({ airtel_money_id: 'CI9', status: 'SUCCESS' }), { outcome: 'successful', remote_id: 'CI9' }],
    [
      'SUCCESS beside success:false',
      envelope({ airtel_money_id: 'CI9', status: 'SUCCESS' }, undefined, { success: false }),
      { outcome: 'successful', remote_id: 'CI9' },
    ],
    ['SUCCESS without an id', envelope({ status: 'SUCCESS' }), { outcome: 'accepted' }],
    ['TIP', envelope({ status: 'TIP' }), { outcome: 'accepted' }],
    ['success:true without a word', envelope(undefined), { outcome: 'unknown' }],
    [
      'a refusal',
      envelope(undefined, undefined, { result_code: 'ESB000011', success: false }),
      { outcome: 'failed', reason: 'rejected' },
    ],
    [
      'an unknown payment',
      envelope(undefined, undefined, { result_code: 'ESB000045' }),
      { outcome: 'failed', reason: 'rejected' },
    ],
    ['an ambiguous code', envelope(undefined, undefined, { result_code: 'ESB000008' }), { outcome: 'unknown' }],
    ['408', { status: 408 }, { outcome: 'unknown' }],
    ['502', { status: 502 }, { outcome: 'unknown' }],
    ['HTML', { body: '<html>' }, { outcome: 'unknown' }],
  ])('that is answered with %s', async (_, answer, outcome) => {
    const operations = await open({ [REFUND]: answer })
    expect(await operations.refund(refund)).toMatchObject(outcome)
    expect(recorder.calls()).toEqual([REFUND])
  })

  it('of a part is refused without a call', async () => {
    const operations = await open({})
    expect(await operations.refund({ ...refund, amount: 10_000n })).toMatchObject({
      outcome: 'failed',
      reason: 'not_allowed',
    })
    expect(recorder.requests).toEqual([])
  })

  it('is known to be done only when the charge went back', async () => {
    const operations = await open({
      [CHARGE_STATUS]: [
        envelope({ id: 'KR12x1', status: 'TR' }),
        envelope({ id: 'KR12x1', status: 'TS' }),
        { status: 500 },
      ],
    })
    expect(await operations.refundStatus(refund)).toEqual({ outcome: 'successful' })
    expect(await operations.refundStatus(refund)).toMatchObject({ outcome: 'unknown' })
    expect(await operations.refundStatus(refund)).toMatchObject({ outcome: 'unknown' })
  })
})
