import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoney, formatPercent, formatWord, readTime } from '../../web/format.ts'

describe('amounts on a page', () => {
  it('keep every digit and get separators', () => {
    expect(formatMoney('1500.0000', 'UGX')).toBe('UGX 1,500')
    expect(formatMoney('1500.5000')).toBe('1,500.50')
    expect(formatMoney('0.1234')).toBe('0.1234')
    expect(formatMoney('-1000000.0000')).toBe('−1,000,000')
    expect(formatMoney('99999999999999999999.9999')).toBe('99,999,999,999,999,999,999.9999')
  })

  it('are percentages without zeros', () => {
    expect([formatPercent('1.5000'), formatPercent('10.0000')]).toEqual(['1.5%', '10%'])
  })

  it('keep their value for any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 38n }), (ten_thousandths) => {
        const wire = `${ten_thousandths / 10_000n}.${String(ten_thousandths % 10_000n).padStart(4, '0')}`
        const [whole, decimals = ''] = formatMoney(wire).replaceAll(',', '').split('.')
        expect(`${whole}.${decimals.padEnd(4, '0')}`).toBe(wire)
      }),
    )
  })
})

describe('times and words on a page', () => {
  it('are parsed in every form of the interface', () => {
    for (const wire of ['2030-01-31T12:00:00Z', '2030-01-31 12:00:00.000000+00:00', '2030-01-31T12:00:00.000Z'])
      expect(readTime(wire)?.toISOString()).toBe('2030-01-31T12:00:00.000Z')
    expect(readTime('soon')).toBeUndefined()
    expect(formatWord('processing_started')).toBe('Processing started')
  })
})
