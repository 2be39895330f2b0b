import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson, readAmount, readAmountDown } from '../../../src/billers/shared/numbers.ts'
import { formatAmount } from '../../../src/lib/money.ts'

describe('numbers of providers', () => {
  it('stay the text that was sent', () => {
    expect(parseExactJson('{"a":3.8E-5,"b":[505.00000000000,-1],"c":"1e5 of 3"}')).toEqual({
      ...{ a: '3.8E-5', b: ['505.00000000000', '-1'], c: '1e5 of 3' },
    })
    expect(parseExactJson('{"a":9007199254740993.1}')).toEqual({ a: '9007199254740993.1' })
    for (const text of ['', '{', '{"a":01}', '<html>']) expect(parseExactJson(text)).toBeUndefined()
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
