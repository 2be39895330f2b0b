import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText, readJsonAmount } from '../../../src/networks/shared/text.ts'

const rule = { punctuation: '-_.,', max: 20, otherwise: 'Payment' }

describe('plainText', () => {
  it.each([
    ['Order 12', 'Order 12'],
    ["Mama's café (Nakawa)", 'Mamas cafe Nakawa'],
    ['Mama’s  ‘shop’', 'Mamas shop'],
    ['a\nb\tc', 'a b c'],
    ['Rent, 2-3_4.', 'Rent, 2-3_4.'],
    ['☃', 'Payment'],
    ['', 'Payment'],
    ['   ', 'Payment'],
    ['nineteen characters X and more', 'nineteen characters'],
    ['a twenty characters word', 'a twenty characters'],
  ])('makes of %j %j', (text, plain) => {
    expect(plainText(text, rule)).toBe(plain)
  })

  it('never yields another character, nothing, or more than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text, rule)).toMatch(/^[A-Za-z0-9 \-_.,]{1,20}$/)
      }),
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = plainText(text, rule)
        expect(plainText(once, rule)).toBe(once)
      }),
    )
  })
})

describe('readJsonAmount', () => {
  it.each([
    ['1500', 15_000_000n],
    [' 1500.5 ', 15_005_000n],
    ['-20', -200_000n],
    [1500, 15_000_000n],
    [1500.1, 15_001_000n],
    [0.3, 3_000n],
    [99_999_999_999.9999, 999_999_999_999_999n],
  ])('reads %j', (value, amount) => {
    expect(readJsonAmount(value)).toBe(amount)
  })

  it.each([
    ['1,500'],
    ['1e3'],
    ['ten'],
    [''],
    [1e11],
    [1e21],
    [1e-7],
    [Number.NaN],
    [null],
    [true],
    [{}],
    ['9'.repeat(41)],
  ])('does not read %j', (value) => {
    expect(readJsonAmount(value)).toBeUndefined()
  })

  it('reads every number with four decimals as it was written', () => {
    const written = fc.tuple(fc.nat({ max: 99_999_999 }), fc.nat({ max: 999 }), fc.nat({ max: 9_999 }))
    fc.assert(
      fc.property(written, ([high, low, decimals]) => {
        const text = `${high}${String(low).padStart(3, '0')}.${String(decimals).padStart(4, '0')}`
        expect(readJsonAmount(JSON.parse(text.replace(/^0+(?=\d)/, '')))).toBe(readJsonAmount(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
