import { pythonToJson } from './text/python-literal.ts'

/** An object of names and values: a body or a part of one. */
export type JsonObject = Record<string, unknown>

/** The data contains something that is never stored: too deep nesting. */
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
  return isObject(parsed) && isValidObject(parsed) ? parsed : undefined
}

/**
 * Reads `recipient_data`. Clients send it as a list of objects, as the JSON text of one, or as a Python literal.
 * Returns undefined for anything else. Within the list, a row is undefined if it is not an object or not a valid one.
 */
export function parseObjectList(value: unknown): (JsonObject | undefined)[] | undefined {
  const list = typeof value === 'string' ? (tryParse(value) ?? tryParse(pythonToJson(value))) : value
  if (!Array.isArray(list)) return undefined
  return list.map((item) => (isObject(item) && isValidObject(item) ? item : undefined))
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
  if (typeof value === 'string') return findTextError(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.'
  if (value === INEXACT_NUMBER) return 'Send the amount as a string.'
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
  return text.isWellFormed() ? undefined : 'Not a valid string.'
}

function checkDepth(value: unknown, depth = 0) {
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) throw tooDeepError()
  for (const item of Object.values(value)) checkDepth(item, depth + 1)
}

/** Whether a value is an object with names, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isValidObject(value: JsonObject): boolean {
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

/** Replaces a number in a parsed body when parsing would lose some of its digits. */
const INEXACT_NUMBER = Symbol('inexact number')
const MAX_EXACT_DIGITS = 15
const MAYBE_INEXACT = /\d[\d.]{15}/

/** The typings do not yet have the third parameter: the source text of each number (ECMAScript 2026). */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver?: Reviver) => unknown

/**
 * Parses JSON. A number that a double would change becomes a mark, which `findValueError` reports.
 * @throws SyntaxError, UnsafeData
 */
export function parseExactJson(text: string): unknown {
  const value = parseWithSource(text)
  // A reviver makes parsing many times slower, so it is used only if the text has a long row of digits. It recurses for
  // every level, so the depth is checked first.
  if (!MAYBE_INEXACT.test(text)) return value
  checkDepth(value)
  return parseWithSource(text, (_key, part, { source }) =>
    typeof part === 'number' && source && countDigits(source) > MAX_EXACT_DIGITS ? INEXACT_NUMBER : part,
  )
}

/** The number of significant digits of a JSON number, without the zeros around them: 6 in `-0.0012345600e3`. */
function countDigits(source: string): number {
  const digits = source.split(/e/i, 1)[0]!.replace(/[-.]/g, '').replace(/^0+/, '')
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return end
}
