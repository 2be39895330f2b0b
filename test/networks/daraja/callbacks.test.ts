import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { RawCallback } from '../../../src/networks/callbacks.ts'
import { orderAddress, type Purpose, questionAddress } from '../../../src/networks/daraja/addresses.ts'
import {
  CHECKOUT_ID,
  openDriver,
  openRecordedNetwork,
  order,
  payout,
  refund,
  SECRET_ADDRESS,
} from './recorded-network.ts'

const network = await openRecordedNetwork()
afterAll(() => network.close())
const SAFARICOM = '196.201.214.200'
let driver = openDriver(network.url)
beforeEach(() => {
  driver = openDriver(network.url)
})

function pathOf(purpose: Purpose, reference: string): string {
  return orderAddress(driver, purpose, reference).slice(SECRET_ADDRESS.length)
}

function questionPath(purpose: Purpose, subject?: string): string {
  return questionAddress(driver, purpose, subject).slice(SECRET_ADDRESS.length)
}

function callback(path: string, content: object | string, address: string | null = SAFARICOM): RawCallback {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  return { method: 'POST', path, query: '', headers: { 'content-type': 'application/json' }, body, address }
}

const read = (path: string, content: object | string, address?: string | null) =>
  driver.operations.readCallback(callback(path, content, address))

const reply = (path: string) => driver.operations.callbackReply(callback(path, '{}'))

/** The end of a prompt. */
function ended(ResultCode: unknown, Item?: object[]) {
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: '29115-34620561-1',
        CheckoutRequestID: CHECKOUT_ID,
        ResultCode,
        ResultDesc: 'The service request is processed.',
        ...(Item && { CallbackMetadata: { Item } }),
      },
    },
  }
}

const paidItems = [
  { Name: 'TransactionDate', Value: 20261122093021 },
  { Name: 'Balance' },
  { Name: 'MpesaReceiptNumber', Value: 'UKM1ABC234' },
  { Name: 'PhoneNumber', Value: 254708374149 },
  { Name: 'Amount', Value: 1500.0 },
]

describe('the end of a prompt', () => {
  const path = () => pathOf('charge', order.reference)

  it('claims the receipt and the id to ask with, and is not verified', () => {
    expect(read(path(), ended(0, paidItems))).toEqual({
      subject: 'order',
      order: { reference: order.reference, remote_id: CHECKOUT_ID },
      verified: false,
      answer: {
        outcome: 'successful',
        remote_id: 'UKM1ABC234',
        amount: 1500_0000n,
        paid_at: new Date('2026-11-22T06:30:21Z'),
      },
    })
  })

  it.each([
    [1032, 'cancelled'],
    ['1032', 'cancelled'],
    [1037, 'prompt_expired'],
    [1, 'insufficient_funds'],
    [2001, 'wrong_pin'],
  ])('claims a failure: %j', (code, reason) => {
    expect(read(path(), ended(code))).toMatchObject({
      verified: false,
      answer: { outcome: 'failed', reason, code: String(code) },
    })
  })

  it('claims nothing with a code that is not known', () => {
    expect(read(path(), ended(7777))).toMatchObject({ verified: false, answer: { outcome: 'unknown' } })
    expect(read(path(), ended(4999))).toMatchObject({ verified: false, answer: { outcome: 'accepted' } })
  })

  it('only causes a question at an address that was not given out', () => {
    const other = pathOf('charge', 'another00000')
    for (const wrong of [
      `/${order.reference}/charge`,
      `/${order.reference}/charge-${'0'.repeat(32)}`,
      `/${order.reference}${other.slice(other.lastIndexOf('/'))}`,
    ])
      expect(read(wrong, ended(0, paidItems))).toEqual({
        subject: 'order',
        order: { reference: order.reference },
        verified: false,
        answer: { outcome: 'unknown', message: expect.any(String) },
      })
  })

  it.each([
    ['no JSON', 'paid'],
    ['another body', { Result: { ResultCode: 0 } }],
    ['no id', { Body: { stkCallback: { ResultCode: 0 } } }],
    ['a list', []],
    ['nothing', ''],
  ])('is not recognized with %s', (_name, content) => {
    expect(read(path(), content)).toMatchObject({ subject: 'unrecognized' })
  })
})

/** The report of what an API operator has started. */
function result(ResultCode: unknown, parameters?: Record<string, unknown>, changes: object = {}) {
  return {
    Result: {
      ResultType: 0,
      ResultCode,
      ResultDesc: 'The words.',
      OriginatorConversationID: payout.reference,
      ConversationID: 'AG_20261122_2010112233445566',
      TransactionID: 'UKM7XYZ890',
      ...(parameters && {
        ResultParameters: { ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })) },
      }),
      ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL', Value: `${SECRET_ADDRESS}/timeout` } },
      ...changes,
    },
  }
}

