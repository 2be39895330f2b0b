import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, envelope, openRecorder, order, type Recorder } from './airtel-test.ts'

/*
 * Meanings of the answers of the product Collection. Each code of Airtel's tables has its row.
 */

let recorder: Recorder
afterEach(() => recorder.close())

const CHARGE = 'POST /merchant/v1/payments/'
const STATUS = 'GET /standard/v1/payments/KR12x1'
const HOLDER = 'GET /standard/v1/users/752000001'

const open = async (rows: Record<string, Answer | Answer[]>) => {
  recorder = await openRecorder(rows, { collection_version: 'v1' })
  return recorder.operations
}
const unknown_here = envelope(undefined, 'DP00800001025', { success: false, message: 'Transaction Not Found' })
const question = (status: string, code?: string, more: object = {}) => envelope({ id: 'KR12x1', status, ...more }, code)

/** Code, the reason with which a charge fails, and whether the operator is told. */
const refusals: [code: string, reason: string, alarm?: 'alarm'][] = [
  ['DP00800001002', 'wrong_pin'],
  ['DP00800001003', 'limit_reached'],
  ['DP00800001004', 'limit_reached'],
  ['DP00800001005', 'prompt_expired'],
  ['DP00800001007', 'insufficient_funds'],
  ['DP00800001008', 'cancelled'],
  ['DP00800001009', 'rejected'],
  ['DP00800001010', 'not_allowed'],
  ['DP00800001026', 'not_allowed', 'alarm'],
  ['DP00800001029', 'prompt_expired'],
  ['ESB000011', 'rejected'],
  ['ESB000033', 'rejected'],
  ['ESB000034', 'not_allowed', 'alarm'],
  ['ESB000035', 'not_allowed', 'alarm'],
  ['ESB000036', 'rejected'],
  ['ESB000039', 'not_allowed', 'alarm'],
  ['ROUTER001', 'not_allowed', 'alarm'],
  ['ROUTER003', 'rejected', 'alarm'],
  ['ROUTER005', 'not_allowed', 'alarm'],
  ['ROUTER006', 'not_allowed', 'alarm'],
  ['ROUTER007', 'not_allowed', 'alarm'],
  ['ROUTER112', 'not_allowed', 'alarm'],
  ['ROUTER114', 'wrong_pin'],
  ['ROUTER115', 'wrong_pin'],
  ['ROUTER116', 'not_allowed', 'alarm'],
  ['ROUTER119', 'not_allowed', 'alarm'],
]

const ambiguous = [
  'DP00800001000',
  'DP00800001024',
  'ESB000001',
  'ESB000004',
  'ESB000008',
  'ESB000014',
  '0000900',
  'ROUTER117',
]

const inEnvelope = (code: string) =>
  code.startsWith('DP')
    ? envelope(undefined, code, { success: false })
    : envelope(undefined, undefined, { result_code: code, success: false })

