import { expect, it } from 'vitest'
import { readSearch } from '../../../src/core/typed-search/terms.ts'

const UGANDA = ['UG']

it.each([
  ['0772 123456', ['+256772123456'], '772123456'],
  ['+256 772', ['+256772'], null],
  ['00256772', ['+256772'], null],
  ['3456', ['+3456', '+2563456'], '3456'],
  ['0183', ['+256183'], null],
])('reads %s as a phone number or a part of one', (typed, prefixes, part) =>
  expect(readSearch(typed, UGANDA).phone).toMatchObject({ prefixes, part }),
)

it('reads a number as an id, an amount and a part of a phone number', () =>
  expect(readSearch('1500', [])).toMatchObject({
    id: 1500,
    amount: { value: 15_000_000n, currency: null },
    phone: { prefixes: ['+1500'], part: '1500', digits: '1500' },
    words: [],
  }))

it.each([
  ['Grace Nakato', ['Grace', 'Nakato']],
  ["o'Doe", ['Doe']],
  ['71', []],
  ['  ', []],
])('reads the words of %j', (typed, words) => expect(readSearch(typed, []).words).toEqual(words))

it('reads no id out of zeros, and no text beyond the limit', () => {
  expect(readSearch('000', []).id).toBeUndefined()
  expect(readSearch('x'.repeat(200), []).text).toHaveLength(100)
})
