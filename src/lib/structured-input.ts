import { randomBytes } from 'node:crypto'
import { getMessage } from './messages/message.ts'
import { pythonToJson } from './text/python-literal.ts'

/** An object of names and values: a body or a part of one. */
export type JsonObject = Record<string, unknown>

/** The data contains something that is never read or stored: too deep nesting, or too many names or values. */
export class UnsafeData extends Error {}

/** The deepest nesting that is accepted. */
export const MAX_DEPTH = 20

/**
 * Reads `metadata` or `subscription_settings`. Clients send them as an object, as the JSON text of one, or as a Python
 * literal. An empty list counts as an empty object, because PHP writes it so. Returns undefined for anything else, and
 * for a text with too deep nesting or an invalid value.
 */
export function parseObject(value: unknown): JsonObject | undefined {
  if (Array.isArray(value) && value.length === 0) return {}
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  const parsed = tryParse(value) ?? tryParse(pythonToJson(value))
  return isObject(parsed) && isValid(parsed) ? parsed : undefined
}

/**
 * Reads `recipient_data`. Clients send it as a list of objects, as the JSON text of one, or as a Python literal.
 * Returns undefined for anything else. Within the list, a row is undefined if it is not an object or not a valid one.
 */
export function parseObjectList(value: unknown): (JsonObject | undefined)[] | undefined {
  const list = typeof value === 'string' ? (tryParse(value) ?? tryParse(pythonToJson(value))) : value
  if (!Array.isArray(list)) return undefined
  return list.map((item) => (isObject(item) && isValid(item) ? item : undefined))
}

/** Reads a list that stands in a text as JSON. Undefined for anything else, and for a list with a value that no body may hold. */
export function parseList(text: string): unknown[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  const list = tryParse(text)
  return Array.isArray(list) && isValid(list) ? list : undefined
}

/** The message for every null character. */
export const NULL_CHARACTERS_MESSAGE = 'Null characters are not allowed.'

/**
 * Sets a field of an object. `__proto__` is a name like any other, as in JSON; an assignment would replace the object's
 * prototype.
 */
