import { describe, expect, it } from 'vitest'
import { cleanWords, readToken } from '../../../src/billers/shared/words.ts'
import { shortAmount } from '../../../src/lib/money.ts'

describe('words of providers', () => {
  it('are on one line, not long, and without secrets', () => {
    expect(cleanWords('  Wrong\n key  sk_secret_1 ', ['sk_secret_1', 'key'])).toBe('Wrong key ***')
    expect(cleanWords('x'.repeat(1_000))).toHaveLength(200)
    expect(cleanWords('a\0b')).toBe('a\uFFFDb')
  })

  it.each([
    ['Token: 3541 9981 2345 6789 0123', '35419981234567890123'],
    ['Token : 26362054405982757802', '26362054405982757802'],
    ['3737-6908-5436-2208-2124', '37376908543622082124'],
    ['1234567890123456', undefined],
    ['123456789012345678901', undefined],
    ['N/A', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s has the token %s', (text, token) => expect(readToken(text)).toBe(token))

  it('write amounts without zeros at the end', () => {
    expect([10_000n, 15_000n, 1n, 1_000_000n, 0n].map(shortAmount)).toEqual(['1', '1.5', '0.0001', '100', '0'])
  })
})
