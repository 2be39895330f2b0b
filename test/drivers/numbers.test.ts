import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonAsTexts, readAmount, readAmountDown } from '../../src/drivers/numbers.ts'
import { formatAmount } from '../../src/lib/money.ts'

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

describe('numbers of providers', () => {
  it('stay the text that was sent', () => {
    expect(parseJsonAsTexts('{"a":3.8E-5,"b":[505.00000000000,-1],"c":"1e5 of 3"}')).toEqual({
      a: '3.8E-5',
      b: ['505.00000000000', '-1'],
      c: '1e5 of 3',
    })
    expect(parseJsonAsTexts('{"a":9007199254740993.1}')).toEqual({ a: '9007199254740993.1' })
    for (const text of ['', '{', '{"a":01}', '<html>']) expect(parseJsonAsTexts(text)).toBeUndefined()
  })

  it.each([
    ['1000', 10_000_000n, 10_000_000n],
    ['1000.00', 10_000_000n, 10_000_000n],
    ['505.00000000000', 5_050_000n, 5_050_000n],
    ['1.5E3', 15_000_000n, 15_000_000n],
    ['2.5e-3', 25n, 25n],
    ['3.8E-5', undefined, 0n],
    ['0.19785', undefined, 1_978n],
    ['-0.19785', undefined, -1_979n],
    ['-3', -30_000n, -30_000n],
    ['0', 0n, 0n],
  ])('%s is read exactly, or rounded down where that is asked for', (text, exact, down) => {
    expect(readAmount(text)).toBe(exact)
    expect(readAmountDown(text)).toBe(down)
  })

  it.each(['', 'N/A', '1,000', '1e999', '1E31', 'NaN', '0x10', '9'.repeat(80)])('%s is no amount', (text) => {
    expect(readAmount(text)).toBeUndefined()
    expect(readAmountDown(text)).toBeUndefined()
  })

  it.each([1000, null, undefined, {}])('%s is no text', (value) => expect(readAmount(value)).toBeUndefined())

  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (amount) => {
        expect(readAmount(formatAmount(amount))).toBe(amount)
      }),
    )
  })
})