const sentParameters = {
  TransactionAmount: 500,
  TransactionReceipt: 'UKM7XYZ890',
  B2CRecipientIsRegisteredCustomer: 'Y',
  ReceiverPartyPublicName: '254708374149 - Grace A',
  TransactionCompletedDateTime: '22.11.2026 09:30:21',
  B2CUtilityAccountAvailableFunds: 10116.5,
}

describe('the result of a payout', () => {
  const path = () => pathOf('result', payout.reference)
  const named = { reference: payout.reference, remote_id: 'AG_20261122_2010112233445566' }

  it('counts at the address of this payout, from an address of Safaricom', () => {
    for (const code of [0, '0'])
      expect(read(path(), result(code, sentParameters))).toEqual({
        subject: 'order',
        order: named,
        verified: true,
        answer: {
          outcome: 'successful',
          remote_id: 'UKM7XYZ890',
          amount: 500_0000n,
          name: 'Grace A',
          paid_at: new Date('2026-11-22T06:30:21Z'),
        },
      })
  })

  it('causes a question from another address, and tells the operator', () => {
    expect(read(path(), result(0, sentParameters), '203.0.113.9')).toMatchObject({ order: named, verified: false })
    expect(driver.alarms).toEqual([expect.stringContaining('TRUST_PROXY')])
  })

  it('causes a question where senders are not known or not checked', () => {
    expect(read(path(), result(0, sentParameters), null)).toMatchObject({ verified: false })
    driver = openDriver(network.url, { sender_addresses: 'any' })
    expect(read(path(), result(0, sentParameters))).toMatchObject({ verified: false })
    expect(driver.alarms).toEqual([])
  })

  it('causes a question at an address that was not given out for it', () => {
    for (const wrong of [
      `/${payout.reference}/result`,
      pathOf('result', payout.reference).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      pathOf('timeout', payout.reference).replace('timeout', 'result'),
    ])
      expect(read(wrong, result(0, sentParameters))).toEqual({
        subject: 'order',
        order: { reference: payout.reference },
        verified: false,
        answer: { outcome: 'unknown', message: expect.any(String) },
      })
  })

  it.each([
    ['1', 'insufficient_funds', 1],
    ['2', 'limit_reached', 0],
    ['3', 'limit_reached', 0],
    ['4', 'limit_reached', 0],
    ['8', 'limit_reached', 0],
    ['11', 'not_allowed', 1],
    ['18', 'not_allowed', 1],
    ['20', 'not_allowed', 1],
    ['21', 'not_allowed', 1],
    ['22', 'not_allowed', 1],
    ['24', 'rejected', 0],
    ['25', 'rejected', 0],
    ['29', 'rejected', 0],
    ['2001', 'not_allowed', 1],
    ['2006', 'not_allowed', 1],
    ['2028', 'not_allowed', 1],
    ['2040', 'payee_not_found', 0],
    ['8006', 'not_allowed', 1],
    ['SFC_IC0003', 'payee_not_found', 0],
    ['R000002', 'rejected', 0],
    ['100000005', 'rejected', 0],
    ['100000010', 'not_allowed', 1],
  ])('says why it failed: %s is %s', (code, reason, alarms) => {
    const codes = /^\d+$/.test(code) ? [code, Number(code)] : [code]
    for (const one of codes) {
      driver = openDriver(network.url)
      expect(read(path(), result(one, undefined, { TransactionID: 'UKM0000000' }))).toEqual({
        subject: 'order',
        order: named,
        verified: true,
        answer: { outcome: 'failed', reason, message: 'The words.', code },
      })
      expect(driver.alarms).toHaveLength(alarms)
    }
  })

  it.each([
    '15',
    '17',
    '19',
    '26',
    '100000000',
    '100000001',
    '100000002',
    '100000004',
    '100000007',
    '100000009',
    '100000011',
    'R000001',
    '4711',
    'true',
  ])('says nothing certain: %s', (code) => {
    expect(read(path(), result(code))).toMatchObject({ verified: false, answer: { outcome: 'unknown' } })
  })

  it('does not take a placeholder for a receipt, and reads a single parameter', () => {
    const single = { ResultParameters: { ResultParameter: { Key: 'TransactionAmount', Value: '500.00' } } }
    expect(read(path(), result(0, undefined, { ...single, TransactionID: 'UKM0000000' }))).toMatchObject({
      verified: true,
      answer: { outcome: 'successful', amount: 500_0000n },
    })
    const { answer } = read(path(), result(0, undefined, { TransactionID: 'UKM0000000' })) as { answer: object }
    expect(answer).toEqual({ outcome: 'successful' })
  })

  it('means nothing about the money when it comes to the address for time-outs', () => {
    expect(read(pathOf('timeout', payout.reference), result(0, sentParameters))).toEqual({
      subject: 'order',
      order: { reference: payout.reference },
      verified: false,
      answer: { outcome: 'unknown', message: expect.stringContaining('queue') },
    })
  })

  it.each([
    ['no JSON', 'x'],
    ['the end of a prompt', ended(0, paidItems)],
    ['no code', { Result: {} }],
    ['a list', []],
  ])('is not recognized with %s', (_name, content) => {
    expect(read(path(), content)).toMatchObject({ subject: 'unrecognized' })
  })
})

