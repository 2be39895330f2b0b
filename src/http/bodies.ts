import { isUtf8 as isUtf8Bytes } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Invalid, Malformed } from '../core/refusals.ts'
import { decodeBase64 } from '../lib/base64.ts'
import {
  type JsonObject as Body,
  findTextError,
  findValueError,
  isObject,
  MAX_DEPTH,
  NULL_CHARACTERS_MESSAGE,
  parseExactJson,
  parseObject,
  setField,
  tooDeepError,
  UnsafeData,
} from '../lib/structured-input.ts'
import { TooLarge, UnsupportedEncoding, UnsupportedMedia } from './errors.ts'

export type { JsonObject as Body } from '../lib/structured-input.ts'

/**
 * Read a JSON body into the fields of a request. All routes use it. It keeps the types of values, turns dotted and
 * bracketed keys into objects (`nestKeys`), and reads an empty text as no fields.
 * @throws Malformed when the text is not JSON or too deep.
 * @throws Invalid with all invalid fields when a value cannot be stored exactly: null characters, broken Unicode, or a
 *   number with more digits than a JSON number carries.
 */
export function parseJsonBody(text: string): Body {
  if (text.trim() === '') return {}
  return refuseUnsafeData(() => {
    const value = parseJson(text)
    if (!isObject(value)) {
      throw new Invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`] })
    }
    return checkFields(nestKeys(value))
  })
}

/** Maximum size of a body, except on routes that take files. */
export const MAX_BODY_BYTES = 1_048_576
/** A text of this length is looked for in bodies beyond `MAX_BODY_BYTES`. */
const MIN_FILE_LENGTH = 65_536

/**
 * Read a JSON body beyond `MAX_BODY_BYTES`, such as one with a file. All of it but one text has an ordinary length;
 * this text is base64, and its field is the bytes. So the file itself is read in one pass, whatever it contains.
 * @throws TooLarge. Malformed where the long text is not base64. Malformed, Invalid as parseJsonBody does.
 */
export function parseJsonBodyWithFile(bytes: Buffer, headers: IncomingHttpHeaders): Body {
  const file = findLongText(bytes)
  if (!file || bytes.length - (file.end - file.start) > MAX_BODY_BYTES) throw new TooLarge(MAX_BODY_BYTES)
  const content = decodeBase64(bytes.toString('latin1', file.start, file.end))
  if (!content) throw new Malformed('A text of this length must be a file in base64.')
  const place = randomUUID()
  const rest = Buffer.concat([bytes.subarray(0, file.start), Buffer.from(place), bytes.subarray(file.end)])
  const body = parseJsonBody(decodeBody(rest, headers))
  for (const fields of [body, ...Object.values(body).filter(isObject)])
    for (const [name, value] of Object.entries(fields)) if (value === place) fields[name] = content
  return body
}

/** The first long text between two quotation marks. It lies around a place that is a multiple of its least length. */
function findLongText(bytes: Buffer): { start: number; end: number } | undefined {
  for (let at = MIN_FILE_LENGTH; at <= MAX_BODY_BYTES; at += MIN_FILE_LENGTH) {
    const start = bytes.lastIndexOf(QUOTATION_MARK, at) + 1
    const end = bytes.indexOf(QUOTATION_MARK, at)
    if (start > 0 && end - start > MIN_FILE_LENGTH) return { start, end }
  }
  return undefined
}

const QUOTATION_MARK = 0x22

/**
 * Read an `application/x-www-form-urlencoded` body into the fields of a request, all of them strings. A field that
 * occurs several times becomes the list of its values, so that validation can refuse it. Broken percent-encoding stays
 * as it is written.
 * @throws Malformed when there are too many fields. Malformed, Invalid as parseJsonBody does.
 */
export function parseFormBody(text: string): Body {
  if (hasMoreThan(MAX_FORM_FIELDS, '&', text)) throw new Malformed(`A form has at most ${MAX_FORM_FIELDS} fields.`)
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const previous = fields.get(name)
    if (previous === undefined) fields.set(name, value)
    else if (typeof previous === 'string') fields.set(name, [previous, value])
    else previous.push(value)
  }
  return refuseUnsafeData(() => checkFields(nestKeys(Object.fromEntries(fields))))
}

/**
 * Turn keys that are paths into objects: `metadata.order=7` and `metadata[order]=7` both put `order` into `metadata`.
 * The text after the first dot is one key; brackets may follow each other. Such keys add to an object that the body has
 * under the plain name, also when that object is a text (see parseStructured). The function may change the objects in
 * `flat`; do not use `flat` afterwards.
 * @throws Invalid when a path leads through a value that is not an object, or to a key that already has a value.
 */
export function nestKeys(flat: Body): Body {
  const keys = Object.keys(flat)
  if (!keys.some((key) => key.includes('.') || key.includes('['))) return flat
  const body: Body = {}
  const nested: [path: string[], value: unknown][] = []
  for (const key of keys) {
    const path = keyPath(key)
    if (path.length > 1) nested.push([path, flat[key]])
    else setField(body, key, flat[key])
  }
  const errors = new Map<string, string[]>()
  for (const [path, value] of nested) {
    // A wrong field stays wrong. To try each of its paths would read the same long text as often.
    const error = errors.has(path[0]!) ? undefined : setAtPath(body, path, value)
    if (error) errors.set(path[0]!, [error])
  }
  throwIfAny(errors)
  return body
}

/**
 * Read a query string. The last value counts when a parameter occurs several times. A parameter without a name or a
 * value counts as not given. It never throws: the router calls it where an exception would end the process.
 */
export function parseQuery(raw: string): Record<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw)) query.set(name, value)
  for (const [name, value] of query) if (name === '' || value === '') query.delete(name)
  return Object.fromEntries(query)
}

/** Refuse null characters: no stored text contains them and PostgreSQL rejects them. @throws Invalid */
export function checkQuery(query: Readonly<Record<string, string>>): void {
  const errors = new Map<string, string[]>()
  for (const [name, value] of Object.entries(query))
    if (value.includes('\0')) errors.set(name, [NULL_CHARACTERS_MESSAGE])
  throwIfAny(errors)
}

/** Return true if a Content-Type says UTF-8, its subset ASCII, or no charset. JSON has no other encoding (RFC 8259). */
export function isUtf8(content_type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(content_type)?.[1]
  return !charset || /^(?:utf-?8|(?:us-)?ascii)$/i.test(charset)
}

/** The coding of a body that is not read, such as `gzip`; undefined for bodies that are sent as they are. */
export function unreadCoding({ 'content-encoding': sent }: IncomingHttpHeaders): string | undefined {
  const codings = (sent ?? '').split(',').map((coding) => coding.trim())
  return codings.find((coding) => !/^(?:identity)?$/i.test(coding))
}

/**
 * Read the text of a body, without the byte order mark that some programs put before it. Bytes that are not UTF-8 are
 * refused, since decoding would replace letters.
 * @throws UnsupportedEncoding, UnsupportedMedia for a charset. Malformed.
 */
export function decodeBody(bytes: Uint8Array, headers: IncomingHttpHeaders): string {
  const coding = unreadCoding(headers)
  if (coding !== undefined) throw new UnsupportedEncoding(coding)
  const content_type = headers['content-type'] ?? ''
  if (!isUtf8(content_type)) throw new UnsupportedMedia(content_type)
  if (!isUtf8Bytes(bytes)) throw new Malformed('The request body is not valid UTF-8.')
  return utf8.decode(bytes)
}

/** The decoder removes a byte order mark. */
const utf8 = new TextDecoder()

const MAX_NAME_LENGTH = 256
/** Maximum fields of a form. Each costs some microseconds, and strangers may send forms. */
const MAX_FORM_FIELDS = 1_000

/** Return true if a text contains a mark more than `count` times. It stops reading as soon as it knows. */
function hasMoreThan(count: number, mark: string, text: string): boolean {
  let found = 0
  for (let at = text.indexOf(mark); at >= 0 && found < count; at = text.indexOf(mark, at + 1)) found += 1
  return found >= count
}

/** @throws Invalid when there are errors. `fromEntries` makes every name a field, also `__proto__`. */
function throwIfAny(errors: ReadonlyMap<string, string[]>): void {
  if (errors.size > 0) throw new Invalid(Object.fromEntries(errors))
}

function refuseUnsafeData(parse: () => Body): Body {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UnsafeData) throw new Malformed(error.message)
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Malformed(`JSON parse error - ${error.message}`)
    throw error
  }
}

/** Return the fields unchanged if they can be stored exactly. @throws Malformed, Invalid as parseJsonBody does */
function checkFields(fields: Body): Body {
  const errors = new Map<string, string[]>()
  for (const [name, value] of Object.entries(fields)) {
    if (name.length > MAX_NAME_LENGTH) throw new Malformed(`A field name has at most ${MAX_NAME_LENGTH} characters.`)
    const error = findTextError(name) ?? findValueError(value)
    if (error) errors.set(name, [error])
  }
  throwIfAny(errors)
  return fields
}

const DOTTED = /^([\w ]+)\.(.+)$/s
const BRACKETED = /^([\w ]+)((?:\[[^[\]]+\])+)$/

function keyPath(key: string): string[] {
  const [, name, rest] = DOTTED.exec(key) ?? BRACKETED.exec(key) ?? [undefined, key]
  const parts = rest === undefined ? [] : key[name!.length] === '.' ? [rest] : rest.slice(1, -1).split('][')
  if (parts.length >= MAX_DEPTH) throw tooDeepError()
  return [name!, ...parts]
}

/** Set the value at a path of the body and create the objects on the way. Returns an error text when it cannot. */
function setAtPath(body: Body, path: string[], value: unknown): string | undefined {
  let parent = body
  for (const name of path.slice(0, -1)) {
    const found = Object.hasOwn(parent, name) ? parent[name] : undefined
    const child = isEmptyValue(found) ? {} : parseObject(found)
    if (!child) return `Expected a dictionary of items but got type "${pythonType(found)}".`
    setField(parent, name, child)
    parent = child
  }
  const key = path.at(-1)!
  if (Object.hasOwn(parent, key)) return `The key "${key}" is given more than once.`
  setField(parent, key, value)
  return undefined
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** The Python name of a value's type, as existing clients know it from error texts. */
function pythonType(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'string') return 'str'
  return typeof value === 'boolean' ? 'bool' : 'dict'
}
