import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonAsTexts, toJsonNumber, toNationalNumber } from '../../../src/networks/shared/form.ts'

describe('JSON with numbers as texts', () => {
  it('keeps every digit of a number', () => {
    const text = '{"a":12345678901234567890.12345,"b":[1.50,-2e3],"c":"7 \\" 8 \\\\","d":0,"e":null,"f":true}'
    expect(parseJsonAsTexts(text)).toEqual({
      a: '12345678901234567890.12345',
      b: ['1.50', '-2e3'],
      c: '7 " 8 \\',
      d: '0',
      e: null,
      f: true,
    })
  })

  it('refuses what is not JSON, also where texts for numbers would make it so', () => {
    for (const text of ['', '{', '<html>', '{1:2}', '01', '1.', '+1', '"a', '[1 2]', '['.repeat(100_000)])
      expect(parseJsonAsTexts(text)).toBe(undefined)
  })

  it('changes nothing but numbers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const texts = (value: unknown): unknown => {
          if (typeof value === 'number') return 'number'
          if (Array.isArray(value)) return value.map(texts)
          if (typeof value !== 'object' || value === null) return value
          return Object.entries(value).map(([name, item]) => [name, texts(item)])
        }
        const numbers = new Set<string>()
        JSON.parse(text, (_, value) => (typeof value === 'number' ? numbers.add(String(value)) : value))
        const parsed = JSON.stringify(texts(JSON.parse(text)))
        const exact = JSON.stringify(texts(parseJsonAsTexts(text)))
        if (numbers.size === 0) expect(exact).toBe(parsed)
        else expect(exact).toBeDefined()
      }),
    )
  })
})

describe('amounts and phones', () => {
  it('writes amounts as exact JSON numbers', () => {
    const written = [10_000n, 15_000_000n, 15_005_000n, 1n, 10_000_000n, 99_999_999_990_000n].map(toJsonNumber)
    expect(written).toEqual(['1', '1500', '1500.5', '0.0001', '1000', '9999999999'])
  })

  it('takes the calling code away, and no zero of the number', () => {
    expect(toNationalNumber('+256752000001', '256')).toBe('752000001')
    expect(toNationalNumber('+242055000001', '242')).toBe('055000001')
    expect(toNationalNumber('+254752000001', '256')).toBe(undefined)
  })
})
