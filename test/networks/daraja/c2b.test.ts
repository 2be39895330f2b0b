import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type RawCallback, toRawBody } from '../../../src/drivers/raw-callback.ts'
import type { StatementLine } from '../../../src/lib/statements/statement-line.ts'
import { type Answer, NOW, openDriver, openRecordedNetwork, refusal, SECRET_ADDRESS } from './recorded-network.ts'

const network = await openRecordedNetwork()
afterAll(() => network.close())
beforeEach(() => {
  Object.assign(network, { requests: [], tokens: 0, answers: [], token_answer: undefined })
})

const SAFARICOM = '196.201.212.69'

const payment = {
  TransactionType: 'Pay Bill',
  TransID: 'UKM1ABC234',
  TransTime: '20261122093021',
  TransAmount: '1500.00',
  BusinessShortCode: 174379,
  BillRefNumber: 'Room 12',
  InvoiceNumber: '',
  OrgAccountBalance: '49197.00',
  ThirdPartyTransID: '',
  MSISDN: '2547 ***** 149',
  FirstName: 'GRACE',
  MiddleName: '',
  LastName: 'AKINYI',
}

function callback(path: string, content: object | string, address: string | null = SAFARICOM): RawCallback {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  return { method: 'POST', path, query: '', headers: {}, body, address }
}

const receipt = {
  remote_id: 'UKM1ABC234',
  status: 'successful',
  receiver: '174379',
  phonenumber: '+2547*****149',
  amount: 1500_0000n,
  currency: 'KES',
  order_reference: null,
  reference: 'Room 12',
  name: 'GRACE AKINYI',
  paid_at: new Date('2026-11-22T06:30:21Z'),
}

