import { describe, expect, it } from 'vitest'
import { failureReasons, refusals, refusalWords } from '../../../src/senders/africas-talking/codes.ts'
import { africasTalking } from '../../../src/senders/africas-talking/index.ts'
import { type Answer, CALLBACK_URL, faultsOf, nonsense, openSms, sms } from '../sms-test.ts'

const settings = { username: 'mamasshop', api_key: 'atsk_0123456789' }
const open = () => openSms(africasTalking, settings)

const recipient = {
  statusCode: 101,
  number: sms.phonenumber,
  status: 'Success',
  cost: 'UGX 35.0000',
  messageId: 'ATXid_1',
  messageParts: 1,
}
const answerWith = (...Recipients: object[]): Answer => ({
  status: 201,
  body: { SMSMessageData: { Message: 'Sent to 1/1 Total Cost: UGX 35.0000', Recipients } },
})

describe('an SMS', () => {
  it('is one form, byte for byte', async () => {
    const { sendWith, calls } = open()
    await sendWith(answerWith(recipient))
    expect(calls).toEqual([
      {
        verb: 'sms',
        method: 'POST',
        url: 'https://api.example.com/version1/messaging',
        headers: {
          apiKey: 'atsk_0123456789',
          Accept: 'application/json',
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'username=mamasshop&to=%2B256772123456&message=Pay+1500+%26+confirm+%2B+%22*165%23%22&from=MAMASHOP&bulkSMSMode=1&retryDurationInHours=2',
      },
    ])
  })

  it('has no sender where none is set, and is retried for an hour at least', async () => {
    const { sendWith, calls } = open()
    await sendWith(answerWith(recipient), { sender: null, valid_s: 60 })
    expect(calls[0]!.body).toBe(
      'username=mamasshop&to=%2B256772123456&message=Pay+1500+%26+confirm+%2B+%22*165%23%22&bulkSMSMode=1&retryDurationInHours=1',
    )
  })

  it.each([100, 101, 102])('is taken with %i', async (statusCode) => {
    expect(await open().sendWith(answerWith({ ...recipient, statusCode }))).toEqual({
      outcome: 'sent',
      remote_id: 'ATXid_1',
      parts: 1,
      cost: { amount: 350_000n, currency: 'UGX' },
    })
  })

  it('has no cost while it is only queued', async () => {
    const answer = await open().sendWith(answerWith({ ...recipient, statusCode: 102, cost: '0', messageParts: null }))
    expect(answer).toEqual({ outcome: 'sent', remote_id: 'ATXid_1' })
  })

  const codes: [number, string, boolean][] = [
    [401, 'rejected', false],
    [402, 'invalid_sender', false],
    [403, 'invalid_number', false],
    [404, 'invalid_number', false],
    [405, 'no_credit', true],
    [406, 'opted_out', false],
    [407, 'no_route', true],
    [409, 'not_allowed', false],
    [500, 'rejected', true],
    [501, 'rejected', true],
    [502, 'rejected', true],
  ]
  it.each(codes)('is refused with %i: %s', async (statusCode, reason, retry) => {
    const { sendWith, alarms } = open()
    const answer = await sendWith(answerWith({ ...recipient, statusCode, messageId: 'None', cost: '0' }))
    expect(answer).toMatchObject({ outcome: 'failed', reason, retry, code: String(statusCode) })
    expect(alarms.length).toBe([401, 402, 405, 407, 502].includes(statusCode) ? 1 : 0)
  })

  it('has a test for each code', () => {
    expect(codes.map(([code]) => code)).toEqual(Object.keys(refusals).map(Number))
  })

  it.each(Object.entries(refusalWords))('is refused by the word %s in place of recipients', async (Message, code) => {
    const answer = await open().sendWith({ status: 201, body: { SMSMessageData: { Message, Recipients: [] } } })
    expect(answer).toMatchObject({ outcome: 'failed', code: String(code) })
  })

  it('is refused with HTTP 401 and a text, for the credentials', async () => {
    const { sendWith, alarms } = open()
    const answer = await sendWith({ status: 401, body: 'The supplied authentication is invalid' })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'credentials', retry: true })
    expect(alarms).toEqual([expect.stringMatching(/username and api_key/)])
  })

  it('is refused with HTTP 409, at night in Nigeria', async () => {
    expect(await open().sendWith({ status: 409 })).toMatchObject({ outcome: 'failed', reason: 'not_allowed' })
  })

  it.each([
    ...nonsense,
    ['too many calls', { status: 429, body: 'Too many requests' }],
    ['an unknown code', answerWith({ ...recipient, statusCode: 777 })],
    ['another phone', answerWith({ ...recipient, number: '+256772999999' })],
    ['an unknown word', { status: 201, body: { SMSMessageData: { Message: 'Odd', Recipients: [] } } }],
  ] satisfies typeof nonsense)('is unknown after %s', async (_, answer) => {
    expect(await open().sendWith(answer)).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/\w/) })
  })
})