describe('a charge', () => {
  it.each(['DP00800001001', 'DP00800001006', undefined])('with the code %s was only taken', async (code) => {
    const operations = await open({ [CHARGE]: envelope({ id: 'KR12x1', status: 'TS', airtel_money_id: 'MP1' }, code) })
    expect(await operations.charge(order)).toEqual({ outcome: 'accepted', remote_id: 'KR12x1' })
    expect(recorder.calls()).toEqual([CHARGE])
  })

  it.each(refusals)(
    'that is refused with %s fails with %s when Airtel does not have it',
    async (code, reason, alarm) => {
      const operations = await open({ [CHARGE]: inEnvelope(code), [STATUS]: unknown_here })
      expect(await operations.charge(order)).toMatchObject({ outcome: 'failed', reason, code })
      expect(recorder.calls()).toEqual([CHARGE, STATUS])
      expect(recorder.alarms).toHaveLength(alarm ? 1 : 0)
    },
  )

  it.each(refusals)('that is refused with %s goes on when Airtel has it all the same', async (code) => {
    const operations = await open({ [CHARGE]: inEnvelope(code), [STATUS]: question('TIP', 'DP00800001006') })
    expect(await operations.charge(order)).toEqual({ outcome: 'accepted', remote_id: 'KR12x1' })
    expect(recorder.alarms).toEqual([])
  })

  it('that is refused is unknown while Airtel cannot be asked', async () => {
    const operations = await open({ [CHARGE]: inEnvelope('DP00800001007'), [STATUS]: { status: 502, body: '<html>' } })
    expect(await operations.charge(order)).toMatchObject({ outcome: 'unknown' })
  })

  it.each(ambiguous)('with the code %s is unknown, and is not asked about at once', async (code) => {
    const operations = await open({ [CHARGE]: inEnvelope(code) })
    expect(await operations.charge(order)).toMatchObject({ outcome: 'unknown', message: expect.stringContaining(code) })
    expect(recorder.calls()).toEqual([CHARGE])
  })

  it('that is ambiguous and failed is unknown', async () => {
    const both = envelope(undefined, 'DP00800001000', { result_code: 'ESB000011', success: false })
    const operations = await open({ [CHARGE]: both, [STATUS]: unknown_here })
    expect(await operations.charge(order)).toMatchObject({ outcome: 'unknown' })
  })

  const duplicate = envelope(undefined, 'DP00800001000', {
    code: '500',
    success: false,
    result_code: 'ESB000041',
    message: 'External Transaction ID already exists.',
  })

  it.each([
    [question('TS', 'DP00800001006', { airtel_money_id: 'MP1' }), { outcome: 'successful', remote_id: 'MP1' }],
    [question('TIP'), { outcome: 'accepted', remote_id: 'KR12x1' }],
    [question('TF', 'DP00800001007'), { outcome: 'failed', reason: 'insufficient_funds' }],
    [unknown_here, { outcome: 'unknown' }],
  ])('that exists already has the end that Airtel says', async (answer, outcome) => {
    const operations = await open({ [CHARGE]: duplicate, [STATUS]: answer })
    expect(await operations.charge(order)).toMatchObject(outcome)
  })

  it.each<[string, Answer]>([
    ['HTML', { body: '<html><body>It works!</body></html>' }],
    ['nothing', { body: '' }],
    ['half of the answer', { body: '{"data":{"transaction":{"id":"KR12x1"' }],
    ['less than it promised', { body: '{"data":1}', headers: { 'content-length': '500' } }],
    ['a list', { body: '[]' }],
    ['an object without codes', { body: '{}' }],
    ['an unknown code', envelope({ id: 'KR12x1', status: 'TF' }, 'DP00800001099', { result_code: 'ESB999' })],
    ['the code for an unknown order', unknown_here],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
    ['400 without codes', { status: 400, body: '{"error":"invalid_request"}' }],
    ['403', { status: 403, body: 'Forbidden' }],
    ['404', { status: 404, body: 'no Route matched with those values' }],
    ['408', { status: 408, body: { status_message: 'I/O Exception', status_code: 'CONNECTION_TIMEOUT' } }],
    ['429', { status: 429, body: '{"message":"API rate limit exceeded"}', headers: { 'retry-after': '30' } }],
    ['500 with a refusal', { ...inEnvelope('DP00800001007'), status: 500 }],
    ['502', { status: 502, body: 'Bad Gateway' }],
    ['503', { status: 503 }],
    ['a hang-up', { hang_up: true }],
  ])('that is answered with %s is unknown', async (_, answer) => {
    const operations = await open({ [CHARGE]: answer, [STATUS]: unknown_here })
    expect(await operations.charge(order)).toMatchObject({ outcome: 'unknown', message: expect.any(String) })
    expect(await operations.chargeStatus(order)).toEqual({ outcome: 'not_found' })
  })

  it('alerts the operator to a forbidden call', async () => {
    const operations = await open({ [CHARGE]: { status: 403, body: 'Forbidden' } })
    await operations.charge(order)
    expect(recorder.alarms).toEqual([expect.stringContaining('product is active')])
  })
})

