import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid, Refusal } from '../../src/core/refusals.ts'
import {
  checkQuery,
  decodeBody,
  isUtf8,
  nestKeys,
  parseFormBody,
  parseJsonBody,
  parseQuery,
} from '../../src/http/bodies.ts'

/** The result of a parser, or the refusal that it throws; any other error fails the test. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Properties that every object inherits; nothing may be added to them. */
const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)

const invalid = (fields: Record<string, string[]>) => expect.objectContaining({ name: 'Invalid', fields })
const malformed = (message: string) =>
  expect.objectContaining({ name: 'Malformed', message: expect.stringContaining(message) })

describe('parseJsonBody', () => {
  it('keeps the types of values', () => {
    expect(
      parseJsonBody('{"amount":3000,"rate":5.5,"send_instructions":true,"account":null,"metadata":{"n":7}}'),
    ).toEqual({
      amount: 3000,
      rate: 5.5,
      send_instructions: true,
      account: null,
      metadata: { n: 7 },
    })
  })

  it.each(['', '  \r\n', '{}'])('finds no fields in %j', (text) => {
    expect(parseJsonBody(text)).toEqual({})
  })

  it.each(['{', '{"a":}', "{'a':1}", '{"a":1}}', 'amount=5', '{"a":"\u0000"}', '{"a":NaN}'])(
    'refuses %j, which is not JSON',
    (text) => {
      expect(outcomeOf(() => parseJsonBody(text))).toEqual(malformed('JSON parse error - '))
    },
  )

  it.each([
    ['[]', 'list'],
    ['"x"', 'str'],
    ['7', 'int'],
    ['7.5', 'float'],
    ['true', 'bool'],
    ['null', 'NoneType'],
  ])('refuses %s without fields', (text, type) => {
    expect(outcomeOf(() => parseJsonBody(text))).toEqual(
      invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] }),
    )
  })

  it.each(['9234567890123456', '1.234567890123456', '-1234567890.1234567', '1234567890123456e-3', '9007199254740993'])(
    'refuses the number %s, which would lose digits',
    (number) => {
      const text = `{"amount": ${number}, "currency": "BXC", "metadata": {"list": [1, ${number}]}}`
      expect(outcomeOf(() => parseJsonBody(text))).toEqual(
        invalid({ amount: ['Send the amount as a string.'], metadata: ['Send the amount as a string.'] }),
      )
    },
  )

  it.each<[string, number]>([
    ['123456789012345', 123_456_789_012_345],
    ['1234567890.12345', 1_234_567_890.12345],
    ['100000000000000000', 1e17],
    ['0.00000000000000012', 1.2e-16],
    ['1500.00000000000000000', 1500],
    ['-0.5', -0.5],
  ])('accepts the number %s', (written, number) => {
    expect(parseJsonBody(`{"amount": ${written}}`)).toEqual({ amount: number })
  })

  it('accepts any number of digits in a string', () => {
    expect(parseJsonBody('{"amount": "1234567890123456.1234", "n": 1}')).toEqual({
      amount: '1234567890123456.1234',
      n: 1,
    })
  })

  it('refuses a number that is too large', () => {
    expect(outcomeOf(() => parseJsonBody('{"amount": 1e400}'))).toEqual(
      invalid({ amount: ['A valid number is required.'] }),
    )
  })

  it('refuses null characters and half surrogate pairs with an error on their field', () => {
    const text = String.raw`{"reason":"a\u0000b","metadata":{"x":[{"k\u0000":1}]},"first_name":"\ud83d","last_name":"😀"}`
    expect(outcomeOf(() => parseJsonBody(text))).toEqual(
      invalid({
        reason: ['Null characters are not allowed.'],
        metadata: ['Null characters are not allowed.'],
        first_name: ['Not a valid string.'],
      }),
    )
  })

  it.each(['__proto__', 'constructor', 'prototype'])('takes "%s" as a name like any other', (name) => {
    for (const [text, nested] of [
      [`{"${name}":{"x":1}}`, `{"${name}":{"x":1}}`],
      [`{"metadata":[{"${name}":{"x":1}}]}`, `{"metadata":[{"${name}":{"x":1}}]}`],
      [`{"metadata.${name}":1}`, `{"metadata":{"${name}":1}}`],
      [`{"metadata[${name}][${name}]":1,"a.b":1}`, `{"metadata":{"${name}":{"${name}":1}},"a":{"b":1}}`],
      [`{"${name}.x":1,"${name}[y]":2}`, `{"${name}":{"x":1,"y":2}}`],
    ] as const) {
      const body = parseJsonBody(text)
      expect(JSON.stringify(body)).toBe(nested)
      expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    }
    expect(JSON.stringify(parseFormBody(`${name}=1&metadata.${name}=2`))).toBe(
      `{"${name}":"1","metadata":{"${name}":"2"}}`,
    )
    expect(JSON.stringify(outcomeOf(() => parseJsonBody(`{"${name}":"\\u0000"}`)))).toContain(
      `"fields":{"${name}":["Null characters are not allowed."]}`,
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(PROTOTYPE_NAMES)
  })

  it('accepts 20 levels and refuses 21', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(parseJsonBody(nested(20))).toHaveProperty('a.a.a')
    expect(outcomeOf(() => parseJsonBody(nested(21)))).toEqual(malformed('more than 20 levels'))
    expect(outcomeOf(() => parseJsonBody(`{"a":${'['.repeat(20)}${']'.repeat(20)}}`))).toEqual(
      malformed('more than 20 levels'),
    )
  })

  it('refuses a field name of more than 256 characters', () => {
    expect(outcomeOf(() => parseJsonBody(`{"${'a'.repeat(257)}":1}`))).toEqual(malformed('at most 256 characters'))
  })

  it('returns any ordinary object unchanged', () => {
    const key = fc
      .stringMatching(/^[a-z][a-z_]{0,19}$/)
      .filter((name) => name !== 'constructor' && name !== 'prototype')
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()))
    fc.assert(
      fc.property(fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value))), (body) => {
        expect(parseJsonBody(JSON.stringify(body))).toEqual({ ...body })
      }),
    )
  })
})