describe('a callback', () => {
  const report = (fields: Record<string, string>) =>
    open().read({ body: new URLSearchParams({ id: 'ATXid_1', phoneNumber: sms.phonenumber, ...fields }).toString() })

  it.each([
    ['Success', 'delivered'],
    ['Sent', 'sent'],
    ['Submitted', 'sent'],
    ['Buffered', 'sent'],
  ])('with %s reports %s', (status, state) => {
    expect(report({ status, failureReason: 'DeliveryFailure' })).toEqual({
      subject: 'reports',
      verified: true,
      reports: [{ sms: { remote_id: 'ATXid_1' }, state }],
    })
  })

  it.each([
    ['Failed', 'undelivered'],
    ['Rejected', 'rejected'],
    ['Expired', 'expired'],
    ['AbsentSubscriber', 'unreachable'],
  ])('with %s reports a failure: %s', (status, reason) => {
    expect(report({ status })).toMatchObject({ reports: [{ state: 'failed', reason, code: status }] })
  })

  it.each([
    ['InsufficientCredit', 'no_credit'],
    ['InvalidLinkId', 'rejected'],
    ['UserIsInactive', 'unreachable'],
    ['UserInBlackList', 'opted_out'],
    ['UserAccountSuspended', 'unreachable'],
    ['NotNetworkSubcriber', 'invalid_number'],
    ['NotNetworkSubscriber', 'invalid_number'],
    ['UserNotSubscribedToProduct', 'not_allowed'],
    ['UserDoesNotExist', 'invalid_number'],
    ['DeliveryFailure', 'undelivered'],
    ['DoNotDisturbRejection', 'not_allowed'],
  ])('with the reason %s reports a failure: %s', (failureReason, reason) => {
    expect(Object.keys(failureReasons)).toContain(failureReason)
    expect(report({ status: 'Failed', failureReason })).toMatchObject({
      reports: [{ state: 'failed', reason, code: failureReason }],
    })
  })

  it('with an unknown word is kept for a person', () => {
    expect(report({ status: 'Teleported' })).toMatchObject({ subject: 'unrecognized' })
    expect(open().read({ body: 'hello' })).toMatchObject({ subject: 'unrecognized' })
  })

  it('hands over an SMS of a customer', () => {
    const body = 'date=2026-11-22+09%3A30%3A00&from=%2B256772123456&id=42&linkId=&text=STOP&to=22123&networkCode=64110'
    expect(open().read({ body })).toEqual({
      subject: 'incoming',
      verified: true,
      messages: [{ remote_id: '42', from: '+256772123456', to: '22123', text: 'STOP' }],
    })
  })

  it('hands over an opt-out as STOP', () => {
    expect(open().read({ body: 'phoneNumber=%2B256772123456&senderId=MAMASHOP' })).toMatchObject({
      subject: 'incoming',
      verified: true,
      messages: [{ is_digest: true, from: '+256772123456', to: 'MAMASHOP', text: 'STOP' }],
    })
  })
})

describe('the connection', () => {
  it('reports its balance', async () => {
    const { operations, answer, calls } = open()
    answer({ body: { UserData: { balance: 'UGX 1500.5000' } } })
    expect(await operations.balance!()).toEqual({
      outcome: 'found',
      balances: [{ currency: 'UGX', amount: 15_005_000n }],
    })
    expect(calls[0]).toMatchObject({ method: 'GET', url: 'https://api.example.com/version1/user?username=mamasshop' })
  })

  it('is tested: it names the wrong setting, and the targets of the addresses', async () => {
    const { testWith } = open()
    const [balance, addresses] = await testWith({ body: { UserData: { balance: 'UGX 20.0000' } } })
    expect(balance).toMatchObject({ outcome: 'ok', message: expect.stringMatching(/UGX 20\./) })
    expect(addresses!.message).toContain(`${CALLBACK_URL}/report`)
    expect(await testWith({ status: 401, body: 'no' })).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/username and api_key/) },
      {},
    ])
    expect(await testWith({ body: { UserData: { balance: 'UGX 0.0000' } } })).toMatchObject([{ outcome: 'failed' }, {}])
    expect(await testWith({ status: 500 })).toMatchObject([{ outcome: 'unknown' }, {}])
  })

  it('has the username sandbox in the sandbox, and only there', () => {
    expect(faultsOf(africasTalking, 'sandbox', settings)).toHaveProperty('username')
    expect(faultsOf(africasTalking, 'production', { ...settings, username: 'sandbox' })).toHaveProperty('username')
    expect(faultsOf(africasTalking, 'production', settings)).toEqual({})
  })
})
