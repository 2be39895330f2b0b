import { describe, expect, it } from 'vitest'
import { parseObject, parseObjectList } from '../../src/lib/structured-input.ts'

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
