import { describe, expect, it } from 'vitest'
import { formatAmount, shortAmount } from '../../src/lib/money.ts'
import { groupTypedAmount, readTypedAmount } from '../../src/lib/typed-amount.ts'

function read(text: string, place = {}): string {
  const found = readTypedAmount(text, place)
  return 'amount' in found ? shortAmount(found.amount) : 'refused'
}

describe('readTypedAmount', () => {
  it.each([
    ['25,000', '25000'],
    ['25000', '25000'],
    ['25 000', '25000'],
    ['25\u00a0000', '25000'],
    ['25\u202f000.50', '25000.5'],
    ["12'500", '12500'],
    ['1,234,567.25', '1234567.25'],
    ['1.234.567,25', '1234567.25'],
    ['1.234.567', '1234567'],
    ['1,00,000', '100000'],
    ['25,000/=', '25000'],
    ['25,000/-', '25000'],
    ['shs 700', '700'],
    ['150.50', '150.5'],
    ['1500,5', '1500.5'],
    ['1500.0000', '1500'],
    ['150.0000', '150'],
    ['\u200e25,000', '25000'],
    ['-1,500', '-1500'],
    ['0.125', '0.125'],
    ['0,125', '0.125'],
  ])('reads "%s" as %s', (text, amount) => {
    expect(read(text)).toBe(amount)
  })

  it.each([
    ['UGX 25,000', 'UGX', '25000'],
    ['25,000 ugx', 'UGX', '25000'],
    ['Ush 25,000/=', 'UGX', '25000'],
    ['Ksh 1,500.50', 'KES', '1500.5'],
    ['KSh.1500', 'KES', '1500'],
    ['₦5,000', 'NGN', '5000'],
    ['N5,000', 'NGN', '5000'],
  ])(
    'reads "%s", which names %s, as %s, and refuses it where the currency is another one or not known',
    (text, currency, amount) => {
      expect(read(text, { currency })).toBe(amount)
      expect(read(text, { currency: 'BXC' })).toBe('refused')
      expect(read(text)).toBe('refused')
    },
  )

  it.each([
    '',
    'abc',
    '150.000',
    '1.500',
    '25,00,0',
    '1,2345',
    '25,000,00',
    '12,34,567,8',
    '1.5.5',
    '1e5',
    '1,500.5.0',
    '1 50',
    'UGX',
    'UGX 5 KES 5 X',
    '٣',
    '9'.repeat(80),
  ])('refuses "%s"', (text) => {
    expect(read(text)).toBe('refused')
  })

  it('reads a point as people of the country do', () => {
    expect(read('150.000', { country: 'UG' })).toBe('refused')
    expect(read('150.000', { country: 'TR' })).toBe('150000')
    expect(read('150,000', { country: 'KE' })).toBe('150000')
    expect(read('150,000', { country: 'TR' })).toBe('refused')
  })

  it('refuses another currency, and decimals that the currency does not have', () => {
    expect(readTypedAmount('KES 500', { currency: 'UGX' })).toEqual({ message: 'Write the amount in UGX, not in KES.' })
    expect(readTypedAmount('100.50', { currency: 'UGX', decimals: 0 })).toEqual({
      message: 'This amount has more decimals than UGX has.',
    })
    expect(read('Ksh 500', { currency: 'KES', decimals: 2 })).toBe('500')
    expect(read('100.00', { currency: 'UGX', decimals: 0 })).toBe('100')
  })

  it('separates thousands while they are typed, and never changes what was typed in another way', () => {
    const type = (text: string, country?: string) =>
      [...text].reduce((shown, sign) => groupTypedAmount(shown + sign, shown, country), '')
    expect(['25000', '1234567', '1500.50', '025', '0.5'].map((text) => type(text))).toEqual([
      '25,000',
      '1,234,567',
      '1,500.50',
      '025',
      '0.5',
    ])
    expect(type('150000', 'TR')).toBe('150.000')
    expect(groupTypedAmount('25,00', '25,000')).toBe('2,500')
    expect(groupTypedAmount('25000', '')).toBe('25,000')
    for (const text of ['1500,5', '25,00', '150.000', 'UGX 25000']) expect(groupTypedAmount(text, '')).toBe(text)
    expect([type('1500,5'), read(type('1500,5'))]).toEqual(['1,500,5', 'refused'])
  })

  it('separates thousands with spaces on a French page, and reads them', () => {
    const type = (text: string) =>
      [...text].reduce((shown, sign) => groupTypedAmount(shown + sign, shown, 'UG', 'fr'), '')
    expect(type('1250000,50')).toBe('1\u202f250\u202f000,50')
    for (const text of [type('1250000,50'), '1 250 000,50', '1\u00a0250\u00a0000,50 UGX'])
      expect(readTypedAmount(text, { country: 'UG', currency: 'UGX' })).toEqual({ amount: 12_500_005_000n })
    for (const text of ['25 000', '1500.50', '25,000']) expect(groupTypedAmount(text, '', 'UG', 'fr')).toBe(text)
  })

  it('reads what the interface writes', () => {
    for (const amount of [1n, 15_000_000n, 1_500_000n, 10_000n, 9_999_999_999_990_000n])
      expect(readTypedAmount(formatAmount(amount))).toEqual({ amount })
  })
})
