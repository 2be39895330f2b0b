import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatEat,
  formatEatDate,
  readAmount,
  readEat,
  readPhone,
  toDarajaText,
  toMessage,
  toMsisdn,
  toShillings,
} from '../../../src/networks/daraja/wire.ts'
import { ended, openReader, result, sentParameters } from './callback-bodies.ts'
import { order, payout } from './recorded-network.ts'

describe('how Daraja writes', () => {
  it('dates: East Africa Time, also past midnight', () => {
    const date = new Date('2026-12-31T22:05:09Z')
    expect([formatEat(date), formatEatDate(date)]).toEqual(['20270101010509', '2027-01-01 01:05:09'])
    for (const text of [
      20270101010509,
      '01.01.2027 01:05:09',
      '2027-01-01 1:05:09',
      '2027-01-01T01:05:09',
      '2026-12-31T22:05:09Z',
    ])
      expect(readEat(text)).toEqual(date)
    for (const text of ['', undefined, '20271301010509', '2027-01-01', 'today', 2027])
      expect(readEat(text)).toBeUndefined()
  })

  it('amounts: whole shillings to Daraja, exact from it', () => {
    expect([toShillings(1500_0000n), toShillings(1n), toShillings(0n), toShillings(-10_000n)]).toEqual([
      1500,
      ...Array(3).fill(undefined),
    ])
    expect([readAmount('1,500.50'), readAmount(0.1), readAmount(' 7 '), readAmount('1e3')]).toEqual([
      1500_5000n,
      1000n,
      7_0000n,
      undefined,
    ])
    for (const nothing of [0, '0.00', -5, '-5', null, undefined, true, {}, 1e21])
      expect(readAmount(nothing)).toBeUndefined()
  })

  it('phones: as digits to Daraja, masked or not from it', () => {
    expect([toMsisdn('+254708374149'), toMsisdn('+256772000001'), toMsisdn('254708374149')]).toEqual([
      '254708374149',
      undefined,
      undefined,
    ])
    for (const text of ['254708374149', 254708374149, '0708374149', 708374149, '+254 708 374149'])
      expect(readPhone(text)).toBe('+254708374149')
    expect([readPhone('2547 ***** 149'), readPhone(undefined)]).toEqual(['+2547*****149', ''])
  })

  it('texts: letters, digits and a few marks', () => {
    expect(toDarajaText("Mama's café & söhne #12", 13, 'x')).toBe('Mamas cafe so')
    expect(toDarajaText('💸', 13, 'Payment')).toBe('Payment')
    expect([toMessage(' a\n b ', 'x'), toMessage('', 'x'), toMessage('y'.repeat(300), 'x').length]).toEqual([
      'a b',
      'x',
      200,
    ])
  })
})

describe('garbage in a callback', () => {
  const reader = openReader()
  const paths = [
    reader.pathOf('charge', order.reference),
    reader.pathOf('result', payout.reference),
    reader.pathOf('refund', payout.reference),
    reader.pathOf('status', payout.reference),
    reader.pathOf('timeout', payout.reference),
    reader.questionPath('balance'),
    reader.questionPath('transaction', 'UKM1ABC234'),
    '/confirmation',
    '/validation',
  ]
  const isEnd = (parsed: ReturnType<typeof reader.read>) =>
    parsed.subject === 'order' && ['successful', 'failed', 'reversed'].includes(parsed.answer.outcome)

  it('is never an end, and is never thrown back', () => {
    const bodies = fc.oneof(fc.json(), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.constantFrom(...paths), bodies, (path, body) => {
        expect(isEnd(reader.read(path, body))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('with an invalid code is never an end', () => {
    const codes = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        false,
        '',
        [],
        {},
        [0],
        'constructor',
        '__proto__',
        0.5,
        -0.1,
        '00',
        '0.0',
        ' 0',
      ),
      fc.string().map((text) => `~${text}`),
    )
    fc.assert(
      fc.property(codes, (code) => {
        expect(isEnd(reader.read(paths[0]!, ended(code)))).toBe(false)
        for (const path of paths.slice(1, 4)) expect(isEnd(reader.read(path, result(code, sentParameters)))).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('in an address is never ours', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        const parsed = reader.read(path.startsWith('/') ? path : `/${path}`, result(0, sentParameters))
        expect(parsed.verified ?? false).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