describe('parseFormBody', () => {
  it('reads the bodies of existing form clients', () => {
    expect(
      parseFormBody('phonenumber=%2B80000000001&amount=100.2&currency=BXC&send_instructions=True&metadata.my_id=x'),
    ).toEqual({
      phonenumber: '+80000000001',
      amount: '100.2',
      currency: 'BXC',
      send_instructions: 'True',
      metadata: { my_id: 'x' },
    })
  })

  it('keeps every value of a field that occurs several times', () => {
    expect(
      parseFormBody('subscription_settings=start_date&subscription_settings=end_date&amount=1&amount=2&amount=3'),
    ).toEqual({
      subscription_settings: ['start_date', 'end_date'],
      amount: ['1', '2', '3'],
    })
  })

  it('keeps broken percent-encoding as it is written', () => {
    expect(parseFormBody('reason=100%&first_name=%zz&last_name=%E9')).toEqual({
      reason: '100%',
      first_name: '%zz',
      last_name: '\ufffd',
    })
  })

  it.each(['', '&', '&&', 'a=1&', '?a=1'])('reads %j without an error', (text) => {
    expect(outcomeOf(() => parseFormBody(text))).toEqual(text.includes('a') ? { a: '1' } : {})
  })

  it('refuses null characters with an error on their field', () => {
    expect(outcomeOf(() => parseFormBody('reason=a%00b&metadata.x=%00'))).toEqual(
      invalid({
        reason: ['Null characters are not allowed.'],
        metadata: ['Null characters are not allowed.'],
      }),
    )
  })

  it.each([
    ['__proto__=1', '{"__proto__":"1"}'],
    ['__proto__.x=1', '{"__proto__":{"x":"1"}}'],
    ['__proto__[x]=1', '{"__proto__":{"x":"1"}}'],
    ['metadata[__proto__][x]=1', '{"metadata":{"__proto__":{"x":"1"}}}'],
    ['metadata.constructor=1', '{"metadata":{"constructor":"1"}}'],
  ])('takes the name in %s like any other', (text, body) => {
    expect(JSON.stringify(parseFormBody(text))).toBe(body)
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(PROTOTYPE_NAMES)
  })

  it('accepts a thousand fields and refuses more', () => {
    const form = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')
    expect(Object.keys(parseFormBody(form(1_000)))).toHaveLength(1_000)
    expect(outcomeOf(() => parseFormBody(form(1_001)))).toEqual(malformed('A form has at most 1000 fields.'))
  })
})

