import { expect, it } from 'vitest'
import { beginningOf, shortenWords } from '../../src/drivers/words.ts'

it('makes words of a provider short and free of control characters', () => {
  expect(shortenWords(' Not\n\tenough\u0000 money \u200b', 40)).toBe('Not enough money')
  expect(shortenWords('a'.repeat(41), 40)).toBe(`${'a'.repeat(40)}…`)
  expect(shortenWords(`${'a'.repeat(39)}😀😀`, 40).isWellFormed()).toBe(true)
  expect(shortenWords('', 40)).toBe('')
})

it('reads the beginning of very long words alone', () => {
  const long = `Too little money. ${'a b '.repeat(250_000)}`
  expect(shortenWords(long, 20)).toBe('Too little money. a…')
  expect(beginningOf(long)).toBe(long.slice(0, 10_000))
  expect(beginningOf(`${'a'.repeat(9_999)}😀`).isWellFormed()).toBe(true)
  expect(beginningOf('as it is')).toBe('as it is')
})