describe('the result of a refund', () => {
  it('is named by the id that Daraja can be asked with', () => {
    const parameters = { Amount: '1500.00', TransCompletedTime: 20261122093021, OriginalTransactionID: 'UKM1ABC234' }
    const changes = { OriginatorConversationID: '71840-27539181-07' }
    expect(read(pathOf('refund', refund.reference), result('0', parameters, changes))).toEqual({
      subject: 'order',
      order: { reference: refund.reference, remote_id: '71840-27539181-07' },
      verified: true,
      answer: {
        outcome: 'successful',
        remote_id: 'UKM7XYZ890',
        amount: 1500_0000n,
        paid_at: new Date('2026-11-22T06:30:21Z'),
      },
    })
  })
})

describe('the answer to a question about a payout', () => {
  const path = () => pathOf('status', payout.reference)
  const found = (TransactionStatus: string | undefined, changes: object = {}) =>
    result(0, {
      DebitPartyName: '600996 - Shop',
      CreditPartyName: '254708374149 - Grace Akinyi',
      DebitPartyCharges: 'Fee For B2C Payment|KES|22.40',
      InitiatedTime: 20261122093020,
      FinalisedTime: 20261122093021,
      Amount: 500,
      ReceiptNo: 'UKM7XYZ890',
      ReasonType: 'Business Payment to Customer via API',
      OriginatorConversationID: payout.reference,
      ConversationID: 'AG_1',
      TransactionStatus,
      ...changes,
    })

  it('says that the money has arrived, with the fee', () => {
    for (const address of [SAFARICOM, null])
      expect(read(path(), found('Completed'), address)).toEqual({
        subject: 'order',
        order: { reference: payout.reference },
        verified: true,
        answer: {
          outcome: 'successful',
          remote_id: 'UKM7XYZ890',
          amount: 500_0000n,
          fee: 22_4000n,
          name: 'Grace Akinyi',
          paid_at: new Date('2026-11-22T06:30:21Z'),
        },
      })
  })

  it('adds several fees, and leaves out those that it cannot read', () => {
    const fee = (DebitPartyCharges: unknown) =>
      (read(path(), found('Completed', { DebitPartyCharges })) as { answer: { fee?: bigint } }).answer.fee
    expect(fee('Fee For B2C Payment|KES|22.40&Tax|KES|1')).toBe(23_4000n)
    expect(fee('Fee For B2C Payment|KES')).toBeUndefined()
    expect(fee(undefined)).toBeUndefined()
    expect(fee('Fee|USD|1')).toBeUndefined()
  })

  it.each(['Failed', 'Declined', 'Expired', 'Cancelled'])('says that it ended without money: %s', (word) => {
    expect(read(path(), found(word))).toMatchObject({
      verified: true,
      answer: { outcome: 'failed', reason: 'rejected', code: word },
    })
  })

  it('knows what is open, what was reversed, and that other words are not known', () => {
    const outcome = (word: string | undefined) => (read(path(), found(word)) as { answer: object }).answer
    expect(outcome('Pending')).toEqual({ outcome: 'accepted', remote_id: 'AG_1' })
    expect(outcome('Reversed')).toMatchObject({ outcome: 'reversed' })
    for (const word of ['Perhaps', '', undefined, 'Successful?'])
      expect(outcome(word)).toMatchObject({ outcome: 'unknown' })
  })

  it('says nothing about the money when the question fails', () => {
    for (const code of [2001, '2032', 'SFC_IC0003', 17, 1]) {
      expect(read(path(), result(code))).toMatchObject({ verified: true, answer: { outcome: 'unknown' } })
    }
    expect(driver.alarms).toEqual([expect.stringContaining('2001')])
  })

  it('is nothing at an address that was not given out, or from another sender', () => {
    expect(read(`/${payout.reference}/status-${'a'.repeat(32)}`, found('Failed'))).toMatchObject({
      subject: 'unrecognized',
    })
    expect(read(path(), found('Failed'), '203.0.113.9')).toMatchObject({ subject: 'unrecognized' })
    expect(
      read(pathOf('status', refund.reference).replace(refund.reference, payout.reference), found('Failed')),
    ).toMatchObject({
      subject: 'unrecognized',
    })
  })

  it('counts where senders cannot be checked', () => {
    driver = openDriver(network.url, { sender_addresses: 'any' })
    expect(read(path(), found('Completed'), '203.0.113.9')).toMatchObject({ verified: true })
  })
})

