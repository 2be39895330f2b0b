import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/refusals.ts'
import { decodeBody, parseFormBody, parseJsonBody, parseQuery } from '../../src/http/bodies.ts'
import { parseObject } from '../../src/lib/structured-input.ts'

/** The result of a parser, or the refusal that it throws; any other error fails the test. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

describe('hostile input', () => {
  const name = fc.constantFrom(
    'metadata',
    'amount',
    '__proto__',
    'constructor',
    'the service',
    'a.b',
    'a[b]',
    'a',
    '',
    '\u0000',
    '\ud800',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u0000', '{"a":1}', "{'a': 1}", '{', '%', '1'.repeat(20)),
  )
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      text,
      fc.double(),
      fc.bigInt().map(Number),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof(name, text), tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  })).value

  it('a body is parsed or refused, without any other error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          tree.map((value) => JSON.stringify(value)),
        ),
        (body) => {
          const outcome = outcomeOf(() => parseJsonBody(body))
          expect(outcome).toBeTypeOf('object')
          if (!(outcome instanceof Refusal)) expect(Object.getPrototypeOf(outcome)).toBe(Object.prototype)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('a form, a query and a text are parsed or refused, without any other error', () => {
    const pairs = fc
      .array(fc.tuple(fc.oneof(name, text), text))
      .map((entries) => new URLSearchParams(entries).toString())
    // String() fails for an object with a field `toString`.
    const texts = tree.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
    fc.assert(
      fc.property(fc.oneof(fc.string(), pairs, texts), (raw) => {
        outcomeOf(() => parseFormBody(raw))
        outcomeOf(() => parseQuery(raw))
        outcomeOf(() => parseObject(raw))
        outcomeOf(() => decodeBody(Buffer.from(raw, 'latin1'), {}))
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('one megabyte is parsed in linear time', () => {
    const size = 1_000_000
    const bodies = [
      '['.repeat(size),
      `{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
      `${'{"a":'.repeat(size / 6)}1234567890123456${'}'.repeat(size / 6)}`,
      `{"a":${'1'.repeat(size)}}`,
      `{"a":"${'1.'.repeat(size / 2)}"}`,
      `{"a":"${'\\"'.repeat(size / 2)}"}`,
    ]
    const forms = [
      'a=1&'.repeat(size / 4),
      '%'.repeat(size),
      `metadata${'[a]'.repeat(size / 3)}=1`,
      '&'.repeat(size),
      'a.b=1&'.repeat(size / 6),
    ]
    const before = process.cpuUsage()
    for (const body of bodies) outcomeOf(() => parseJsonBody(body))
    for (const form of forms) outcomeOf(() => parseFormBody(form))
    // Processor time, which other programs hardly lengthen.
    const { user } = process.cpuUsage(before)
    expect(user / 1_000_000).toBeLessThan(10)
  })
})
