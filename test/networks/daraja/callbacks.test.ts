import { beforeEach, describe, expect, it } from 'vitest'
import { orderAddress, queryAddress } from '../../../src/networks/daraja/addresses.ts'
import { ended, openReader, paidItems, result } from './callback-bodies.ts'
import { CHECKOUT_ID, order, refund } from './recorded-network.ts'

let reader = openReader()
beforeEach(() => {
  reader = openReader()
})

describe('the end of a prompt', () => {
  const path = () => reader.pathOf('charge', order.reference)

  it('claims the receipt and the id to ask with, and is not verified', () => {
    expect(reader.read(path(), ended(0, paidItems))).toEqual({
      subject: 'order',
      order: { reference: order.reference, remote_id: CHECKOUT_ID },
      verified: false,
      has_ids: true,
      answer: {
        outcome: 'successful',
        remote_id: 'UKM1ABC234',
        amount: 1500_0000n,
        paid_at: new Date('2026-11-22T06:30:21Z'),
      },
    })
  })

  it("has no ids if its address is not Safaricom's", () => {
    const parsed = reader.read(path(), ended(0, paidItems), '8.8.8.8')
    expect(parsed).toMatchObject({ order: { reference: order.reference }, verified: false })
    expect(parsed).not.toHaveProperty('has_ids')
    expect(parsed).not.toHaveProperty('order.remote_id')
  })

  it.each([
    [1032, 'cancelled'],
    ['1032', 'cancelled'],
    [1037, 'prompt_expired'],
    [1, 'insufficient_funds'],
    [2001, 'wrong_pin'],
  ])('claims a failure: %j', (code, reason) => {
    expect(reader.read(path(), ended(code))).toMatchObject({
      verified: false,
      answer: { outcome: 'failed', reason, code: String(code) },
    })
  })

  it('claims nothing with an unknown code', () => {
    expect(reader.read(path(), ended(7777))).toMatchObject({ verified: false, answer: { outcome: 'unknown' } })
    expect(reader.read(path(), ended(4999))).toMatchObject({ verified: false, answer: { outcome: 'accepted' } })
  })

  it('only causes a status query at an address that was not given out', () => {
    const other = reader.pathOf('charge', 'another00000')
    for (const wrong of [
      `/${order.reference}/charge`,
      `/${order.reference}/charge-${'0'.repeat(32)}`,
      `/${order.reference}${other.slice(other.lastIndexOf('/'))}`,
    ])
      expect(reader.read(wrong, ended(0, paidItems))).toEqual({
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
    expect(reader.read(path(), content)).toMatchObject({ subject: 'unrecognized' })
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
    expect(reader.read(reader.questionPath('transaction', 'UKM1ABC234'), found())).toEqual({
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
        hides_order: true,
        reference: null,
        name: 'GRACE A - B',
        paid_at: new Date('2026-11-22T06:30:21Z'),
      },
    })
  })

  it('has the account number of the confirmation in its address', () => {
    expect(reader.read(reader.questionPath('transaction', 'UKM1ABC234 Room 12'), found())).toMatchObject({
      remote_id: 'UKM1ABC234',
      receipt: { remote_id: 'UKM1ABC234', reference: 'Room 12', order_reference: null },
    })
    const ours = reader.questionPath('transaction', `UKM1ABC234 ${order.reference}`)
    expect(reader.read(ours, found())).toMatchObject({ receipt: { order_reference: order.reference } })
  })

  it.each([
    ['another receipt', found({ ReceiptNo: 'UKM1ABC999' })],
    ['no amount', found({ Amount: undefined })],
    ['another state', found({ TransactionStatus: 'Declined' })],
    ['a failed question', found({}, 2001)],
  ])('confirms nothing with %s', (_name, content) => {
    expect(reader.read(reader.questionPath('transaction', 'UKM1ABC234'), content)).toMatchObject({
      subject: 'unrecognized',
      verified: true,
    })
  })

  it('has a proof for one receipt', () => {
    const path = reader.questionPath('transaction', 'UKM1ABC234')
    const other = path.replace(Buffer.from('UKM1ABC234').toString('hex'), Buffer.from('UKM1ABC999').toString('hex'))
    expect(reader.read(other, found({ ReceiptNo: 'UKM1ABC999' }))).toMatchObject({ subject: 'unrecognized' })
  })
})

describe('the answer to the question for the balance', () => {
  it('has an amount for each account', () => {
    const AccountBalance =
      'Working Account|KES|700000.00|600000.00|100000.00|0.00&Utility Account|KES|228037.50|228037.50|0.00|0.00&Charges Paid Account|KES|-1540.00|-1540.00|0.00|0.00'
    expect(
      reader.read(reader.questionPath('balance'), result(0, { AccountBalance, BOCompletedTime: 20261122093021 })),
    ).toEqual({
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
      expect(reader.read(reader.questionPath('balance'), content)).toMatchObject({
        subject: 'unrecognized',
        verified: true,
      })
    expect(reader.alarms).toEqual([expect.stringContaining('21')])
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
      reader.questionPath('unanswered'),
      '/charge%',
      `/${order.reference}`,
    ])
      expect(reader.read(path, ended(0, paidItems))).toMatchObject({
        subject: expect.stringMatching(/unrecognized|order/),
      })
    expect(reader.read(reader.questionPath('unanswered'), result(0))).toMatchObject({ subject: 'unrecognized' })
  })

  it('get an answer all the same', () => {
    const json = { status: 200, content_type: 'application/json' }
    expect(reader.reply(reader.pathOf('charge', order.reference))).toEqual({
      ...json,
      body: '{"ResultCode":0,"ResultDesc":"Accepted"}',
    })
    // A confirmation without a payment is not processed.
    expect(reader.reply('/confirmation')).toMatchObject({ status: 400 })
  })

  it('contain no word that Daraja refuses', () => {
    const addresses = [
      orderAddress(reader, 'charge', order.reference),
      orderAddress(reader, 'refund', refund.reference),
      queryAddress(reader, 'transaction', 'UKEXECMD12'),
      queryAddress(reader, 'unanswered'),
    ]
    for (const address of addresses) expect(address).not.toMatch(/mpesa|m-pesa|safaricom|exe|cmd|sql|query/i)
  })
})
