import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { amountNumber, callersObject, timestamp } from '../../../src/core/fields.ts'
import { compileEncoder, encode, NOT_ENCODED } from '../../../src/lib/encoding/encode.ts'
import { expectSameAsZod } from './same-as-zod.ts'

const number_as_text = z.codec(z.string(), z.number(), { decode: Number, encode: String })
const optional_number = z.codec(z.string().optional(), z.number(), { decode: Number, encode: String })
const default_number = z.codec(z.string().default('7'), z.number(), { decode: Number, encode: String })
const number_of_nothing = z.codec(z.string(), z.number().optional(), { decode: Number, encode: (n) => String(n ?? 0) })
const never_negative = z.codec(z.string(), z.number(), {
  decode: Number,
  encode: (value, context) => {
    if (value < 0) context.issues.push({ code: 'custom', message: 'It is negative.', input: value })
    return String(value)
  },
})
const throws_on_zero = z.codec(z.string(), z.number(), {
  decode: Number,
  encode: (value) => {
    if (value === 0) throw new RangeError('It is zero.')
    return String(value)
  },
})
const Tree = z.object({
  name: number_as_text,
  get branches() {
    return z.array(Tree)
  },
})
const sides = [z.object({ side: z.literal('left'), at: timestamp }), z.object({ side: z.literal('right') })] as const

const schemas: Record<string, z.ZodType> = {
  string: z.string(),
  'string with checks': z.string().min(1).max(3).trim(),
  'string of a format': z.email(),
  'string that is refined': z.string().refine((value) => value !== 'text'),
  'string of anything': z.coerce.string(),
  number: z.number(),
  int: z.int(),
  int32: z.int32(),
  'number with bounds': z.number().min(1).max(2),
  boolean: z.boolean(),
  bigint: z.bigint(),
  date: z.date(),
  enum: z.enum(['text', 'other']),
  literal: z.literal(['text', 7, null, undefined]),
  null: z.null(),
  undefined: z.undefined(),
  unknown: z.unknown(),
  any: z.any(),
  never: z.never(),
  nullable: z.nullable(timestamp),
  optional: z.optional(timestamp),
  array: z.array(number_as_text),
  'array of optional parts': z.array(default_number.optional()),
  'array with checks': z.array(number_as_text).min(1),
  tuple: z.tuple([number_as_text, z.string()]),
  record: z.record(z.string(), number_as_text),
  union: z.union([number_as_text, z.boolean()]),
  'union by a field': z.discriminatedUnion('side', sides),
  intersection: z.intersection(z.object({ a: z.int() }), z.object({ b: number_as_text })),
  readonly: z.readonly(z.array(number_as_text)),
  default: z.string().default('text'),
  prefault: z.string().prefault('text'),
  catch: z.string().catch('text'),
  transform: z.string().transform(Number),
  pipe: z.string().pipe(z.string()),
  preprocess: z.preprocess((value) => value, z.string()),
  lazy: z.lazy(() => number_as_text),
  custom: z.custom((value) => value === 'text'),
  map: z.map(z.string(), number_as_text),
  set: z.set(number_as_text),
  stringbool: z.stringbool(),
  'codec that refuses': never_negative,
  'codec that throws': throws_on_zero,
  'codec with an optional wire form': z.object({ a: optional_number }),
  'codec with a default': z.object({ a: default_number, b: default_number.optional() }),
  'codec of an optional value': z.object({ a: number_of_nothing }),
  'codec with a promise': z.codec(z.unknown(), z.number(), { decode: Number, encode: async (value) => value }),
  object: z.object({ a: z.string(), b: number_as_text, c: z.unknown(), d: z.string().optional(), e: z.undefined() }),
  'object whose keys are optional': z.object({ a: number_as_text.optional(), b: z.exactOptional(z.string()) }),
  'strict object': z.strictObject({ a: z.string(), b: number_as_text }),
  'loose object': z.looseObject({ a: z.string(), b: number_as_text }),
  'object with other keys': z.object({ a: z.string() }).catchall(number_as_text),
  'object with a check': z.object({ a: z.string(), b: number_as_text }).refine(({ a }) => a !== 'text'),
  'object that contains itself': Tree,
  'object with names of JavaScript': z.object({ ['__proto__']: z.string(), constructor: z.string(), 1: z.int() }),
  'object with a symbol': z.object({ [Symbol.iterator]: z.unknown(), a: z.unknown() }),
}

