import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pythonToJson } from '../../../src/lib/text/python-literal.ts'

/** The parsed translation; undefined when there is none or it is not JSON. */
function read(text: string): unknown {
  const json = pythonToJson(text)
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Write a value as Python's `repr` does. */
function repr(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${repr(key)}: ${repr(item)}`)
      .join(', ')}}`
  }
  const text = String(value)
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return quote + escaped + quote
}

describe('pythonToJson', () => {
  it.each<[string, unknown]>([
    ["{'id': '7', 'n': 7, 'ok': True, 'no': False, 'x': None}", { id: '7', n: 7, ok: true, no: false, x: null }],
    ["{u'id': u'7', 'n': 7L}", { id: '7', n: 7 }],
    ["{ 'appId': 'x' }", { appId: 'x' }],
    ["{'it': \"it's\"}", { it: "it's" }],
    ["{'a': 'say \\'hi\\''}", { a: "say 'hi'" }],
    ["{'a': 1.5, 'b': -2, 'c': 1e3}", { a: 1.5, b: -2, c: 1000 }],
    ["{'a': [1, [2], {}], 'b': {'c': []}}", { a: [1, [2], {}], b: { c: [] } }],
    ["{'a': [1, 2,], 'b': 3,}", { a: [1, 2], b: 3 }],
    ["{1: 'one', -2.5: 'x'}", { 1: 'one', '-2.5': 'x' }],
    ["{'a': true, 'b': null}", { a: true, b: null }],
    ["{'a': '\\X41\\U0041'}", { a: '\\X41\\U0041' }],
    ["{'a': 'x\\x41\\u00e9\\U0001F600\\q\\\\'}", { a: 'xAé😀\\q\\' }],
    [" {\n\t'a' : 'b'\n} ", { a: 'b' }],
    ["{'colons: and, {braces}': ']'}", { 'colons: and, {braces}': ']' }],
    ['{}', {}],
  ])('reads %s', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it.each([
    "{'a'}",
    "{'a': }",
    "{'a' 'b'}",
    "{'a': 'b'",
    "{'a': 'b}",
    "{'a': 1 2}",
    "{'a': 1x}",
    '{,}',
    "{'a': [1,,]}",
    "{'a': __import__('os')}",
    "{'a': os.environ}",
    "{'a': 1 + 1}",
    "{'a': (1, 2)}",
    '{a: 1}',
    "{'a': undefined}",
    "{'a': NaN}",
    '',
  ])('refuses %s', (text) => {
    expect(read(text)).toBeUndefined()
  })

  // A slow machine needs a while to generate texts of all characters.
  it('reads all texts of repr', () => {
    const dictionary = fc.dictionary(
      fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
      fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: 'small' },
          fc.string({ unit: 'binary' }),
          fc.integer(),
          fc.boolean(),
          fc.constant(null),
          fc.array(tie('value'), { maxLength: 3 }),
        ),
      })).value,
    )
    fc.assert(
      fc.property(dictionary, (value) => {
        expect(read(repr(value))).toEqual({ ...value })
      }),
    )
  })

  it('never throws', () => {
    const nearly = fc.stringMatching(/^\{[{}[\],:'"\\ uTrueNon1.L-]{0,60}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        expect(['string', 'undefined']).toContain(typeof pythonToJson(text))
      }),
      { numRuns: 500 },
    )
  })

  it('takes time proportional to the text', () => {
    const started_at = performance.now()
    for (const part of ["\\'", 'a', "'", '1', ' ', 'u', "''", '{', '\\']) {
      pythonToJson(`{'a': '${part.repeat(200_000)}`)
      pythonToJson(`{'a': ${part.repeat(200_000)}`)
    }
    // Quadratic time would take minutes.
    expect(performance.now() - started_at).toBeLessThan(30_000)
  })
})
