import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  decryptCredential,
  openDriver,
  openRecordedNetwork,
  payout,
  refund,
  refusal,
  SECRET_ADDRESS,
} from './recorded-network.ts'

const network = await openRecordedNetwork()
afterAll(() => network.close())
beforeEach(() => {
  Object.assign(network, { requests: [], tokens: 0, answers: [], token_answer: undefined })
})

const taken = (OriginatorConversationID: string): Answer => ({
  body: {
    ConversationID: 'AG_20261122_2010112233445566',
    OriginatorConversationID,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  },
})
const unknown = { outcome: 'unknown', message: expect.any(String) }

/** A body with what differs from call to call replaced: the encrypted password, and the proofs of the addresses. */
function readable(body: string): string {
  const { SecurityCredential } = JSON.parse(body)
  expect(decryptCredential(SecurityCredential)).toBe('p#ss%word')
  return body.replace(SecurityCredential, 'CREDENTIAL').replaceAll(/-[0-9a-f]{32}"/g, '-PROOF"')
}

describe('a payout', () => {
  it('leaves as Daraja wants it, byte for byte', async () => {
    network.answers = [taken(payout.reference)]
    expect(await openDriver(network.url).operations.payout(payout)).toEqual({
      outcome: 'accepted',
      remote_id: 'AG_20261122_2010112233445566',
    })
    const [call] = network.calls()
    expect(call).toMatchObject({ method: 'POST', path: '/mpesa/b2c/v3/paymentrequest' })
    expect(readable(call!.body)).toBe(
      `{"OriginatorConversationID":"${payout.reference}","InitiatorName":"apiop","SecurityCredential":"CREDENTIAL",` +
        '"CommandID":"BusinessPayment","Amount":500,"PartyA":600996,"PartyB":254708374149,' +
        `"Remarks":"Refund of order 12","QueueTimeOutURL":"${SECRET_ADDRESS}/${payout.reference}/timeout-PROOF",` +
        `"ResultURL":"${SECRET_ADDRESS}/${payout.reference}/result-PROOF","Occassion":""}`,
    )
  })

  it('has remarks of at least two characters', async () => {
    network.answers = [taken(payout.reference)]
    const { operations } = openDriver(network.url, { payout_command: 'SalaryPayment' })
    await operations.payout({ ...payout, reason: 'é' })
    await operations.payout({ ...payout, reason: '💸' })
    expect(network.calls().map(({ body }) => JSON.parse(body).Remarks)).toEqual(['e.', 'Payment'])
    expect(JSON.parse(network.calls()[0]!.body).CommandID).toBe('SalaryPayment')
  })

  it.each([
    ['airtime', { kind: 'airtime' as const }],
    ['cents', { amount: 500_0001n }],
    ['a number of another country', { phonenumber: '+256772000001' }],
    ['another currency', { currency: 'UGX' }],
  ])('is refused without a call for %s', async (_name, change) => {
    const { operations } = openDriver(network.url)
    expect(await operations.payout({ ...payout, ...change })).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(network.requests).toEqual([])
  })

  it('does not leave with a certificate that cannot be used', async () => {
    const { operations, alarms } = openDriver(network.url, { certificate: 'no certificate' })
    expect(await operations.payout(payout)).toMatchObject({ outcome: 'failed', reason: 'not_allowed' })
    expect(network.requests).toEqual([])
    expect(alarms).toEqual([expect.stringContaining('certificate')])
  })

  it.each<[string, Answer]>([
    ['a duplicate', refusal('500.002.1001', 'Duplicate OriginatorConversationID.', 500)],
    ['an outage', refusal('500.002.1001', 'Service is currently under maintenance. Please try again later', 500)],
    ['an internal error', refusal('500.003.1001', 'Internal Server Error', 500)],
    ['429', { status: 429, body: '' }],
    ['HTML', { body: '<html></html>' }],
    ['a truncated answer', { body: '{"ConversationID":' }],
    ['another response code', { body: { ...(taken('x')!.body as object), ResponseCode: '7' } }],
    ['no id', { body: { ResponseCode: '0' } }],
    ['a hang-up', null],
  ])('is unknown after %s', async (_name, answer) => {
    network.answers = [answer]
    expect(await openDriver(network.url).operations.payout(payout)).toEqual(unknown)
    expect(network.calls()).toHaveLength(1)
  })

  it.each([
    ['Bad Request - Invalid PartyB', 'rejected', 0],
    ['Bad Request - Invalid InitiatorName', 'not_allowed', 1],
    ['Bad Request - Invalid SecurityCredential', 'not_allowed', 1],
    ['Bad Request - Invalid ResultURL', 'not_allowed', 1],
  ])('fails when Daraja refuses a field: %s', async (message, reason, alarms) => {
    network.answers = [refusal('400.002.02', message)]
    const driver = openDriver(network.url)
    expect(await driver.operations.payout(payout)).toMatchObject({ outcome: 'failed', reason, code: '400.002.02' })
    expect(driver.alarms).toHaveLength(alarms)
  })

  it('certainly does not leave without a token', async () => {
    network.token_answer = { status: 500, body: '' }
    expect(await openDriver(network.url).operations.payout(payout)).toMatchObject({
      outcome: 'failed',
      reason: 'unreachable',
    })
  })

  it('is not offered without an initiator or a short code', () => {
    expect(openDriver(network.url, { payout_short_code: undefined }).operations.payout).toBeUndefined()
    expect(openDriver(network.url, { initiator: undefined }).operations.payout).toBeUndefined()
    expect(openDriver(network.url, { initiator: undefined }).operations.refund).toBeUndefined()
  })
})

describe('the question about a payout', () => {
  it('leaves as Daraja wants it, byte for byte, and is answered later', async () => {
    network.answers = [taken('1234-5678-1')]
    expect(await openDriver(network.url).operations.payoutStatus(payout)).toEqual({ outcome: 'asked' })
    const [call] = network.calls()
    expect(call).toMatchObject({ method: 'POST', path: '/mpesa/transactionstatus/v1/query' })
    expect(readable(call!.body)).toBe(
      '{"Initiator":"apiop","SecurityCredential":"CREDENTIAL","CommandID":"TransactionStatusQuery","TransactionID":"",' +
        `"OriginatorConversationID":"${payout.reference}","OriginalConversationID":"${payout.reference}",` +
        `"PartyA":600996,"IdentifierType":"4","ResultURL":"${SECRET_ADDRESS}/${payout.reference}/status-PROOF",` +
        `"QueueTimeOutURL":"${SECRET_ADDRESS}/unanswered-PROOF","Remarks":"Status","Occasion":""}`,
    )
  })

  it.each<[string, Answer]>([
    ['a refusal', refusal('400.002.02', 'Bad Request - Invalid Initiator')],
    ['a 5xx', { status: 500, body: '' }],
    ['a hang-up', null],
  ])('says nothing after %s', async (_name, answer) => {
    network.answers = [answer]
    expect(await openDriver(network.url).operations.payoutStatus(payout)).toEqual(unknown)
  })

  it('says nothing without a token or a certificate', async () => {
    network.token_answer = { status: 500, body: '' }
    expect(await openDriver(network.url).operations.payoutStatus(payout)).toEqual(unknown)
    expect(await openDriver(network.url, { certificate: 'none' }).operations.payoutStatus(payout)).toEqual(unknown)
  })
})

describe('a refund', () => {
  it.each(['our reference', 'the id of the prompt'])('is not sent where %s stands in for the receipt', async (name) => {
    const { reference, remote_id } = refund.charge
    const transaction = name === 'our reference' ? reference : remote_id!
    const charge = { ...refund.charge, transaction }
    const answer = await openDriver(network.url).operations.refund({ ...refund, charge })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'rejected', message: expect.stringContaining('receipt') })
    expect(network.calls()).toEqual([])
    expect(openDriver(network.url).operations.canRefund(charge)).toBe(false)
    expect(openDriver(network.url).operations.canRefund(refund.charge)).toBe(true)
    expect(openDriver(network.url, { pull_transactions: true }).operations.canRefund(charge)).toBe(false)
  })

  it('leaves as Daraja wants it, byte for byte', async () => {
    network.answers = [taken('71840-27539181-07')]
    expect(await openDriver(network.url).operations.refund(refund)).toEqual({
      outcome: 'accepted',
      remote_id: '71840-27539181-07',
    })
    const [call] = network.calls()
    expect(call).toMatchObject({ method: 'POST', path: '/mpesa/reversal/v1/request' })
    expect(readable(call!.body)).toBe(
      '{"Initiator":"apiop","SecurityCredential":"CREDENTIAL","CommandID":"TransactionReversal",' +
        '"TransactionID":"UKM1ABC234","Amount":1500,"ReceiverParty":174379,"RecieverIdentifierType":"11",' +
        `"ResultURL":"${SECRET_ADDRESS}/${refund.reference}/refund-PROOF",` +
        `"QueueTimeOutURL":"${SECRET_ADDRESS}/${refund.reference}/timeout-PROOF","Remarks":"Wrong size","Occasion":""}`,
    )
  })

  it('is whole or refused', async () => {
    const { operations } = openDriver(network.url)
    expect(await operations.refund({ ...refund, amount: 700_0000n })).toMatchObject({
      outcome: 'failed',
      reason: 'rejected',
    })
    const charge = { ...refund.charge, transaction: '' }
    expect(await operations.refund({ ...refund, charge })).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(network.requests).toEqual([])
  })

  it('is unknown when its answer is lost', async () => {
    network.answers = [null]
    expect(await openDriver(network.url).operations.refund(refund)).toEqual(unknown)
  })

  it('is asked about by the id of Daraja', async () => {
    network.answers = [taken('1-2-3')]
    const { operations } = openDriver(network.url)
    expect(await operations.refundStatus({ ...refund, remote_id: '71840-27539181-07' })).toEqual({ outcome: 'asked' })
    expect(JSON.parse(network.calls()[0]!.body)).toMatchObject({
      OriginatorConversationID: '71840-27539181-07',
      OriginalConversationID: '71840-27539181-07',
      PartyA: 174379,
      TransactionID: '',
    })
    expect(await operations.refundStatus(refund)).toEqual(unknown)
  })
})

describe('the balance', () => {
  it('is asked for, byte for byte', async () => {
    network.answers = [taken('515-5258779-3')]
    expect(await openDriver(network.url).operations.balance()).toEqual({ outcome: 'asked' })
    const [call] = network.calls()
    expect(call).toMatchObject({ method: 'POST', path: '/mpesa/accountbalance/v1/query' })
    expect(readable(call!.body)).toBe(
      '{"Initiator":"apiop","SecurityCredential":"CREDENTIAL","CommandID":"AccountBalance","PartyA":600996,' +
        `"IdentifierType":"4","Remarks":"Balance","QueueTimeOutURL":"${SECRET_ADDRESS}/unanswered-PROOF",` +
        `"ResultURL":"${SECRET_ADDRESS}/balance-PROOF"}`,
    )
  })
})