describe('the answer to a question about a payment', () => {
  const found = (changes: object = {}, code: unknown = 0) =>
    result(code, {
      DebitPartyName: '254708374149 - GRACE A - B',
      CreditPartyName: '174379 - Shop',
      InitiatedTime: 20261122093020,
      FinalisedTime: 20261122093021,
      Amount: '1500.00',
      ReceiptNo: 'UKM1ABC234',
      TransactionStatus: 'Completed',
      ...changes,
    })

  it('is a verified report of the money', () => {
    expect(read(questionPath('transaction', 'UKM1ABC234'), found())).toEqual({
      subject: 'transaction',
      remote_id: 'UKM1ABC234',
      verified: true,
      receipt: {
        remote_id: 'UKM1ABC234',
        status: 'successful',
        receiver: '174379',
        phonenumber: '+254708374149',
        amount: 1500_0000n,
        currency: 'KES',
        order_reference: null,
        reference: null,
        name: 'GRACE A - B',
        paid_at: new Date('2026-11-22T06:30:21Z'),
      },
    })
  })

  it.each([
    ['another receipt', found({ ReceiptNo: 'UKM1ABC999' })],
    ['no amount', found({ Amount: undefined })],
    ['another state', found({ TransactionStatus: 'Declined' })],
    ['a failed question', found({}, 2001)],
  ])('confirms nothing with %s', (_name, content) => {
    expect(read(questionPath('transaction', 'UKM1ABC234'), content)).toMatchObject({
      subject: 'unrecognized',
      verified: true,
    })
  })

  it('has a proof for one receipt', () => {
    const path = questionPath('transaction', 'UKM1ABC234')
    const other = path.replace(Buffer.from('UKM1ABC234').toString('hex'), Buffer.from('UKM1ABC999').toString('hex'))
    expect(read(other, found({ ReceiptNo: 'UKM1ABC999' }))).toMatchObject({ subject: 'unrecognized' })
  })
})

describe('the answer to the question for the balance', () => {
  it('has an amount for each account', () => {
    const AccountBalance =
      'Working Account|KES|700000.00|600000.00|100000.00|0.00&Utility Account|KES|228037.50|228037.50|0.00|0.00&Charges Paid Account|KES|-1540.00|-1540.00|0.00|0.00'
    expect(read(questionPath('balance'), result(0, { AccountBalance, BOCompletedTime: 20261122093021 }))).toEqual({
      subject: 'balance',
      verified: true,
      balances: [
        { currency: 'KES', amount: 700000_0000n, name: 'Working Account' },
        { currency: 'KES', amount: 228037_5000n, name: 'Utility Account' },
        { currency: 'KES', amount: -1540_0000n, name: 'Charges Paid Account' },
      ],
    })
  })

  it('says nothing when it is not whole, or when the question failed', () => {
    for (const content of [result(0, { AccountBalance: 'Working Account|KES' }), result(0), result(21)])
      expect(read(questionPath('balance'), content)).toMatchObject({ subject: 'unrecognized', verified: true })
    expect(driver.alarms).toEqual([expect.stringContaining('21')])
  })
})

describe('other addresses', () => {
  it('are not recognized', () => {
    for (const path of [
      '',
      '/',
      '/x',
      '/a/b/c',
      '/validation',
      questionPath('unanswered'),
      '/charge%',
      `/${order.reference}`,
    ])
      expect(read(path, ended(0, paidItems))).toMatchObject({ subject: expect.stringMatching(/unrecognized|order/) })
    expect(read(questionPath('unanswered'), result(0))).toMatchObject({ subject: 'unrecognized' })
  })

  it('get an answer all the same', () => {
    const json = { status: 200, content_type: 'application/json' }
    expect(reply(pathOf('charge', order.reference))).toEqual({
      ...json,
      body: '{"ResultCode":0,"ResultDesc":"Accepted"}',
    })
    expect(reply('/confirmation')).toEqual({ ...json, body: '{"ResultCode":0,"ResultDesc":"Success"}' })
  })

  it('hold none of the words that Daraja refuses', () => {
    const addresses = [
      orderAddress(driver, 'charge', order.reference),
      orderAddress(driver, 'refund', refund.reference),
      questionAddress(driver, 'transaction', 'UKEXECMD12'),
      questionAddress(driver, 'unanswered'),
    ]
    for (const address of addresses) expect(address).not.toMatch(/mpesa|m-pesa|safaricom|exe|cmd|sql|query/i)
  })
})