class Row {
  a = 'text'
  get b() {
    return 7
  }
}

const values: unknown[] = [
  undefined,
  null,
  '',
  'text',
  ' long text ',
  'a@b.example',
  true,
  false,
  0,
  -0,
  1,
  1.5,
  7,
  -7,
  2 ** 31,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  7n,
  Symbol('a'),
  new Date(0),
  new Date(Number.NaN),
  () => 1,
  [],
  [7],
  ['text'],
  [7, 'text'],
  [undefined],
  Array(2),
  new Set([7]),
  new Map([['a', 7]]),
  {},
  { a: 'text' },
  { a: 7 },
  { b: 7, a: 'other' },
  { b: 7, a: 'text', z: 7 },
  { a: 'a', b: 7, c: 1 },
  { a: 'a', b: 7, c: undefined, d: undefined, e: undefined },
  { a: 'a', b: 7, c: null, d: 'text', e: undefined },
  { a: undefined },
  { a: undefined, b: undefined },
  { b: 'text' },
  { a: 7, b: 'text' },
  { side: 'right', z: 1 },
  { side: 'left', at: new Date(0) },
  { side: 'left' },
  { name: 7, branches: [{ name: 1, branches: [] }] },
  { name: 7, branches: [{ name: '1', branches: [] }] },
  new Row(),
  Object.create({ a: 'a', b: 7, c: 1, e: 1 }),
  JSON.parse('{"__proto__":"text","constructor":"text","1":1,"a":"text"}'),
]

describe('encode', () => {
  it.each(Object.entries(schemas))('returns or throws what zod does: %s', (_kind, schema) => {
    for (const value of values) {
      expectSameAsZod(schema, value)
      expectSameAsZod(z.object({ field: schema, last: z.int() }), { field: value, last: 1 })
      expectSameAsZod(z.array(schema.nullable()), [null, value])
    }
    expectSameAsZod(z.object({ field: schema, last: z.int() }), { last: 1 })
  })

  it('keeps the order of the schema and leaves out unknown keys', () => {
    const schema = z.object({ first: z.int(), second: number_as_text, third: z.string().optional() })
    const value = { unknown: 1, second: 2, first: 1 }
    expect(JSON.stringify(encode(schema, value))).toBe('{"first":1,"second":"2"}')
  })

  it('keeps every name in an object of a caller, and amounts that are written from their text', () => {
    const schema = z.object({ metadata: callersObject, amount: amountNumber })
    const metadata = JSON.parse('{"__proto__":{"order":7}}')
    const wire = encode(schema, { metadata, amount: 12_345_678_901_234_567_891n })
    expect(JSON.stringify(wire)).toBe('{"metadata":{"__proto__":{"order":7}},"amount":1234567890123456.7891}')
  })

  it('encodes a value again after one that was wrong', () => {
    const schema = z.object({ at: timestamp })
    expect(() => encode(schema, { at: 'yesterday' as unknown as Date })).toThrow(z.ZodError)
    expect(encode(schema, { at: new Date('2030-01-31T12:00:00Z') })).toEqual({ at: '2030-01-31T12:00:00Z' })
  })
})

describe('compileEncoder', () => {
  it('compiles a schema once', () => {
    expect(compileEncoder(Tree)).toBe(compileEncoder(Tree))
  })

  it.each([
    ['a wrong value', z.string(), 7],
    ['a value for which a function of the schema throws', throws_on_zero, 0],
    ['a schema that only decodes', z.string().transform(Number), 7],
  ])('says that it did not encode %s', (_what, schema, value) => {
    expect(compileEncoder(schema)(value)).toBe(NOT_ENCODED)
  })
})
