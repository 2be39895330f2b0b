import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  CHECKOUT_ID,
  openDriver,
  openRecordedNetwork,
  order,
  refusal,
  SECRET_ADDRESS,
  sent,
} from './recorded-network.ts'

const network = await openRecordedNetwork()
afterAll(() => network.close())
beforeEach(() => {
  Object.assign(network, { requests: [], tokens: 0, answers: [], token_answer: undefined })
})

const taken = {
  body: {
    MerchantRequestID: '29115-34620561-1',
    CheckoutRequestID: CHECKOUT_ID,
    ResponseCode: '0',
    ResponseDescription: 'Success. Request accepted for processing',
    CustomerMessage: 'Success. Request accepted for processing',
  },
}
const unknown = { outcome: 'unknown', message: expect.any(String) }

describe('a prompt', () => {
  it('leaves as Daraja wants it, byte for byte', async () => {
    network.answers = [taken]
    expect(await openDriver(network.url).operations.charge(order)).toEqual({
      outcome: 'accepted',
      remote_id: CHECKOUT_ID,
    })
    const [token, call] = network.requests
    expect(token).toMatchObject({
      method: 'GET',
      path: '/oauth/v1/generate?grant_type=client_credentials',
      headers: { authorization: 'Basic dGhlLWtleTp0aGUtc2VjcmV0' },
      body: '',
    })
    expect(call).toMatchObject({
      method: 'POST',
      path: '/mpesa/stkpush/v1/processrequest',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    })
    const password = Buffer.from('174379the-passkey20261122093000').toString('base64')
    expect(call!.body.replace(/charge-[0-9a-f]{32}/, 'charge-PROOF')).toBe(
      `{"BusinessShortCode":174379,"Password":"${password}","Timestamp":"20261122093000",` +
        '"TransactionType":"CustomerPayBillOnline","Amount":1500,"PartyA":254708374149,"PartyB":174379,' +
        `"PhoneNumber":254708374149,"CallBackURL":"${SECRET_ADDRESS}/k7f3m2q9x4ab/charge-PROOF",` +
        '"AccountReference":"k7f3m2q9x4ab","TransactionDesc":"Order 12 Cafe"}',
    )
  })

  it('goes to the till, in the name of the store number, and to no other number', async () => {
    network.answers = [taken]
    const { operations, alarms } = openDriver(network.url, { kind: 'till', till: '5123456' })
    await operations.charge({ ...order, receiver: '5123456' })
    expect(JSON.parse(network.calls()[0]!.body)).toMatchObject({
      BusinessShortCode: 174379,
      TransactionType: 'CustomerBuyGoodsOnline',
      PartyB: 5123456,
    })
    expect(await operations.charge({ ...order, receiver: 'shop' })).toMatchObject({
      outcome: 'failed',
      reason: 'not_allowed',
    })
    expect(network.calls()).toHaveLength(1)
    expect(alarms).toEqual([expect.stringContaining('5123456')])
  })

  it('has no forbidden word in its address, whatever the reference spells', async () => {
    network.answers = [taken]
    const { operations } = openDriver(network.url)
    await operations.charge({ ...order, reference: 'a1SQLexe9cmd' })
    const { CallBackURL } = JSON.parse(network.calls()[0]!.body)
    expect(CallBackURL).not.toMatch(/mpesa|m-pesa|safaricom|exe|cmd|sql|query/i)
    const path = CallBackURL.slice(SECRET_ADDRESS.length)
    const body = JSON.stringify({ Body: { stkCallback: { CheckoutRequestID: CHECKOUT_ID, ResultCode: 1032 } } })
    const callback = { method: 'POST', path, query: '', headers: {}, body, address: null }
    expect(operations.readCallback(callback)).toMatchObject({ order: { reference: 'a1SQLexe9cmd' } })
  })

  it.each([
    ['cents', { amount: 1500_5000n }],
    ['nothing', { amount: 0n }],
    ['a number of another country', { phonenumber: '+256772000001' }],
    ['another currency', { currency: 'UGX' }],
  ])('is refused without a call for %s', async (_name, change) => {
    const { operations } = openDriver(network.url)
    expect(await operations.charge({ ...order, ...change })).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(network.requests).toEqual([])
  })

  it.each([
    ['400.002.02', 'Bad Request - Invalid PhoneNumber', 'rejected', 0],
    ['400.002.05', 'Invalid Request Payload', 'rejected', 0],
    ['400.003.02', 'Bad Request', 'rejected', 0],
    ['400.002.02', 'Bad Request - Invalid CallBackURL', 'not_allowed', 1],
    ['400.002.02', 'Bad Request - Invalid BusinessShortCode', 'not_allowed', 1],
    ['500.001.1001', 'Merchant does not exist', 'not_allowed', 1],
    ['500.001.1001', 'Wrong credentials', 'not_allowed', 1],
    [
      '500.001.1001',
      'Unable to lock subscriber, a transaction is already in process for the current subscriber',
      'unreachable',
      0,
    ],
  ])('fails when Daraja refuses it: %s %s', async (code, message, reason, alarms) => {
    for (const status of [200, 400, 500]) {
      network.answers = [refusal(code, message, status)]
      const driver = openDriver(network.url)
      expect(await driver.operations.charge(order)).toEqual({ outcome: 'failed', reason, message, code })
      expect(driver.alarms).toHaveLength(alarms)
    }
  })

  it.each<[string, Answer]>([
    ['an HTML page', { status: 200, body: '<html>Service unavailable</html>' }],
    ['a 5xx', { status: 503, body: '' }],
    ['an empty answer', { body: '' }],
    ['a truncated answer', { body: '{"ResponseCode":"0","CheckoutReq' }],
    ['a hang-up', null],
    [
      '429',
      { status: 429, body: { errorCode: '429', errorMessage: 'Too many requests' }, headers: { 'retry-after': '9' } },
    ],
    ['spike arrest', refusal('500.003.02', 'Error Occurred: Spike Arrest Violation', 500)],
    ['the quota', refusal('500.003.03', 'Error Occurred: Quota Violation', 500)],
    ['System busy', refusal('500.001.1001', 'System busy. Please try again', 500)],
    ['an open prompt', refusal('500.001.1001', 'The transaction is being processed', 500)],
    ['a wrong path', refusal('404.001.01', 'Resource not found', 404)],
    ['wrong headers', refusal('404.001.04', 'Invalid Authentication Header', 404)],
    ['a wrong method', refusal('405.001', 'Method Not Allowed', 405)],
    ['an internal error', refusal('500.003.1001', 'Internal Server Error', 500)],
    ['another response code', { body: { ...taken.body, ResponseCode: '1' } }],
    ['no id', { body: { ResponseCode: '0' } }],
    ['the id beside a 500', { ...taken, status: 500 }],
    ['a list', { body: [] }],
  ])('is unknown after %s', async (_name, answer) => {
    network.answers = [answer]
    expect(await openDriver(network.url).operations.charge(order)).toEqual(unknown)
    expect(network.calls()).toHaveLength(1)
  })

  it.each([
    ['the product is missing', refusal('401.001.05', 'Invalid API call as no apiproduct match found', 401), 'failed'],
    [
      'the gateway refuses it',
      { status: 401, body: { fault: { faultstring: 'Invalid API call as no apiproduct match found', detail: {} } } },
      'failed',
    ],
    ['there is no subscription', refusal('403.001', 'Forbidden', 403), 'unknown'],
  ])('alerts the operator when %s', async (_name, answer, outcome) => {
    network.answers = [answer]
    const { operations, alarms } = openDriver(network.url)
    expect(await operations.charge(order)).toMatchObject({ outcome })
    expect(alarms).toEqual([expect.stringContaining('has no product')])
  })

  it.each([
    ['404.001.03', 'Invalid Access Token'],
    ['400.003.01', 'Invalid Access Token'],
    ['401.002.01', 'Error Occurred - Invalid Access Token - xyz'],
    ['401.001', 'Unauthorized'],
    ['999.999', 'Bad Request - invalid access token'],
    ['999.999', 'A spelling that nobody knows', 401],
    ['', '', 401],
  ])('is sent once more with a new token after %s %s', async (code, message, status = 404) => {
    network.answers = [code === '' ? { status, body: '' } : refusal(code, message, status), taken]
    expect(await openDriver(network.url).operations.charge(order)).toMatchObject({ outcome: 'accepted' })
    expect(network.calls().map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
    expect(network.calls()[1]!.body).toBe(network.calls()[0]!.body)
  })

  it.each([
    ['', refusal('404.001.03', 'Invalid Access Token', 404)],
    [' with an empty answer', { status: 401, body: '' }],
    [' with a page', { status: 401, body: '<html>' }],
  ])('is certainly not sent when a new token is refused%s, too', async (_name, answer) => {
    network.answers = [answer]
    const { operations, alarms } = openDriver(network.url)
    expect(await operations.charge(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
    expect([network.calls().length, alarms.length]).toEqual([2, 1])
  })

  it.each<[string, Answer, number]>([
    ['refuses the credentials', refusal('400.008.01', 'Invalid Authentication passed'), 1],
    ['refuses the credentials with an empty body', { status: 400, body: '' }, 1],
    ['is down', { status: 503, body: '<html>' }, 0],
    ['gives a token that never was', { body: { access_token: '', expires_in: '3599' } }, 0],
    ['hangs up', null, 0],
  ])('certainly does not leave when the token call %s', async (_name, answer, alarms) => {
    network.token_answer = answer
    const driver = openDriver(network.url)
    expect(await driver.operations.charge(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
    expect(network.calls()).toEqual([])
    expect(driver.alarms).toHaveLength(alarms)
    expect(driver.alarms.join()).not.toMatch(/the-key|the-secret/)
  })

  it('accepts how long a token lives as a number, too', async () => {
    network.token_answer = { body: { access_token: 'abc', expires_in: 3599 } }
    network.answers = [taken]
    expect(await openDriver(network.url).operations.charge(order)).toMatchObject({ outcome: 'accepted' })
  })

  it('is not offered without a passkey', () => {
    expect(openDriver(network.url, { passkey: undefined }).operations.charge).toBeUndefined()
  })
})

describe('the question about a prompt', () => {
  const state = (ResultCode: unknown, changes: object = {}): Answer => ({
    body: {
      ResponseCode: '0',
      ResponseDescription: 'The service request has been accepted successsfully',
      MerchantRequestID: '22205-34066-1',
      CheckoutRequestID: CHECKOUT_ID,
      ResultCode,
      ResultDesc: 'words',
      ...changes,
    },
  })
  const ask = (answer: Answer) => {
    network.answers = [answer]
    return openDriver(network.url).operations.chargeStatus(sent)
  }

  it('leaves as Daraja wants it, byte for byte', async () => {
    await ask(state('0'))
    const password = Buffer.from('174379the-passkey20261122093000').toString('base64')
    expect(network.calls()[0]).toMatchObject({
      method: 'POST',
      path: '/mpesa/stkpushquery/v1/query',
      body: `{"BusinessShortCode":174379,"Password":"${password}","Timestamp":"20261122093000","CheckoutRequestID":"${CHECKOUT_ID}"}`,
    })
  })

  it.each([['0'], [0]])('finds that it was paid: %j', async (code) => {
    expect(await ask(state(code))).toEqual({ outcome: 'successful' })
  })

  it.each([
    ['1', 'insufficient_funds'],
    ['2', 'limit_reached'],
    ['3', 'limit_reached'],
    ['4', 'limit_reached'],
    ['8', 'limit_reached'],
    ['17', 'unreachable'],
    ['26', 'unreachable'],
    ['1001', 'unreachable'],
    ['1019', 'prompt_expired'],
    ['1025', 'unreachable'],
    ['9999', 'unreachable'],
    ['1032', 'cancelled'],
    ['1037', 'prompt_expired'],
    ['2001', 'wrong_pin'],
    ['2028', 'not_allowed'],
    ['SFC_IC0003', 'not_allowed'],
    ['8006', 'not_allowed'],
    [1032, 'cancelled'],
  ])('finds the reason for its failure: %j is %s', async (code, reason) => {
    const message = reason === 'wrong_pin' ? 'The customer entered a wrong PIN.' : 'words'
    expect(await ask(state(code))).toEqual({ outcome: 'failed', reason, message, code: String(code) })
  })

  it.each(['9999', 1032, '500.001.1001'])('is open where words say so, whatever the code: %j', async (code) => {
    const words = 'The transaction is still under processing'
    expect(await ask(state(code, { ResultDesc: words }))).toMatchObject({ outcome: 'accepted' })
  })

  it('alerts the operator to faults that only the operator can repair', async () => {
    for (const code of ['2028', 'SFC_IC0003', '8006']) {
      network.answers = [state(code)]
      const { operations, alarms } = openDriver(network.url)
      await operations.chargeStatus(sent)
      expect(alarms).toEqual([expect.stringContaining(code)])
    }
  })

  it.each<[string, Answer]>([
    ['4999', state('4999', { ResultDesc: 'The transaction is still under processing' })],
    ['500.001.1001', refusal('500.001.1001', 'The transaction is being processed', 500)],
    ['500.001.1001 with HTTP 200', refusal('500.001.1001', 'The transaction is being processed', 200)],
  ])('finds that it is open: %s', async (_name, answer) => {
    expect(await ask(answer)).toEqual({ outcome: 'accepted', remote_id: CHECKOUT_ID })
  })

  it.each<[string, Answer]>([
    ['a code that is not known', state('7777')],
    ['a code that is a word', state('Paid')],
    ['a code that is true', state(true)],
    ['no code', state(undefined)],
    ['another prompt', state('0', { CheckoutRequestID: 'ws_CO_other' })],
    ['another response code', state('0', { ResponseCode: '1' })],
    ['other words of the same error', refusal('500.001.1001', 'System busy', 500)],
    ['a wrong password', refusal('500.001.1001', 'Wrong credentials', 500)],
    ['a refused field', refusal('400.002.02', 'Bad Request - Invalid CheckoutRequestID', 400)],
    ['spike arrest', refusal('500.003.02', 'Spike Arrest', 500)],
    ['success beside a 500', { ...state('0'), status: 500 } as Answer],
    ['HTML', { body: '<html></html>' }],
    ['a hang-up', null],
  ])('returns unknown: %s', async (_name, answer) => {
    expect(await ask(answer)).toEqual(unknown)
  })

  it('is impossible without the id, unless the list of payments shows the reference', async () => {
    expect(await openDriver(network.url).operations.chargeStatus(order)).toEqual(unknown)
    expect(network.requests).toEqual([])
    const line = {
      transactionId: 'UKM1ABC234',
      trxDate: '2026-11-22T06:28:00Z',
      msisdn: 708374149,
      transactiontype: 'c2b-pay-bill-debit',
    }
    const page = (billreference: string): Answer => ({
      body: {
        ResponseRefID: '1',
        ResponseCode: '1000',
        ResponseMessage: 'Success',
        Response: [[{ ...line, billreference, amount: '1500.00' }]],
      },
    })
    const empty: Answer = { body: { ResponseCode: '1001', ResponseMessage: 'No records', Response: '[[]]' } }
    const { operations } = openDriver(network.url, { pull_transactions: true })
    network.answers = [page(order.reference)]
    expect(await operations.chargeStatus(order)).toEqual({
      outcome: 'successful',
      remote_id: 'UKM1ABC234',
      amount: 1500_0000n,
      paid_at: new Date('2026-11-22T06:28:00Z'),
    })
    network.answers = [page('another'), empty]
    expect(await operations.chargeStatus(order)).toEqual(unknown)
    network.token_answer = { status: 500, body: '' }
    expect(await openDriver(network.url).operations.chargeStatus(sent)).toEqual(unknown)
  })
})