describe('the question about a charge', () => {
  it.each<[string, Answer, object]>([
    ['TS', question('TS', 'DP00800001001', { airtel_money_id: 'MP1' }), { outcome: 'successful', remote_id: 'MP1' }],
    [
      'TS beside "in process"',
      question('TS', 'DP00800001006', { airtel_money_id: 'MP1' }),
      { outcome: 'successful', remote_id: 'MP1' },
    ],
    ['TS without a receipt', question('TS', 'DP00800001001'), { outcome: 'successful' }],
    ['TIP', question('TIP', 'DP00800001006'), { outcome: 'accepted', remote_id: 'KR12x1' }],
    ['TP', question('TP'), { outcome: 'accepted', remote_id: 'KR12x1' }],
    ['TA', question('TA', 'DP00800001000'), { outcome: 'accepted', remote_id: 'KR12x1' }],
    ['TA beside a refusal', question('TA', 'DP00800001007'), { outcome: 'accepted', remote_id: 'KR12x1' }],
    ['TE', question('TE', 'DP00800001029'), { outcome: 'failed', reason: 'prompt_expired', code: 'TE' }],
    ['TF without a reason', question('TF'), { outcome: 'failed', reason: 'rejected' }],
    ['TF with "in process"', question('TF', 'DP00800001006'), { outcome: 'failed', reason: 'rejected' }],
    [
      'TF with a new code',
      question('TF', 'DP00800001099'),
      { outcome: 'failed', reason: 'rejected', code: 'DP00800001099' },
    ],
    ['TF with "not found"', question('TF', 'DP00800001025'), { outcome: 'failed', reason: 'rejected' }],
    [
      'TF and words',
      question('TF', '', { message: 'Declined' }),
      { message: 'Airtel did not carry out the order (Declined).' },
    ],
    ['TF with "ambiguous"', question('TF', 'DP00800001000'), { outcome: 'unknown' }],
    ['TF with "timed out"', question('TF', 'DP00800001024'), { outcome: 'unknown' }],
    ['TR', question('TR'), { outcome: 'unknown' }],
    ['a new word', question('TX', 'DP00800001001'), { outcome: 'unknown' }],
    ['a word in lower case', question('ts', 'DP00800001001'), { outcome: 'unknown' }],
    ['SUCCESS, which is the word of a charge', question('SUCCESS', 'DP00800001001'), { outcome: 'unknown' }],
    ['no word', envelope({ id: 'KR12x1' }, 'DP00800001001'), { outcome: 'unknown' }],
    ['no transaction', envelope(undefined, 'DP00800001001'), { outcome: 'unknown' }],
    ['no word and a refusal', envelope({ id: 'KR12x1' }, 'DP00800001005'), { outcome: 'unknown' }],
    ['another order', envelope({ id: 'KR13x1', status: 'TS' }, 'DP00800001001'), { outcome: 'unknown' }],
    ['an id that is false', envelope({ id: false, status: 'TS' }, 'DP00800001001'), { outcome: 'successful' }],
    ['an unknown order (001025)', unknown_here, { outcome: 'not_found' }],
    ['an unknown order (ESB000045)', { ...inEnvelope('ESB000045'), status: 404 }, { outcome: 'not_found' }],
    ['404 without a code', { status: 404, body: '{"message":"no Route matched"}' }, { outcome: 'unknown' }],
    ['429', { status: 429, body: '{}' }, { outcome: 'unknown' }],
    ['500', { status: 500, body: question('TS', 'DP00800001001').body }, { outcome: 'unknown' }],
  ])('that is answered with %s', async (_, answer, outcome) => {
    const operations = await open({ [STATUS]: answer })
    expect(await operations.chargeStatus(order)).toMatchObject(outcome)
  })

  it.each(refusals)('that is answered with TF and %s fails with %s', async (code, reason) => {
    const refused = code.startsWith('DP')
      ? question('TF', code)
      : envelope({ id: 'KR12x1', status: 'TF' }, undefined, { result_code: code })
    const operations = await open({ [STATUS]: refused, [HOLDER]: { status: 500 } })
    expect(await operations.chargeStatus(order)).toMatchObject({ outcome: 'failed', reason, code })
  })

  it.each([
    [envelope(undefined, 'DP02200000002', { success: false }), 'payer_not_found'],
    [
      { body: { data: { first_name: 'Grace', msisdn: '752000001', is_barred: true }, status: { code: '200' } } },
      'not_allowed',
    ],
  ])('asks who holds the wallet when it is not permitted', async (holder, reason) => {
    const operations = await open({ [STATUS]: question('TF', 'DP00800001010'), [HOLDER]: holder })
    expect(await operations.chargeStatus(order)).toMatchObject({ outcome: 'failed', reason })
    expect(recorder.calls()).toEqual([STATUS, HOLDER])
  })

  it("never shows more of Airtel's words than a person reads", async () => {
    const words = `\u0000Declined\n\n${'x'.repeat(5_000)}`
    const answer = envelope({ id: 'KR12x1', status: 'TF' }, 'DP00800001099', { message: words })
    const operations = await open({ [STATUS]: answer })
    const { message } = (await operations.chargeStatus(order)) as { message: string }
    expect(message).toMatch(/\(Declined x+…\)/)
    expect(message.length).toBeLessThan(250)
  })
})
