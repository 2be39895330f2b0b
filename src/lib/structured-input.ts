import { pythonToJson } from './python-literal.ts'

/** An object of names and values, as a body or a part of one. */
export type JsonObject = Record<string, unknown>

/** The text holds what no stored object may: names that stand for a prototype, or absurd depth. */
export class UnsafeData extends Error {}

/** The deepest nesting that is taken. */
export const MAX_DEPTH = 20

/**
 * Reads `metadata` or `subscription_settings`, which come as an object, as the JSON text of one, or as a Python
 * literal. An empty list counts as an empty object, for that is how PHP writes one. Returns undefined for anything
 * else, and for a text that hides what no body may contain.
 */
export function parseObject(value: unknown): JsonObject | undefined {
  if (Array.isArray(value) && value.length === 0) return {}
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  const read = tryParse(value) ?? tryParse(pythonToJson(value))
  return isObject(read) && isValidObject(read) ? read : undefined
}

/**
 * Reads `recipient_data`, which comes as a list of objects, as the JSON text of one, or as a Python literal. Returns
 * undefined for anything else, and within the list for each row that is no object or hides what no body may contain.
 */
export function parseObjectList(value: unknown): (JsonObject | undefined)[] | undefined {
  const list = typeof value === 'string' ? (tryParse(value) ?? tryParse(pythonToJson(value))) : value
  if (!Array.isArray(list)) return undefined
  return list.map((item) => (isObject(item) && isValidObject(item) ? item : undefined))
}

/** Names that a careless merge would take for an object's prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** The text of every refusal of a null character. */
export const NULL_CHARACTERS_MESSAGE = 'Null characters are not allowed.'

/** Whether a name would be taken for an object's prototype by a careless merge. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key)
}

/** @throws Unfit for a forbidden name. */
export function checkKey(key: string) {
  if (isForbiddenKey(key)) throw new UnsafeData(`The name "${key}" is not allowed.`)
}

/** The refusal of absurd depth. */
export function tooDeepError(): UnsafeData {
  return new UnsafeData(`The data is nested more than ${MAX_DEPTH} levels deep.`)
}

/** What is wrong with a value or the first faulty one within it, if anything. @throws Unfit */
export function findValueError(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') return findTextError(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.'
  if (value === INEXACT_NUMBER) return 'Send the amount as a string.'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= MAX_DEPTH) throw tooDeepError()
  if (Array.isArray(value)) {
    for (const item of value) {
      const flaw = findValueError(item, depth + 1)
      if (flaw) return flaw
    }
    return undefined
  }
  for (const [key, item] of Object.entries(value)) {
    checkKey(key)
    const flaw = findTextError(key) ?? findValueError(item, depth + 1)
    if (flaw) return flaw
  }
  return undefined
}

/** What is wrong with a text: null characters, which PostgreSQL cannot store, or broken Unicode. */
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

/** Stands in a parsed body for a number whose digits were lost in parsing. */
const INEXACT_NUMBER = Symbol('inexact number')
const MAX_EXACT_DIGITS = 15
const MAYBE_INEXACT = /\d[\d.]{15}/

/** The typings do not know yet that a reviver is also told the text of each number (ECMAScript 2026). */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver?: Reviver) => unknown

/** Parses JSON; numbers that a double would change become a mark that `flawOf` reports. @throws SyntaxError, Unfit */
export function parseExactJson(text: string): unknown {
  const value = parseWithSource(text)
  // A reviver makes parsing many times slower, so it is used only where the text holds a long row of digits at all;
  // and it calls itself for every level, so the depth must be known to be sane.
  if (!MAYBE_INEXACT.test(text)) return value
  checkDepth(value)
  return parseWithSource(text, (_key, part, { source }) =>
    typeof part === 'number' && source && countDigits(source) > MAX_EXACT_DIGITS ? INEXACT_NUMBER : part,
  )
}

/** How many digits of a JSON number matter: those between the zeros around it, so 6 in `-0.0012345600e3`. */
function countDigits(source: string): number {
  const digits = source.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '')
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return end
}
