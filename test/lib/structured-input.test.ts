import { describe, expect, it } from 'vitest'
import {
  findValueError,
  parseExactJson,
  parseList,
  parseObject,
  parseObjectList,
  UnsafeData,
} from '../../src/lib/structured-input.ts'

describe('parseObject', () => {
  it.each<[unknown, Record<string, unknown>]>([
    [{ id: 7 }, { id: 7 }],
    ['{"id": 7, "ok": true}', { id: 7, ok: true }],
    ["{'id': '7', 'ok': True, 'x': None}", { id: '7', ok: true, x: null }],
    ["{ 'appId': 'x' }", { appId: 'x' }],
    ['  {}', {}],
    [[], {}],
  ])('reads %j', (value, object) => {
    expect(parseObject(value)).toEqual(object)
  })

  it.each([
    'order 7',
    '',
    '[]',
    '"{}"',
    '{',
    '{id: 7}',
    ['start_date', 'end_date'],
    7,
    true,
    null,
    undefined,
    '{"id": 12345678901234567890}',
    "{'id': 12345678901234567890L}",
    String.raw`{"id": "\u0000"}`,
    String.raw`{'id': '\ud800'}`,
    '{"id": 1e999}',
  ])('refuses %j', (value) => {
    expect(parseObject(value)).toBeUndefined()
  })

  it('makes nothing of a text that is nested too deep', () => {
    expect(parseObject(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`)).toBeUndefined()
  })

  it.each(['{"__proto__":{"x":1}}', '{"a":{"constructor":1,"prototype":2}}'])('keeps the names of %s', (text) => {
    const object = parseObject(text)
    expect(JSON.stringify(object)).toBe(text)
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  })
})

describe('a list of objects', () => {
  it.each([
    ['a list', [{ phonenumber: '+80000000003' }]],
    ['a JSON text', '[{"phonenumber": "+80000000003"}]'],
    ['a Python literal', "[{'phonenumber': u'+80000000003'}]"],
  ])('is read from %s', (_how, given) => {
    expect(parseObjectList(given)).toEqual([{ phonenumber: '+80000000003' }])
  })

  it.each([
    ['an object', '{"phonenumber": "+80000000003"}'],
    ['a broken text', '[{"phonenumber": '],
    ['a number', 7],
  ])('is not read from %s', (_what, given) => {
    expect(parseObjectList(given)).toBeUndefined()
  })

  it('has undefined for each row that is not an object or not a safe one', () => {
    const wanted = [{ id: 7 }, undefined, undefined, undefined]
    expect(parseObjectList([{ id: 7 }, '+80000000003', 7, null])).toEqual(wanted)
    expect(parseObjectList('[{"id": 7}, "x", [], {"a": "\\u0000"}]')).toEqual(wanted)
  })
})

describe('parseList', () => {
  it('reads a list that stands in a text', () => {
    expect(parseList(' [{"text": "Fees", "unit_price": "1500"}, 7]')).toEqual([{ text: 'Fees', unit_price: '1500' }, 7])
    expect(parseList('[]')).toEqual([])
  })

  it.each(['', 'a, b', '{"a": 1}', '[1', '[1] x'])('is undefined for %s', (text) => {
    expect(parseList(text)).toBeUndefined()
  })

  it.each([
    ['a null character', String.raw`[{"text": "a\u0000b"}]`],
    ['half of a surrogate pair', String.raw`[{"text": "\ud800"}]`],
    ['half of a surrogate pair in a name', String.raw`[{"\udc00": "a"}]`],
    ['a number that a double would change', '[{"unit_price": 12345678901234567.89}]'],
    ['a number beyond all doubles', '[1e999]'],
    ['too deep nesting', `${'['.repeat(30)}${']'.repeat(30)}`],
  ])('is undefined for a list with %s', (_what, text) => {
    expect(parseList(text)).toBeUndefined()
  })
})

describe('a JSON text', () => {
  const objectOf = (names: number) =>
    `{${Array.from({ length: names }, (_, index) => `"name ${index}": "a:,{[${index}"`).join(', ')}}`

  it.each([
    ['an object of 1,001 names', objectOf(1_001)],
    ['one in a list', `[${objectOf(1_001)}]`],
    ['very many values', `[${'1,'.repeat(200_000)}1]`],
    ['very many levels', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ])('with %s is refused before it is parsed', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow(UnsafeData)
  })

  it('of usual names and long texts is what JSON.parse makes of it', () => {
    const text = `{"a": ${objectOf(1_000)}, "b": "\\\\\\"}{${'1'.repeat(5_000)}", "c": [-1.5e-3, 0, 123456789012345]}`
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  it.each(['9234567890123456', '-0.1234567890123456', '1234567890.123456e-20'])('marks %s as inexact', (number) => {
    expect(findValueError(parseExactJson(`{"a": ["1234567890123456", ${number}]}`))).toBe(
      'Send the amount as a string.',
    )
  })

  it.each(['1234567890123456', '123456789012345000', '0.000000000000000000123', '100000000000000000000.0'])(
    'keeps %s',
    (number) => {
      expect(parseExactJson(`[${number}]`)).toEqual([Number(number)])
    },
  )
})