describe('nestKeys', () => {
  it('leaves plain fields as they are', () => {
    const flat = { amount: 1, metadata: { 'a.b': 1 } }
    expect(nestKeys(flat)).toEqual({ amount: 1, metadata: { 'a.b': 1 } })
  })

  it.each([
    ['metadata.order', 'metadata'],
    ['metadata[order]', 'metadata'],
    ['the service.order', 'the service'],
    ['the service[order]', 'the service'],
  ])('turns %s into an object', (key, name) => {
    expect(nestKeys({ [key]: 7, amount: 1 })).toEqual({ [name]: { order: 7 }, amount: 1 })
  })

  it('nests brackets at any depth and reads the text after a dot as one key', () => {
    expect(nestKeys({ 'metadata[a][b]': 1, 'metadata[a][c.d]': 2, 'metadata.e.f': 3 })).toEqual({
      metadata: { a: { b: 1, 'c.d': 2 }, 'e.f': 3 },
    })
  })

  it.each([{ x: 1 }, '{"x":1}', "{'x': 1}"])('adds to metadata that is given as %j', (metadata) => {
    expect(nestKeys({ 'metadata.y': 2, metadata })).toEqual({ metadata: { x: 1, y: 2 } })
  })

  it.each([null, '', undefined, []])('treats metadata of %j as not given', (metadata) => {
    expect(nestKeys({ metadata, 'metadata.y': 2 })).toEqual({ metadata: { y: 2 } })
  })

  it('names every field that is given as a value and as an object', () => {
    expect(outcomeOf(() => nestKeys({ amount: '5', 'amount[x]': 1, metadata: 'order 7', 'metadata.x': 1 }))).toEqual(
      invalid({
        amount: ['Expected a dictionary of items but got type "str".'],
        metadata: ['Expected a dictionary of items but got type "str".'],
      }),
    )
  })

  it('refuses a key that is given twice', () => {
    expect(outcomeOf(() => nestKeys({ 'metadata.x': 1, 'metadata[x]': 2 }))).toEqual(
      invalid({ metadata: ['The key "x" is given more than once.'] }),
    )
  })

  it.each(['metadata.', 'metadata[]', 'metadata[x', '.x', '[x]', 'a[b]c', 'metadata[[x]]'])(
    'leaves the key %j unchanged',
    (key) => {
      expect(nestKeys({ [key]: 1 })).toEqual({ [key]: 1 })
    },
  )

  it('has the same result for a form as for JSON', () => {
    const key = fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `${name}_`)
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.string({ unit: 'grapheme' }), { minKeys: 1 }),
        fc.boolean(),
        (metadata, dotted) => {
          const flat = Object.fromEntries(
            Object.entries(metadata).map(([name, value]) => [dotted ? `metadata.${name}` : `metadata[${name}]`, value]),
          )
          const form = new URLSearchParams(flat).toString()
          const expected = outcomeOf(() => parseJsonBody(JSON.stringify({ metadata })))
          if (expected instanceof Invalid) return
          expect(parseFormBody(form)).toEqual(expected)
          expect(parseJsonBody(JSON.stringify(flat))).toEqual(expected)
        },
      ),
    )
  })
})

