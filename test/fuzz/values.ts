import fc from 'fast-check'
import { resolveReference, type Schema } from '../interface/openapi.ts'

/** Texts that often cause errors in programs, and some with a meaning in this one. */
const texts = [
  '',
  ' ',
  '\t\n',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\u202e',
  '\u2028',
  '😀'.repeat(60),
  'é\u0301',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  'None',
  "'; drop table events; --",
  '%',
  '%00',
  '%s',
  '\\',
  '"',
  '<script>',
  '{amount}{customer}',
  '../../etc',
  '$1',
  '0',
  '-0',
  '-1',
  '1e3',
  '1e400',
  'Infinity',
  '0x10',
  '1_000',
  '1,500',
  '٣',
  '0.00001',
  '0.0001',
  '9'.repeat(400),
  '{',
  '{"a":',
  '[]',
  '[1,2',
  '{"a":{"a":{"a":1}}}',
  "{'a': 1}",
  "{'a': (1,)}",
  "{'__proto__': {}}",
  '{"a":1e400}',
  'tomorrow',
  '24 hours',
  '0 minutes',
  '99999999999 years',
  '31/12/2030 18:00:00',
  '31/02/2030',
  '2030-01-31T10:00:00Z',
  '0000-00-00',
  '9999-12-31T23:59:59Z',
  '+275760-09-13',
  '2030-01-31T10:00:00+99:99',
  '1/1/1',
  '-1 days',
  '+80000000003',
  '+80000000001',
  '80000000009',
  '+256772000001',
  '+254 712 000 001',
  '0772000001',
  '+1',
  '+',
  '++1',
  'BXC',
  'UGX',
  'KES',
  'NGN',
  'XXX',
  'bxc',
  'skip',
  'successful',
  'payment.status.changed',
  'contact.created',
  'https://',
  'https://x',
  'https://[::1',
  'http://x',
  'https://u:p@x',
  'https://x?y',
  'javascript:1',
  'https://ä',
]

export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }).map((text) => text.repeat(200)) },
)

/** A token that goes into the JSON text unchanged, because `JSON.stringify` would never write it. */
const token = (text: string) => `@@${text}@@`
const tokens = ['1e400', '-1e400', '1e-400', '-0', '123456789012345678901234567890', '1.0000000000000000000001', '1E5']

const hostileNumber = fc.oneof(
  fc.constantFrom(...tokens.map(token)),
  fc.constantFrom(0, -1, 0.1, 1e15, 1e21, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 1.7976931348623157e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Names that a program reads of any object: as a text, a number, a list or a promise, or as its class. */
const objectNames = fc.constantFrom(
  'toString',
  'valueOf',
  'toJSON',
  'length',
  'then',
  'constructor',
  'prototype',
  '__proto__',
  'hasOwnProperty',
  'name',
  'message',
  'code',
  'id',
  'value',
  '0',
  '-1',
  'a.b',
  'a[b]',
)

/** Objects that look like texts, lists, numbers or promises. */
const disguisedObject: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom(
    { toString: 1 },
    { toString: null, valueOf: null },
    { toString: 'x', valueOf: 'x', length: 1 },
    { length: -1, 0: 'x' },
    { length: 2 ** 32 - 1 },
    { toJSON: 1, toString: {} },
    Object.fromEntries([['then', 1]]),
  ),
  fc
    .uniqueArray(fc.tuple(objectNames, fc.constantFrom<unknown>(1, null, '', 'x', -1, 1e9, [], {}, { toString: 1 })), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 4,
    })
    .map((entries) => Object.fromEntries(entries)),
)

const hostileObject: fc.Arbitrary<unknown> = disguisedObject.chain((object) =>
  fc.constantFrom<unknown>(object, object, [object], ['monday', object], [[object]], { deep: object }),
)

/** Values of which every program expects something else. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileObject },
  { weight: 2, arbitrary: fc.constantFrom<unknown>([], [[]], [null], {}, nest(15), nest(25), nestLists(3_000)) },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 1, arbitrary: fc.boolean() },
)

/** Any JSON value, including forbidden ones. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  hostileValue,
  fc.constantFrom(null, true, false, [], {}, [null], [[]], nest(30), nest(3_000)),
  fc.array(fc.oneof(hostileText, hostileNumber), { maxLength: 5 }),
  fc.dictionary(hostileText, fc.oneof(hostileText, hostileNumber, fc.constant(null)), {
    maxKeys: 5,
    noNullPrototype: true,
  }),
  fc
    .integer({ min: 40, max: 60 })
    .map((keys) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i]))),
)

/** A value that this schema allows. The service may still refuse it, because its real rules are narrower. */
export function valueFor(document: Schema, schema: Schema): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return valueFor(document, resolveReference(document, schema.$ref) as Schema)
  const examples = Array.isArray(schema.examples) ? schema.examples : []
  const plain = plainValueFor(document, schema)
  return examples.length === 0 ? plain : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...examples) }, plain)
}

function plainValueFor(document: Schema, schema: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(document, choice)))
  const types = [schema.type ?? []].flat() as string[]
  if (types.length === 0) return anyValue
  return fc.oneof(...types.map((type) => valueOfType(document, schema, type)))
}

function valueOfType(document: Schema, schema: Schema, type: string): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 1_000_000, maxLength = 60 } = schema as Record<string, number | undefined>
  switch (type) {
    case 'string':
      return fc.oneof(fc.string({ maxLength }), fc.string({ maxLength, unit: 'grapheme' }), fc.nat().map(String))
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'number':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.double({ min: 0, max: 1e6, noNaN: true }))
    case 'boolean':
      return fc.boolean()
    case 'object':
      return objectFor(document, schema)
    case 'array':
      return fc.array(schema.items ? valueFor(document, schema.items as Schema) : anyValue, { maxLength: 4 })
    default:
      return fc.constant(null)
  }
}

/** Usually all required fields are there and right. Often one is wrong, and sometimes there is an unknown one. */
export function objectFor(document: Schema, schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = new Set((schema.required ?? []) as string[])
  const fields = Object.entries(properties).map(([name, property]) => {
    const fine = valueFor(document, property)
    const present = fc.oneof({ weight: 12, arbitrary: fine }, { weight: 1, arbitrary: anyValue })
    const absent = { weight: required.has(name) ? 1 : 30, arbitrary: fc.constant(undefined) }
    return fc.oneof({ weight: 16, arbitrary: present }, absent).map((value) => [name, value] as const)
  })
  const strangers = fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(unusualName, anyValue), { maxLength: 3 }) },
  )
  return fc
    .tuple(fc.tuple(...fields), strangers)
    .map(([known, strange]) => Object.fromEntries([...known, ...strange].filter(([, value]) => value !== undefined)))
}

const unusualName = fc.oneof(
  fc.constantFrom(
    'metadata.a',
    'metadata.a.b',
    'metadata[a]',
    'metadata[a][b]',
    'metadata[]',
    'metadata.',
    '.a',
    '[a]',
  ),
  fc.constantFrom(
    'the service',
    'the service.a',
    'amount.x',
    'contact.id',
    'a]',
    'a[b',
    'metadata[__proto__]',
    '__proto__.x',
  ),
  hostileText,
)

/** Write a value as JSON, with its tokens unchanged. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/"@@(.*?)@@"/g, '$1')
}

function nestLists(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

function nest(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}
