import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Amount,
  countDecimals,
  displayAmount,
  formatAmount,
  parseAmount,
  parseDisplayedAmount,
  shortAmount,
} from '../../src/lib/money.ts'

/** Up to 38 digits, the longest sum in the database. */
const amounts: fc.Arbitrary<Amount> = fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n })

describe('parseAmount', () => {
  it.each<[string, Amount]>([
    ['1500', 15_000_000n],
    ['1500.5', 15_005_000n],
    ['100.2', 1_002_000n],
    ['5.0', 50_000n],
    ['0.0001', 1n],
    ['007', 70_000n],
    ['+3', 30_000n],
    ['-0.5', -5000n],
    ['12.', 120_000n],
    ['1.50000000', 15_000n],
    ['999999999999999.9999', 9_999_999_999_999_999_999n],
  ])('reads %s exactly', (text, amount) => {
    expect(parseAmount(text)).toBe(amount)
  })

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '1,500',
    '1 500',
    '1_500',
    '1e3',
    '0x10',
    '1.00001',
    '--1',
    '1.2.3',
    'NaN',
    'Infinity',
    '١',
  ])('refuses "%s"', (text) => {
    expect(parseAmount(text)).toBeUndefined()
  })

  it('reads back the texts of formatAmount', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseAmount(formatAmount(amount))).toBe(amount)
      }),
    )
  })
})

describe('formatAmount', () => {
  it('always writes four decimals', () => {
    expect(formatAmount(15_005_000n)).toBe('1500.5000')
    expect(formatAmount(0n)).toBe('0.0000')
    expect(formatAmount(-1n)).toBe('-0.0001')
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(formatAmount(amount)).toMatch(/^-?(0|[1-9]\d*)\.\d{4}$/)
      }),
    )
  })
})

describe('displayAmount', () => {
  it.each<[Amount, string]>([
    [15_000_000n, '1,500'],
    [15_005_000n, '1,500.50'],
    [-15_005_000n, '-1,500.50'],
    [1_234n, '0.1234'],
    [12_345_678_901n, '1,234,567.8901'],
    [9_990_000n, '999'],
    [0n, '0'],
    [-15_000_000n, '-1,500'],
  ])('writes %s for people', (amount, text) => {
    expect(displayAmount(amount)).toBe(text)
  })

  it('is read back by parseDisplayedAmount, which accepts commas between thousands only', () => {
    expect([parseDisplayedAmount('1,500.50'), parseDisplayedAmount('1,50'), parseDisplayedAmount('1,5000')]).toEqual([
      15_005_000n,
      undefined,
      undefined,
    ])
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseDisplayedAmount(displayAmount(amount))).toBe(amount)
      }),
    )
  })
})

describe('countDecimals', () => {
  it.each<[Amount, number]>([
    [0n, 0],
    [15_000_000n, 0],
    [15_005_000n, 1],
    [-2500n, 2],
    [1n, 4],
  ])('counts the decimals of %s', (amount, decimals) => {
    expect(countDecimals(amount)).toBe(decimals)
  })

  it('agrees with shortAmount', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(countDecimals(amount)).toBe((shortAmount(amount).split('.')[1] ?? '').length)
      }),
    )
  })
})
