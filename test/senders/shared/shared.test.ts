import { describe, expect, it } from 'vitest'
import { createWords, endpoint, referenceIn, toE164 } from '../../../src/senders/shared/answers.ts'
import { basic, readForm, writeForm } from '../../../src/senders/shared/form.ts'
import { readPrice } from '../../../src/senders/shared/price.ts'

describe('the words of a provider', () => {
  it('are one line without secrets, and are cut', () => {
    const words = createWords(['the-secret-key', 'the-secret-key-2', 'short', undefined])
    expect(words('a\r\n\tb\0 the-secret-key-2 the-secret-key short')).toBe('a b *** *** short')
    expect(words('x'.repeat(500))).toHaveLength(201)
    expect(words(null)).toBe('')
  })
})

describe('a form', () => {
  it('keeps its order, leaves out what is undefined, and has the first of two values', () => {
    expect(writeForm({ b: 'x y&z', a: 1, c: undefined, d: '' })).toBe('b=x+y%26z&a=1&d=')
    expect({ ...readForm('a=1&a=2&__proto__=3') }).toEqual({ a: '1', ['__proto__']: '3' })
    expect(basic('user', 'wörd')).toBe(`Basic ${Buffer.from('user:wörd').toString('base64')}`)
  })
})

describe('a price', () => {
  it.each([
    ['0.00750', 1, 75n],
    ['-0.0079', 3, 237n],
    ['0.00005', 1, 1n],
    ['0.00004', 1, 0n],
    ['12', 2, 240_000n],
    ['8.55E-4', 2, 17n],
    ['1e5', 1, 1_000_000_000n],
    ['1e30', 1, undefined],
    ['9007199254740993.1', 1, undefined],
    ['', 1, undefined],
    ['NaN', 1, undefined],
  ])('%s times %i is exact', (text, times, amount) => {
    expect(readPrice(text, times)).toBe(amount)
  })
})

describe('a number', () => {
  it.each([
    ['+256772123456', '+256772123456'],
    ['256772123456', '+256772123456'],
    ['00256772123456', '+256772123456'],
    ['22123', undefined],
    ['0772123456', undefined],
    // Without their countries, in Uganda, Kenya, Ghana and Nigeria.
    ['772123456', undefined],
    ['712345678', undefined],
    ['244123456', undefined],
    ['8031234567', undefined],
    ['MAMASHOP', undefined],
    [undefined, undefined],
  ])('%s is %s', (text, number) => {
    expect(toE164(text)).toBe(number)
  })
})

describe('addresses', () => {
  it('have one slash, and begin with the reference', () => {
    expect(endpoint('https://a.example//', '/x')).toBe('https://a.example/x')
    expect(referenceIn(`/${'a'.repeat(24)}/report`)).toBe('a'.repeat(24))
    for (const path of ['', '/incoming', '/report', `/${'a'.repeat(25)}`]) expect(referenceIn(path)).toBe(undefined)
  })
})
