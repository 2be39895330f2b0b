import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { vtpass } from '../../../src/billers/vtpass/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

const settings = { api_key: 'our-api-key', public_key: 'PK_ours', secret_key: 'SK_ours' }
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(vtpass, settings, { hosts: (url) => ({ api: url }) })
})
afterEach(() => recorder.close())

const REQUEST_ID = '202611220915KB17'
const transaction = (code: string, status: string, more: object = {}) => ({
  code,
  requestId: REQUEST_ID,
  amount: '100.00',
  transaction_date: { date: '2026-11-22 09:15:31.000000' },
  content: { transactions: { status, transactionId: '17325', amount: 100, commission: 3 } },
  response_description: 'TRANSACTION SUCCESSFUL',
  ...more,
})
const words = (code: string, description = 'SOME WORDS') => ({ code, content: [], response_description: description })

/** The answer to a purchase, and the alarms it raised. */
async function pay(body: object | string, status = 200, order = providerVend()) {
  recorder.answer('POST /pay', { status, body })
  return { answer: await recorder.operations.vend(order), alarms: recorder.tools.alarms }
}

async function ask(body: object | string, status = 200) {
  recorder.answer('POST /requery', { status, body })
  return { answer: await recorder.operations.vendStatus(providerVend()), alarms: recorder.tools.alarms }
}