describe('parseQuery', () => {
  it('drops parameters without a value', () => {
    expect(parseQuery('status=&currency=BXC&=x&reason&')).toEqual({ currency: 'BXC' })
    expect(parseQuery('')).toEqual({})
    expect(parseQuery('?limit=5&')).toEqual({ limit: '5' })
  })

  it('uses the last of several values, also when it is empty', () => {
    expect(parseQuery('status=pending&status=failed')).toEqual({ status: 'failed' })
    expect(parseQuery('status=pending&status=')).toEqual({})
  })

  it('decodes as a form', () => {
    expect(parseQuery('phonenumber=%2B256772000001&contact_first_name=Anna+Maria&reason=%zz')).toEqual({
      phonenumber: '+256772000001',
      contact_first_name: 'Anna Maria',
      reason: '%zz',
    })
  })

  it('keeps null characters, which checkQuery refuses', () => {
    expect(parseQuery('reason=%00&status=x')).toEqual({ reason: '\0', status: 'x' })
  })

  it('takes names that every JavaScript object has like any other', () => {
    const query = parseQuery('__proto__=1&constructor=2&limit=3')
    expect(JSON.stringify(query)).toBe('{"__proto__":"1","constructor":"2","limit":"3"}')
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype)
  })
})

describe('checkQuery', () => {
  it('refuses null characters with an error on their parameter', () => {
    expect(outcomeOf(() => checkQuery({ reason: 'a\0', status: 'x' }))).toEqual(
      invalid({ reason: ['Null characters are not allowed.'] }),
    )
    expect(outcomeOf(() => checkQuery({ reason: 'a', status: '' }))).toBeUndefined()
  })
})

describe('isUtf8', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF8',
    'application/x-www-form-urlencoded; charset="utf-8"',
    'application/json; charset=us-ascii',
    'application/json; charset=',
    '',
  ])('accepts %j', (content_type) => {
    expect(isUtf8(content_type)).toBe(true)
  })

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'text/plain; a=b; Charset = "latin1"',
  ])('refuses %j', (content_type) => {
    expect(isUtf8(content_type)).toBe(false)
  })
})

describe('decodeBody', () => {
  it('takes off a byte order mark, once, of JSON and of forms', () => {
    expect(parseJsonBody(decodeBody(Buffer.from('\ufeff{"amount":5}'), {}))).toEqual({ amount: 5 })
    expect(parseFormBody(decodeBody(Buffer.from('\ufeffamount=5'), {}))).toEqual({ amount: '5' })
    expect(decodeBody(Buffer.from('\ufeff\ufeffx'), {})).toBe('\ufeffx')
  })

  it.each(['', 'identity', 'Identity', 'identity, identity'])('reads a body in the coding %j', (coding) => {
    expect(decodeBody(Buffer.from('x'), { 'content-encoding': coding })).toBe('x')
  })

  it.each(['gzip', 'br', 'DEFLATE', 'zstd', 'identity, gzip', 'nonsense'])('refuses the coding %j', (coding) => {
    const headers = { 'content-encoding': coding, 'content-type': 'application/json' }
    expect(outcomeOf(() => decodeBody(Buffer.from('{}'), headers))).toMatchObject({ name: 'UnsupportedEncoding' })
  })

  it('decodes UTF-8', () => {
    expect(decodeBody(Buffer.from('{"first_name":"Zoë 😀"}'), {})).toBe('{"first_name":"Zoë 😀"}')
    expect(decodeBody(new Uint8Array(), {})).toBe('')
  })

  it('refuses letters in another encoding', () => {
    expect(outcomeOf(() => decodeBody(Buffer.from('{"first_name":"Zoë"}', 'latin1'), {}))).toEqual(
      malformed('not valid UTF-8'),
    )
  })
})
