import { type Amount, parseAmount } from '../lib/money.ts'
import { formatMilliseconds } from '../lib/time.ts'

type Parse = (text: string) => unknown

/** Reads an int8 as a number. @throws RangeError if a number cannot hold it exactly */
function parseInt8(text: string): number {
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw new RangeError(`The id ${text} is beyond what a number holds exactly.`)
  return id
}

function parseNumeric(text: string): Amount {
  const amount = parseAmount(text)
  if (amount === undefined) throw new RangeError(`The database gave ${text} where an amount was expected.`)
  return amount
}

function parseBytes(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

const keepText = (text: string) => text
const parseBoolean = (text: string) => text === 't'
const parseDate = (text: string) => new Date(text)

/**
 * Types: the number in pg_type, the number of the array type, and the parser of the text. All other types stay text.
 */
const TYPES: [oid: number, array_oid: number, parse: Parse][] = [
  [16, 1000, parseBoolean],
  [17, 1001, parseBytes],
  [19, 1003, keepText], // name
  [20, 1016, parseInt8],
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [25, 1009, keepText], // text
  [26, 1028, Number], // oid
  [114, 199, JSON.parse], // json
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [1043, 1015, keepText], // varchar
  [1082, 1182, parseDate], // date
  [1114, 1115, parseDate], // timestamp
  [1184, 1185, parseDate], // timestamptz
  [1700, 1231, parseNumeric],
  [2950, 2951, keepText], // uuid
  [3802, 3807, JSON.parse], // jsonb
]

const parsers = new Map<number, Parse>(
  TYPES.flatMap(([oid, array_oid, parse]): [number, Parse][] => [
    [oid, parse],
    [array_oid, (text) => parseArray(text, parse)],
  ]),
)

/** The parser for the text of a column of this type. */
export function parserOf(oid: number): Parse {
  return parsers.get(oid) ?? keepText
}

/** An element of an array: plain, or quoted with backslashes before quotes and backslashes. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|[^,{}]+/gs

/** Reads PostgreSQL's text form of an array of one dimension, such as `{1,NULL,"a b"}`. */
function parseArray(text: string, parse: Parse): unknown[] {
  if (text === '{}') return []
  if (!text.startsWith('{') || text.startsWith('{{'))
    throw new RangeError(`The database gave an array of several dimensions: ${text}.`)
  const read = (element: string) => (element === 'NULL' ? null : parse(element))
  if (!text.includes('"')) return text.slice(1, -1).split(',').map(read)
  return Array.from(text.matchAll(ELEMENT), ([element, quoted]) =>
    quoted === undefined ? read(element) : parse(quoted.replace(/\\(.)/gs, '$1')),
  )
}

/** Writes PostgreSQL's text form of an array. Dates become ISO text; undefined counts as null. */
export function writeArray(elements: readonly unknown[]): string {
  let text = '{'
  for (let index = 0; index < elements.length; index += 1) {
    if (index > 0) text += ','
    text += writeElement(elements[index])
  }
  return `${text}}`
}

function writeElement(element: unknown): string {
  switch (typeof element) {
    case 'number':
    case 'boolean':
      return String(element)
    case 'string':
      return quote(element)
    case 'undefined':
      return 'NULL'
    default:
      if (element === null) return 'NULL'
      if (element instanceof Date) return `"${formatMilliseconds(element)}"`
      throw new TypeError(`An array for a statement holds ${typeof element}.`)
  }
}

/** Characters that JSON escapes and arrays do not: control characters, and halves of surrogate pairs. */
const ESCAPED_BY_JSON_ONLY = /[\p{Cc}\p{Cs}]/u

/** A string as an element of an array. Where JSON quotes in the same way, V8 does it in half the time: most long texts are JSON. */
function quote(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return ESCAPED_BY_JSON_ONLY.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text)
}