describe('the state of a transaction', () => {
  it.each([
    ['000', 'delivered', { outcome: 'successful', remote_id: '17325' }],
    ['001', 'delivered', { outcome: 'successful', remote_id: '17325' }],
    ['000', 'initiated', { outcome: 'accepted', remote_id: '17325' }],
    ['000', 'pending', { outcome: 'accepted', remote_id: '17325' }],
    ['001', 'pending', { outcome: 'accepted', remote_id: '17325' }],
    ['099', 'pending', { outcome: 'accepted', remote_id: '17325' }],
    ['099', 'initiated', { outcome: 'accepted', remote_id: '17325' }],
    ['000', 'failed', { outcome: 'failed', reason: 'declined' }],
    ['001', 'failed', { outcome: 'failed', reason: 'declined' }],
    ['016', 'failed', { outcome: 'failed', reason: 'declined' }],
    ['000', 'reversed', { outcome: 'failed', reason: 'declined' }],
    ['040', 'reversed', { outcome: 'failed', reason: 'declined' }],
    ['091', 'failed', { outcome: 'failed', reason: 'declined' }],
    ['044', 'resolved', { outcome: 'unknown' }],
    ['000', 'resolved', { outcome: 'unknown' }],
    ['000', 'something new', { outcome: 'unknown' }],
    ['000', 'constructor', { outcome: 'unknown' }],
    ['123', 'delivered', { outcome: 'unknown' }],
    ['016', 'delivered', { outcome: 'unknown' }],
    ['040', 'delivered', { outcome: 'unknown' }],
  ])('code %s with %s', async (code, status, expected) => {
    expect((await pay(transaction(code, status))).answer).toMatchObject(expected)
    expect((await ask(transaction(code, status))).answer).toMatchObject(expected)
  })

  it('099 without a transaction is accepted under our own request id', async () => {
    expect((await pay(words('099'))).answer).toEqual({ outcome: 'accepted', remote_id: REQUEST_ID })
  })

  it('044 alerts the operator to ask VTpass', async () => {
    expect((await ask(transaction('044', 'resolved'))).alarms).toEqual([expect.stringContaining('ask VTpass')])
  })

  it('of another purchase is unknown', async () => {
    const other = transaction('000', 'delivered', { requestId: '202611220915KB18' })
    expect((await pay(other)).answer).toMatchObject({ outcome: 'unknown' })
    expect((await ask(other)).answer).toMatchObject({ outcome: 'unknown' })
  })

  it('is not read from an answer with 403, 429 or 5xx', async () => {
    for (const status of [403, 404, 429, 500, 502, 503])
      for (const code of ['016', '018', '015'])
        expect((await pay(transaction(code, 'failed'), status)).answer).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a refusal', () => {
  it.each([
    ['010', 'rejected', false],
    ['011', 'rejected', false],
    ['012', 'rejected', false],
    ['013', 'amount_refused', false],
    ['015', 'rejected', false],
    ['017', 'amount_refused', false],
    ['018', 'no_funds_at_biller', true],
    ['021', 'rejected', true],
    ['022', 'rejected', true],
    ['023', 'rejected', true],
    ['024', 'rejected', true],
    ['025', 'account_not_found', false],
    ['026', 'account_not_found', false],
    ['027', 'rejected', true],
    ['028', 'service_inactive', true],
    ['030', 'no_answer', false],
    ['031', 'amount_refused', false],
    ['032', 'amount_refused', false],
    ['034', 'service_inactive', false],
    ['035', 'service_inactive', false],
    ['085', 'rejected', false],
  ])('%s is %s', async (code, reason, has_alarm) => {
    const { answer, alarms } = await pay(words(code))
    expect(answer).toMatchObject({ outcome: 'failed', reason, message: expect.stringContaining(code) })
    expect(alarms).toHaveLength(has_alarm ? 1 : 0)
  })

  it.each(['010', '011', '012', '013', '017', '018', '021', '027', '030', '034', '085'])(
    '%s as the answer to a question says nothing about the purchase',
    async (code) => expect((await ask(words(code))).answer).toMatchObject({ outcome: 'unknown' }),
  )

  it.each(['020', '083', '089'])('%s is no refusal: the purchase is asked about', async (code) => {
    expect((await pay(words(code))).answer).toMatchObject({ outcome: 'unknown' })
    expect((await ask(words(code))).answer).toMatchObject({ outcome: 'unknown' })
  })

  it('087 is unknown, and alerts the operator to the wrong settings', async () => {
    const { answer, alarms } = await pay(words('087', 'INVALID CREDENTIALS our-api-key'))
    expect(answer).toMatchObject({ outcome: 'unknown', message: expect.not.stringContaining('our-api-key') })
    expect(alarms).toEqual([expect.stringMatching(/api_key.*environment/)])
  })

  it('a code that is a number counts as the same code', async () => {
    expect((await pay({ ...words('018'), code: 18 })).answer).toMatchObject({ reason: 'no_funds_at_biller' })
  })
})

describe('a question', () => {
  it('015 is not_found', async () => {
    expect((await ask(words('015'))).answer).toEqual({ outcome: 'not_found' })
  })
})

describe('a purchase that is sent again', () => {
  it('014 causes a status query at once, and returns the state of the first call', async () => {
    recorder.answer('POST /requery', { body: transaction('000', 'delivered') })
    expect((await pay(words('014'))).answer).toMatchObject({ outcome: 'successful' })
    expect(recorder.requests.map(({ path }) => path)).toEqual(['/pay', '/requery'])
  })

  it('014 is never a failure, even if the query finds nothing or gets no answer', async () => {
    recorder.answer('POST /requery', { body: words('015') })
    expect((await pay(words('014'))).answer).toMatchObject({ outcome: 'unknown' })
    recorder.answer('POST /requery', { status: 500, body: '' })
    expect((await pay(words('014'))).answer).toMatchObject({ outcome: 'unknown' })
  })

  it('on another day only asks, because VTpass would refuse its request id', async () => {
    recorder.clock.now = new Date('2026-11-23T08:00:00Z')
    recorder.answer('POST /requery', { body: transaction('000', 'delivered') })
    expect(await recorder.operations.vend(providerVend())).toMatchObject({ outcome: 'successful' })
    recorder.answer('POST /requery', { body: words('015') })
    expect(await recorder.operations.vend(providerVend())).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    // A call of the last minute of the day may still arrive.
    recorder.clock.now = new Date('2026-11-22T23:01:00Z')
    expect(await recorder.operations.vend(providerVend())).toMatchObject({ outcome: 'unknown' })
    expect(new Set(recorder.requests.map(({ path }) => path))).toEqual(new Set(['/requery']))
    expect(recorder.requests[0]!.body).toBe(`{"request_id":"${REQUEST_ID}"}`)
  })
})
