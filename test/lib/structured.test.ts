import { describe, expect, it } from 'vitest'
import { parseStructured } from '../../src/lib/structured.ts'

describe('parseStructured', () => {
  it.each<[unknown, Record<string, unknown>]>([
    [{ id: 7 }, { id: 7 }],
    ['{"id": 7, "ok": true}', { id: 7, ok: true }],
    ["{'id': '7', 'ok': True, 'x': None}", { id: '7', ok: true, x: null }],
    ["{ 'appId': 'x' }", { appId: 'x' }],
    ['  {}', {}],
    [[], {}],
  ])('reads %j', (value, object) => {
    expect(parseStructured(value)).toEqual(object)
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
  ])('makes nothing of %j', (value) => {
    expect(parseStructured(value)).toBeUndefined()
  })

  it.each(['{"__proto__": {"x": 1}}', "{'a': {'constructor': 1}}", `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`])(
    'makes nothing of %s, which no body may contain',
    (text) => {
      expect(parseStructured(text)).toBeUndefined()
    },
  )
})