export function setField(object: JsonObject, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** The error for too deep nesting. */
export function tooDeepError(): UnsafeData {
  return new UnsafeData(`The data is nested more than ${MAX_DEPTH} levels deep.`)
}

/** The error of a value or of the first faulty value in it; undefined when there is none. @throws UnsafeData */
export function findValueError(value: unknown, depth = 1): string | undefined {
  if (value === INEXACT_NUMBER) return 'Send the amount as a string.'
  if (typeof value === 'string') return findTextError(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : getMessage('fields.number')
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= MAX_DEPTH) throw tooDeepError()
  if (Array.isArray(value)) {
    for (const item of value) {
      const error = findValueError(item, depth + 1)
      if (error) return error
    }
    return undefined
  }
  for (const [key, item] of Object.entries(value)) {
    const error = findTextError(key) ?? findValueError(item, depth + 1)
    if (error) return error
  }
  return undefined
}

/** The error of a text: null characters, which PostgreSQL cannot store, or broken Unicode. */
export function findTextError(text: string): string | undefined {
  if (text.includes('\0')) return NULL_CHARACTERS_MESSAGE
  return text.isWellFormed() ? undefined : getMessage('fields.string')
}

/** True if a value is an object with names, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isValid(value: JsonObject | unknown[]): boolean {
  try {
    return findValueError(value) === undefined
  } catch (error) {
    if (error instanceof UnsafeData) return false
    throw error
  }
}

function tryParse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UnsafeData) return undefined
    throw error
  }
}

/** Stands for a number in a parsed body when parsing would lose some of its digits. Nobody can guess it. */
const INEXACT_NUMBER = `inexact number ${randomBytes(16).toString('hex')}`
const MAX_EXACT_DIGITS = 15
const MAYBE_INEXACT = /\d[\d.]{15}/

/**
 * Maximum number of names: each name of a wide object costs a microsecond wherever the object is read; no body needs
 * more.
 */
const MAX_NAMES = 1_000
/** Maximum number of items: no list of a body needs more, and each wrong item has its own error. */
const MAX_ITEMS = 10_000
/**
 * Maximum number of names and values, counted by their colons and commas. A payment to a thousand recipients with fifty
 * attributes each has about this number.
 */
const MAX_VALUES = 150_000
/** Each number that becomes another text costs a microsecond. */
const MAX_REWRITTEN = 30_000
/** A shorter text can have neither too many names nor too many values. */
const MAX_UNCHECKED = 4_000

/**
 * Parses JSON. A number that a double would change becomes a mark, which `findValueError` reports. Texts that would
 * take long to parse are refused before: deep nesting, wide objects, very many values.
 * @throws SyntaxError, UnsafeData
 */
export function parseExactJson(text: string): unknown {
  const has_long_numbers = MAYBE_INEXACT.test(text)
  return JSON.parse(has_long_numbers || text.length > MAX_UNCHECKED ? rewriteNumbers(text, markInexact) : text)
}

/** True if a JSON text has so few names, values and levels that it is parsed in a moment. */
export function isBoundedJson(text: string): boolean {
  if (text.length <= MAX_UNCHECKED) return true
  try {
    rewriteNumbers(text, () => undefined)
    return true
  } catch (error) {
    if (error instanceof UnsafeData) return false
    throw error
  }
}

const INEXACT_TEXT = JSON.stringify(INEXACT_NUMBER)

/** Ids of high cells have 16 digits, which a double keeps up to 2^53. */
function markInexact(number: string): string | undefined {
  if (/^\d{16}$/.test(number) && Number.isSafeInteger(Number(number))) return undefined
  return number.length > MAX_EXACT_DIGITS && countDigits(number) > MAX_EXACT_DIGITS ? INEXACT_TEXT : undefined
}

/**
 * A JSON text with other texts in place of its numbers, as `rewrite` says. The text is read once.
 * @throws UnsafeData for too many names, values or levels
 */
export function rewriteNumbers(text: string, rewrite: (number: string) => string | undefined): string {
  /** Numbers of names and commas in each open object or list. */
  const open: { names: number; commas: number }[] = []
  const parts: string[] = []
  let [copied, values] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') {
      open.push({ names: 0, commas: 0 })
      // The body itself is no level.
      if (open.length > MAX_DEPTH + 1) throw tooDeepError()
    } else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ':' || sign === ',') {
      values += 1
      if (values > MAX_VALUES) throw new UnsafeData(`The data has too many names and values.`)
      const inner = open.at(-1)
      if (inner) inner[sign === ':' ? 'names' : 'commas'] += 1
      if (inner && inner.names > MAX_NAMES) throw new UnsafeData(`An object has at most ${MAX_NAMES} names.`)
      if (inner && inner.commas >= MAX_ITEMS) throw new UnsafeData(`A list has at most ${MAX_ITEMS} items.`)
    } else if (sign >= '0' && sign <= '9') {
      const from = text[at - 1] === '-' ? at - 1 : at
      NUMBER.lastIndex = at
      NUMBER.test(text)
      const end = NUMBER.lastIndex
      const rewritten = rewrite(text.slice(from, end))
      if (rewritten !== undefined) {
        if (parts.length > 2 * MAX_REWRITTEN) throw new UnsafeData('The data has too many numbers.')
        parts.push(text.slice(copied, from), rewritten)
        copied = end
      }
      at = end - 1
    }
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied)
}

/** Returns the end of the string that begins at a quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

const NUMBER = /[\d.eE+-]+/y

/** The number of significant digits of a JSON number, without the zeros around them: 6 in `-0.0012345600e3`. */
function countDigits(source: string): number {
  let [count, zeros] = [0, 0]
  for (const sign of source) {
    if (sign === 'e' || sign === 'E') break
    if (sign === '0') zeros += 1
    else if (sign >= '1' && sign <= '9') {
      count += count === 0 ? 1 : zeros + 1
      zeros = 0
    }
  }
  return count
}