describe('a confirmation', () => {
  const { operations } = openDriver(network.url)
  const trusting = openDriver(network.url, { trust_confirmations: true }).operations

  it('only causes a look at the list of payments', () => {
    expect(operations.readCallback(callback('/confirmation', payment))).toEqual({
      subject: 'transaction',
      remote_id: 'UKM1ABC234',
      verified: false,
      receipt: null,
      account_number: 'Room 12',
    })
  })

  it('counts the account number only from an address of Safaricom', () => {
    const { readCallback } = operations
    expect(readCallback({ ...callback('/confirmation', payment), address: '8.8.8.8' })).toEqual({
      subject: 'transaction',
      remote_id: 'UKM1ABC234',
      verified: false,
      receipt: null,
    })
  })

  it("counts if the operator trusts the addresses, but only from Safaricom's", () => {
    expect(trusting.readCallback(callback('/confirmation', payment))).toEqual({
      subject: 'transaction',
      remote_id: 'UKM1ABC234',
      verified: true,
      receipt,
    })
    for (const address of ['203.0.113.9', null])
      expect(trusting.readCallback(callback('/confirmation', payment, address))).toMatchObject({ verified: false })
  })

  it.each([
    ['254708374149', '+254708374149'],
    [254708374149, '+254708374149'],
    ['0708374149', '+254708374149'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['', ''],
  ])('reads the phone number %j', (MSISDN, phonenumber) => {
    expect(trusting.readCallback(callback('/confirmation', { ...payment, MSISDN }))).toMatchObject({
      receipt: { phonenumber },
    })
  })

  it('may be about the money of a prompt, or of a till', () => {
    const read = (BillRefNumber: unknown) =>
      trusting.readCallback(callback('/confirmation', { ...payment, BillRefNumber }))
    expect(read('k7f3m2q9x4ab')).toMatchObject({
      receipt: { order_reference: 'k7f3m2q9x4ab', reference: 'k7f3m2q9x4ab' },
    })
    for (const empty of ['', null, undefined])
      expect(read(empty)).toMatchObject({ receipt: { order_reference: null, reference: null } })
  })

  it('to a till counts for the till, even if it names the store', () => {
    const till = openDriver(network.url, { trust_confirmations: true, kind: 'till', till: '5123456' }).operations
    for (const BusinessShortCode of ['5123456', '174379'])
      expect(till.readCallback(callback('/confirmation', { ...payment, BusinessShortCode }))).toMatchObject({
        receipt: { receiver: '5123456' },
      })
  })

  it.each([
    ['no JSON', 'x'],
    ['an amount of nothing', { ...payment, TransAmount: '0.00' }],
    ['an amount that is no number', { ...payment, TransAmount: '1e3' }],
    ['an id of another form', { ...payment, TransID: '../x' }],
    ['no short code', { ...payment, BusinessShortCode: undefined }],
  ])('is not recognized with %s', (_name, content) => {
    expect(trusting.readCallback(callback('/confirmation', content))).toMatchObject({ subject: 'unrecognized' })
  })

  it('that cannot be read is kept, and not answered with success', () => {
    const unread = callback('/confirmation', '{"TransID":')
    expect(trusting.readCallback(unread)).toMatchObject({ subject: 'unrecognized', verified: true })
    expect(trusting.callbackReply(unread)).toMatchObject({ status: 400 })
    expect(trusting.callbackReply(callback('/confirmation', payment))).toMatchObject({ status: 200 })
  })

  it('is read behind a byte order mark', () => {
    const marked = {
      ...callback('/confirmation', payment),
      ...toRawBody(Buffer.from(`\ufeff${JSON.stringify(payment)}`)),
    }
    expect(trusting.readCallback(marked)).toMatchObject({ subject: 'transaction', verified: true })
  })

  it.each(['TransTime', 'FirstName', 'MiddleName', 'LastName', 'BillRefNumber', 'MSISDN'] as const)(
    'is money whatever stands in %s',
    (name) => {
      for (const value of [undefined, null, {}, [], true, 'nonsense'])
        expect(trusting.readCallback(callback('/confirmation', { ...payment, [name]: value }))).toMatchObject({
          subject: 'transaction',
          verified: true,
          receipt: { remote_id: payment.TransID, status: 'successful' },
        })
    },
  )
})

describe('a validation', () => {
  const { operations } = openDriver(network.url)

  it('asks about a payment', () => {
    const asked = { ...payment, OrgAccountBalance: '' }
    expect(operations.readValidation(callback('/validation', asked))).toEqual({
      remote_id: 'UKM1ABC234',
      receiver: '174379',
      phonenumber: '+2547*****149',
      amount: 1500_0000n,
      currency: 'KES',
      reference: 'Room 12',
    })
    expect(operations.readValidation(callback('/confirmation', asked))).toBeUndefined()
    expect(operations.readValidation(callback('/validation', 'x'))).toBeUndefined()
  })

  it.each([
    ['accept', null, '{"ResultCode":"0","ResultDesc":"Accepted"}'],
    ['reject', null, '{"ResultCode":"C2B00016","ResultDesc":"Rejected"}'],
    ['reject', 'The shop is closed', '{"ResultCode":"C2B00016","ResultDesc":"Rejected"}'],
    ['reject', 'There is no such account', '{"ResultCode":"C2B00012","ResultDesc":"Rejected"}'],
    ['reject', 'Wrong amount', '{"ResultCode":"C2B00013","ResultDesc":"Rejected"}'],
    ['reject', 'Unknown phone', '{"ResultCode":"C2B00011","ResultDesc":"Rejected"}'],
  ] as const)('is answered: %s, %s', (verdict, reason, body) => {
    expect(operations.answerValidation(verdict, reason)).toEqual({
      status: 200,
      content_type: 'application/json',
      body,
    })
  })
})

const line = (changes: object = {}) => ({
  transactionId: 'UKM1ABC234',
  trxDate: '2026-11-22T06:20:00Z',
  msisdn: 708374149,
  sender: 'MPESA',
  transactiontype: 'c2b-pay-bill-debit',
  billreference: 'Room 12',
  amount: '1500.00',
  organizationname: 'Shop',
  ...changes,
})
const page = (...lines: object[]): Answer => ({
  body: { ResponseRefID: '26178-42530161-2', ResponseCode: '1000', ResponseMessage: 'Success', Response: [lines] },
})
const empty: Answer = {
  body: { ResponseRefID: '1', ResponseCode: '1001', ResponseMessage: 'No results', Response: '[[]]' },
}

describe('the list of payments', () => {
  const { operations, alarms } = openDriver(network.url, {
    pull_transactions: true,
    nominated_number: '254722000000',
  })
  const hours = (count: number) => new Date(NOW.getTime() - count * 3_600_000)
  const read = async (from = hours(2), to = NOW) => {
    const lines: StatementLine[] = []
    for await (const one of operations.statement({ from, to })) lines.push(one)
    return lines
  }

  it('is asked for page by page, byte for byte', async () => {
    network.answers = [
      page(line(), line({ transactionId: 'UKM1ABC235', amount: 20.5 })),
      page(line({ transactionId: 'UKM1ABC236' })),
      empty,
    ]
    expect(await read()).toEqual([
      {
        line: 1,
        remote_id: 'UKM1ABC234',
        amount: 1500_0000n,
        sent: false,
        status: 'successful',
        currency: 'KES',
        paid_at: new Date('2026-11-22T06:20:00Z'),
        reversal_of: null,
      },
      expect.objectContaining({ line: 2, remote_id: 'UKM1ABC235', amount: 20_5000n }),
      expect.objectContaining({ line: 3, remote_id: 'UKM1ABC236' }),
    ])
    expect(network.calls()[0]).toMatchObject({
      method: 'POST',
      path: '/pulltransactions/v1/query',
      body: '{"ShortCode":"174379","StartDate":"2026-11-22 07:30:00","EndDate":"2026-11-22 09:30:00","OffSetValue":"0"}',
    })
    expect(network.calls().map(({ body }) => JSON.parse(body).OffSetValue)).toEqual(['0', '2', '3'])
  })

  it('goes back for 48 hours, and is refused for more, so that a part does not pass for the whole', async () => {
    network.answers = [empty]
    expect(await read(hours(47.9))).toEqual([])
    expect(network.calls()).toHaveLength(1)
    await expect(read(hours(100))).rejects.toThrow('begin at 2026-11-20T06:31 or later')
    await expect(read(hours(100), hours(90))).rejects.toThrow('the last 48 hours only')
    expect(network.calls()).toHaveLength(1)
  })

  it('ends when a network that ignores the offset gives the same page again', async () => {
    network.answers = [page(line())]
    expect((await read()).map(({ remote_id }) => remote_id)).toEqual(['UKM1ABC234'])
  })

  it('may stand in a text, and in a flat list', async () => {
    for (const Response of [JSON.stringify([[line()]]), [line()]]) {
      network.answers = [{ body: { ResponseCode: 1000, Response } }, empty]
      expect(await read()).toHaveLength(1)
    }
  })

  it('leaves out unreadable payments, and alerts the operator', async () => {
    network.answers = [page(line({ amount: 'much' }), line({ transactionId: 'UKM1ABC235' })), empty]
    expect((await read()).map(({ remote_id }) => remote_id)).toEqual(['UKM1ABC235'])
    expect(alarms).toEqual([expect.stringContaining('1 payments')])
  })

  it('reads a date in the future as East Africa Time', async () => {
    network.answers = [page(line({ trxDate: '2026-11-22T09:20:00Z' })), empty]
    expect((await read())[0]!.paid_at).toEqual(new Date('2026-11-22T06:20:00Z'))
  })

  it.each<[string, Answer]>([
    ['an error', refusal('500.003.1001', 'Internal Server Error', 500)],
    ['another code', { body: { ResponseCode: '1002', Response: [[]] } }],
    ['another form', { body: { ResponseCode: '1000', Response: 'x' } }],
    ['a hang-up', null],
  ])('does not end quietly at %s', async (_name, answer) => {
    network.answers = [page(line()), answer]
    await expect(read()).rejects.toThrow(/\w/)
  })

  it('is how a payment is read back', async () => {
    network.answers = [page(line({ transactionId: 'UKM1ABC111' })), page(line()), empty]
    expect(await operations.transaction({ remote_id: 'UKM1ABC234' })).toEqual({
      outcome: 'found',
      receipt: { ...receipt, phonenumber: '+254708374149', name: null, paid_at: new Date('2026-11-22T06:20:00Z') },
    })
    network.answers = [empty]
    expect(await operations.transaction({ remote_id: 'UKM1ABC234' })).toMatchObject({ outcome: 'unknown' })
    network.answers = [page(line({ transactiontype: 'Pay Bill Reversal' })), empty]
    expect(await operations.transaction({ remote_id: 'UKM1ABC234' })).toMatchObject({ outcome: 'unknown' })
    network.answers = [null]
    expect(await operations.transaction({ remote_id: 'UKM1ABC234' })).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a payment without the list', () => {
  it('is asked about with the initiator, and the answer comes later', async () => {
    network.answers = [{ body: { ConversationID: 'AG_1', OriginatorConversationID: '1-2-3', ResponseCode: '0' } }]
    const { operations } = openDriver(network.url)
    expect(await operations.transaction({ remote_id: 'UKM1ABC234' })).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('will answer'),
    })
    expect(JSON.parse(network.calls()[0]!.body)).toMatchObject({
      TransactionID: 'UKM1ABC234',
      OriginatorConversationID: '',
      PartyA: 174379,
      ResultURL: expect.stringMatching(new RegExp(`^${SECRET_ADDRESS}/transaction-[0-9a-f]{20}-[0-9a-f]{32}$`)),
    })
  })

  it('cannot be read back without an initiator, and an id of another form is none', async () => {
    const { operations } = openDriver(network.url, { initiator: undefined })
    expect(await operations.transaction({ remote_id: 'UKM1ABC234' })).toMatchObject({ outcome: 'unknown' })
    for (const id of ['', '..', 'a/b', 'ukm1abc234', 'x'.repeat(5_000)])
      expect(await operations.transaction({ remote_id: id })).toEqual({ outcome: 'not_found' })
    expect(network.requests).toEqual([])
  })
})
