import { isUtf8 as isUtf8Bytes } from 'node:buffer'
import { type FieldErrors, Invalid, Malformed } from '../core/refusals.ts'
import {
  type JsonObject as Body,
  checkKey,
  findTextError,
  findValueError,
  isForbiddenKey,
  isObject,
  MAX_DEPTH,
  NULL_CHARACTERS_MESSAGE,
  parseExactJson,
  parseObject,
  tooDeepError,
  UnsafeData,
} from '../lib/structured-input.ts'

export type { JsonObject as Body } from '../lib/structured-input.ts'

/**
 * Reads a JSON body into the fields of a request, for every route alike. Value types are kept; dotted and bracketed
 * keys become objects (`nestKeys`); an empty text has no fields. Throws Malformed for what is not JSON, too deep or
 * dangerous, and Invalid, naming all faulty fields, for what could not be stored exactly: null characters, broken
 * Unicode, numbers with more digits than a JSON number carries.
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

/**
 * Reads an `application/x-www-form-urlencoded` body into the fields of a request, all of them strings. A field that
 * comes several times is the list of its values, so that validation can refuse it. Broken percent-encoding is taken
 * literally. Throws as parseJsonBody does.
 */
export function parseFormBody(text: string): Body {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = fields.get(name)
    if (earlier === undefined) fields.set(name, value)
    else if (typeof earlier === 'string') fields.set(name, [earlier, value])
    else earlier.push(value)
  }
  return refuseUnsafeData(() => checkFields(nestKeys(Object.fromEntries(fields))))
}

/**
 * Makes objects of keys that are paths: `metadata.order=7` and `metadata[order]=7` both put `order` into `metadata`.
 * What follows the first dot is one key; brackets may follow each other. They add to an object that came under the
 * plain name, also as a text (see parseStructured). The literal name `the service` stands for `metadata` where that is
 * missing. The objects in `flat` may be added to, so it belongs to this function from then on.
 * Throws Invalid where a path leads through something that is no object, or to a place that is taken.
 */
export function nestKeys(flat: Body): Body {
  const keys = Object.keys(flat)
  if (!keys.some((key) => key.includes('.') || key.includes('[') || key.startsWith(METADATA_ALIAS))) return flat
  const body: Body = {}
  const nested: [path: string[], value: unknown][] = []
  for (const key of keys) {
    const path = keyPath(key)
    if (path.length > 1) nested.push([path, flat[key]])
    else if (key !== METADATA_ALIAS) body[key] = flat[key]
  }
  if (isEmptyValue(body.metadata) && METADATA_ALIAS in flat) body.metadata = flat[METADATA_ALIAS]
  const errors: FieldErrors = {}
  for (const [path, value] of nested) {
    const error = putAt(body, path, value)
    if (error) errors[path[0]!] = [error]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return body
}

/**
 * Reads a query string. Of a parameter that comes several times the last counts; one without a name or a value counts
 * as not given. It never throws: the router reads queries where nobody would catch it and the process would end.
 */
export function parseQuery(raw: string): Record<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw)) query.set(name, value)
  for (const [name, value] of query) if (name === '' || value === '' || isForbiddenKey(name)) query.delete(name)
  return Object.fromEntries(query)
}

/** Refuses null characters, which no stored text contains and the database would not take. @throws Invalid */
export function checkQuery(query: Readonly<Record<string, string>>): void {
  const errors: FieldErrors = {}
  for (const [name, value] of Object.entries(query)) if (value.includes('\0')) errors[name] = [NULL_CHARACTERS_MESSAGE]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Whether a Content-Type leaves the body in UTF-8 (or its part ASCII), the only encoding JSON has (RFC 8259). */
export function isUtf8(content_type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(content_type)?.[1]
  return !charset || /^(?:utf-?8|(?:us-)?ascii)$/i.test(charset)
}

/** The text of a body. Throws Malformed for bytes that are not UTF-8, rather than store question marks for letters. */
export function decodeBody(bytes: Uint8Array): string {
  if (!isUtf8Bytes(bytes)) throw new Malformed('The request body is not valid UTF-8.')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

const METADATA_ALIAS = 'the service'
const MAX_NAME_LENGTH = 256

function refuseUnsafeData(read: () => Body): Body {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnsafeData) throw new Malformed(error.message)
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Malformed(`JSON parse error - ${error.message}`)
    throw error
  }
}

/** Answers the fields as they are if they can be kept so; otherwise throws what parseJsonBody says. */
function checkFields(fields: Body): Body {
  const errors: FieldErrors = {}
  for (const [name, value] of Object.entries(fields)) {
    checkKey(name)
    if (name.length > MAX_NAME_LENGTH) throw new Malformed(`A field name has at most ${MAX_NAME_LENGTH} characters.`)
    const flaw = findTextError(name) ?? findValueError(value)
    if (flaw) errors[name] = [flaw]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return fields
}

const DOTTED = /^([\w ]+)\.(.+)$/s
const BRACKETED = /^([\w ]+)((?:\[[^[\]]+\])+)$/

function keyPath(key: string): string[] {
  const [, name, rest] = DOTTED.exec(key) ?? BRACKETED.exec(key) ?? [undefined, key]
  const parts = rest === undefined ? [] : key[name!.length] === '.' ? [rest] : rest.slice(1, -1).split('][')
  if (parts.length >= MAX_DEPTH) throw tooDeepError()
  const path = [name === METADATA_ALIAS ? 'metadata' : name!, ...parts]
  for (const part of path) checkKey(part)
  return path
}

/** Puts a value at a path of the body, making the objects on the way, or says why it cannot be there. */
function putAt(body: Body, path: string[], value: unknown): string | undefined {
  let place = body
  for (const name of path.slice(0, -1)) {
    const found = Object.hasOwn(place, name) ? place[name] : undefined
    const inner = isEmptyValue(found) ? {} : parseObject(found)
    if (!inner) return `Expected a dictionary of items but got type "${pythonType(found)}".`
    place[name] = inner
    place = inner
  }
  const key = path.at(-1)!
  if (Object.hasOwn(place, key)) return `The key "${key}" is given more than once.`
  place[key] = value
  return undefined
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** What Python calls the type of a value, for error texts that existing clients know. */
function pythonType(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'string') return 'str'
  return typeof value === 'boolean' ? 'bool' : 'dict'
}
