import fc from 'fast-check'
import type { Operation, Schema } from '../interface/openapi.ts'
import { mutatedBodyFor } from './valid-bodies.ts'
import { anyValue, hostileText, objectFor, toJson, valueFor } from './values.ts'

/** Request as it goes over the wire. */
export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/** Printable Latin-1: the characters that a header may contain. */
const headerText = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code < 0x7f || code > 0xa0),
    { maxLength: 40 },
  )
  .map((codes) => String.fromCharCode(...codes))

const unusualHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record(
    {
      'duplicate-check-key': fc.oneof(headerText, fc.constantFrom('again', 'x'.repeat(3_000), '')),
      accept: fc.constantFrom(
        '*/*',
        'application/json',
        '*/*; q=0.5, application/xml',
        'text/html',
        ';;,',
        'application/json;q=0',
      ),
      'last-event-id': fc.oneof(headerText, fc.constantFrom('0', '1', '999999999', '2 hours ago')),
      'beyonic-version': headerText,
      'x-csrf-token': fc.constant(''),
    },
    { requiredKeys: [] },
  ),
)

/** Requests to one operation, made from its description: most are almost right, some are hostile. */
export function requestsFor(document: Schema, operation: Operation, ids: readonly number[]): fc.Arbitrary<FuzzRequest> {
  const { method, parameters, body } = operation
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .record({
      path: pathFor(operation, ids),
      query: queryFor(document, query),
      headers: unusualHeaders,
      body: body ? bodyFor(document, operation, body) : noBody,
    })
    .map((made) => ({
      method,
      path: made.path + made.query,
      headers: { ...made.headers, ...(made.body.type === undefined ? {} : { 'content-type': made.body.type }) },
      body: made.body.text,
    }))
}

/** Genuine and forged requests to the callback address, with any content. */
export const callbackRequests: fc.Arbitrary<FuzzRequest> = fc
  .record({
    network: fc.oneof({ weight: 5, arbitrary: fc.constant('sandbox') }, hostileText),
    body: fc.oneof(anyValue.map(toJson), hostileText),
    type: fc.constantFrom('application/json', 'application/xml', 'text/plain', 'application/x-www-form-urlencoded', ''),
    signature: fc.oneof(fc.constant(undefined), headerText),
  })
  .map(({ network, body, type, signature }) => ({
    method: 'POST',
    path: `/api/callbacks/${encode(network) || 'x'}`,
    headers: { 'content-type': type, ...(signature !== undefined && { 'x-signature': signature }) },
    body,
  }))

function pathFor({ path }: Operation, ids: readonly number[]): fc.Arbitrary<string> {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids).map(String) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.nat().map(String),
        hostileText.map((text) => encode(text) || '0'),
      ),
    },
  )
  const version = fc.constantFrom('', '', '', '', '/v1', '/v5')
  const ending = fc.constantFrom('', '', '', '/')
  return fc
    .tuple(id, version, ending)
    .map(([place, prefix, end]) => path.replace(/\{\w+\}/, place).replace('/api', `/api${prefix}`) + end)
}

function queryFor(document: Schema, parameters: Operation['parameters']): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema, example }) => {
    const fine = valueFor(document, example === undefined ? schema : { ...schema, examples: [example] })
    return fc.oneof({ weight: 3, arbitrary: fine }, hostileText).map((value) => toPair([name, value]))
  })
  const junk = fc.constantFrom(
    '',
    '&',
    '=',
    '%',
    '%ff=%fe',
    'a[]=1',
    '__proto__=1',
    '?',
    ';',
    'limit=1&limit=2',
    '%00=1',
    'x=%00',
  )
  const chosen = fc
    .tuple(...pairs)
    .chain((all) => fc.shuffledSubarray(all as string[], { maxLength: Math.min(4, all.length) }))
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('', '?', '?&') },
    { weight: 4, arbitrary: chosen.map((list) => `?${list.join('&')}`) },
    { weight: 1, arbitrary: fc.tuple(chosen, junk).map(([list, rest]) => `?${[...list, rest].join('&')}`) },
  )
}

interface Body {
  type: string | undefined
  text: string
}

const noBody: fc.Arbitrary<Body> = fc.constantFrom(
  { type: undefined, text: '' },
  { type: undefined, text: '' },
  { type: 'application/json', text: '' },
  { type: 'application/json', text: '{}' },
)

function bodyFor(document: Schema, operation: Operation, schema: Schema): fc.Arbitrary<Body> {
  const fields = objectFor(document, follow(document, schema))
  const json = fields.map((value) => ({ type: 'application/json', text: toJson(value) }))
  const form = fields.map((value) => ({ type: 'application/x-www-form-urlencoded', text: toForm(value) }))
  const broken = fc
    .tuple(json, fc.nat(), hostileText)
    .map(([{ type, text }, at, junk]) => ({ type, text: text.slice(0, at % (text.length + 1)) + junk }))
  const wild = fc.record({
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      '',
      '/',
    ),
    text: fc.oneof(anyValue.map(toJson), hostileText),
  })
  const described = fc.oneof({ weight: 10, arbitrary: json }, { weight: 6, arbitrary: form }, broken, wild)
  const mutated = mutatedBodyFor(operation)
  if (!mutated) return described
  const mutated_json = mutated.map((value) => ({ type: 'application/json', text: toJson(value) }))
  const mutated_form = mutated.map((value) => ({ type: 'application/x-www-form-urlencoded', text: toForm(value) }))
  return fc.oneof(
    { weight: 3, arbitrary: described },
    { weight: 5, arbitrary: mutated_json },
    { weight: 2, arbitrary: mutated_form },
  )
}

function follow(document: Schema, schema: Schema): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined
  return name === undefined
    ? schema
    : ((document.components as Record<string, Record<string, Schema>>).schemas![name] as Schema)
}

/** A form as clients write them: objects as JSON texts or with dotted keys, here by the length of their names. */
function toForm(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .flatMap(([name, value]): [string, unknown][] =>
      value !== null && typeof value === 'object' && !Array.isArray(value) && name.length % 2
        ? Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
        : [[name, value]],
    )
    .map(toPair)
    .join('&')
}

function toPair([name, value]: readonly [string, unknown]): string {
  return `${encode(name)}=${encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
