import { beforeEach, describe, expect, it } from 'vitest'
import { ended, openReader, paidItems, result, SAFARICOM, sentParameters } from './callback-bodies.ts'
import { payout, refund } from './recorded-network.ts'

let reader = openReader()
beforeEach(() => {
  reader = openReader()
})

describe('the result of a payout', () => {
  const path = () => reader.pathOf('result', payout.reference)
  const named = { reference: payout.reference, remote_id: 'AG_20261122_2010112233445566' }

  it('counts at the address of this payout, from an address of Safaricom', () => {
    for (const code of [0, '0'])
      expect(reader.read(path(), result(code, sentParameters))).toEqual({
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

  it('causes a status query from another address, and alerts the operator', () => {
    expect(reader.read(path(), result(0, sentParameters), '203.0.113.9')).toMatchObject({
      order: named,
      verified: false,
    })
    expect(reader.alarms).toEqual([expect.stringContaining('TRUST_PROXY')])
  })

  it('causes a question where senders are not known or not checked', () => {
    expect(reader.read(path(), result(0, sentParameters), null)).toMatchObject({ verified: false })
    reader = openReader({ sender_addresses: 'any' })
    expect(reader.read(path(), result(0, sentParameters))).toMatchObject({ verified: false })
    expect(reader.alarms).toEqual([])
  })

  it('causes a status query at an address that was not given out for it', () => {
    for (const wrong of [
      `/${payout.reference}/result`,
      reader.pathOf('result', payout.reference).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      reader.pathOf('timeout', payout.reference).replace('timeout', 'result'),
    ])
      expect(reader.read(wrong, result(0, sentParameters))).toEqual({
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
  ])('gives the reason for its failure: %s is %s', (code, reason, alarms) => {
    const codes = /^\d+$/.test(code) ? [code, Number(code)] : [code]
    for (const one of codes) {
      reader = openReader()
      expect(reader.read(path(), result(one, undefined, { TransactionID: 'UKM0000000' }))).toEqual({
        subject: 'order',
        order: named,
        verified: true,
        answer: { outcome: 'failed', reason, message: 'The words.', code },
      })
      expect(reader.alarms).toHaveLength(alarms)
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
  ])('is unknown: %s', (code) => {
    expect(reader.read(path(), result(code))).toMatchObject({ verified: false, answer: { outcome: 'unknown' } })
  })

  it('does not take a placeholder for a receipt, and reads a single parameter', () => {
    const single = { ResultParameters: { ResultParameter: { Key: 'TransactionAmount', Value: '500.00' } } }
    expect(reader.read(path(), result(0, undefined, { ...single, TransactionID: 'UKM0000000' }))).toMatchObject({
      verified: true,
      answer: { outcome: 'successful', amount: 500_0000n },
    })
    const { answer } = reader.read(path(), result(0, undefined, { TransactionID: 'UKM0000000' })) as { answer: object }
    expect(answer).toEqual({ outcome: 'successful' })
  })

  it('means nothing about the money when it comes to the address for time-outs', () => {
    expect(reader.read(reader.pathOf('timeout', payout.reference), result(0, sentParameters))).toEqual({
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
    expect(reader.read(path(), content)).toMatchObject({ subject: 'unrecognized' })
  })
})

describe('the result of a refund', () => {
  it('is named by the id that Daraja can be asked with', () => {
    const parameters = { Amount: '1500.00', TransCompletedTime: 20261122093021, OriginalTransactionID: 'UKM1ABC234' }
    const changes = { OriginatorConversationID: '71840-27539181-07' }
    expect(reader.read(reader.pathOf('refund', refund.reference), result('0', parameters, changes))).toEqual({
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
  const path = () => reader.pathOf('status', payout.reference)
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

  it('reports that the money has arrived, with the fee', () => {
    for (const address of [SAFARICOM, null])
      expect(reader.read(path(), found('Completed'), address)).toEqual({
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
      (reader.read(path(), found('Completed', { DebitPartyCharges })) as { answer: { fee?: bigint } }).answer.fee
    expect(fee('Fee For B2C Payment|KES|22.40&Tax|KES|1')).toBe(23_4000n)
    expect(fee('Fee For B2C Payment|KES')).toBeUndefined()
    expect(fee(undefined)).toBeUndefined()
    expect(fee('Fee|USD|1')).toBeUndefined()
  })

  it.each(['Failed', 'Declined', 'Expired', 'Cancelled'])('reports an end without money: %s', (word) => {
    expect(reader.read(path(), found(word))).toMatchObject({
      verified: true,
      answer: { outcome: 'failed', reason: 'rejected', code: word },
    })
  })

  it('distinguishes open and reversed payouts from unknown words', () => {
    const outcome = (word: string | undefined) => (reader.read(path(), found(word)) as { answer: object }).answer
    expect(outcome('Pending')).toEqual({ outcome: 'accepted', remote_id: 'AG_1' })
    expect(outcome('Reversed')).toMatchObject({ outcome: 'reversed' })
    for (const word of ['Perhaps', '', undefined, 'Successful?'])
      expect(outcome(word)).toMatchObject({ outcome: 'unknown' })
  })

  it("leaves the money's state open when the query fails", () => {
    for (const code of [2001, '2032', 'SFC_IC0003', 17, 1]) {
      expect(reader.read(path(), result(code))).toMatchObject({ verified: true, answer: { outcome: 'unknown' } })
    }
    expect(reader.alarms).toEqual([expect.stringContaining('2001')])
  })

  it('is ignored at an address that was not given out, or from another sender', () => {
    expect(reader.read(`/${payout.reference}/status-${'a'.repeat(32)}`, found('Failed'))).toMatchObject({
      subject: 'unrecognized',
    })
    expect(reader.read(path(), found('Failed'), '203.0.113.9')).toMatchObject({ subject: 'unrecognized' })
    expect(
      reader.read(
        reader.pathOf('status', refund.reference).replace(refund.reference, payout.reference),
        found('Failed'),
      ),
    ).toMatchObject({
      subject: 'unrecognized',
    })
  })

  it('counts where senders cannot be checked', () => {
    reader = openReader({ sender_addresses: 'any' })
    expect(reader.read(path(), found('Completed'), '203.0.113.9')).toMatchObject({ verified: true })
  })
})
