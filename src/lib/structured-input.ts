import { pythonToJson } from './python-literal.ts'

/** An object of names and values, as a body or a part of one. */
export type Fields = Record<string, unknown>

/** The text holds what no stored object may: names that stand for a prototype, or absurd depth. */
export class Unfit extends Error {}

/** The deepest nesting that is taken. */
export const MOST_DEPTH = 20

/**
 * Reads `metadata` or `subscription_settings`, which come as an object, as the JSON text of one, or as a Python
 * literal. An empty list counts as an empty object, for that is how PHP writes one. Returns undefined for anything
 * else, and for a text that hides what no body may contain.
 */
export function parseStructured(value: unknown): Fields | undefined {
  if (Array.isArray(value) && value.length === 0) return {}
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  const read = tryParse(value) ?? tryParse(pythonToJson(value))
  return isObject(read) && isSound(read) ? read : undefined
}

/**
 * Reads `recipient_data`, which comes as a list of objects, as the JSON text of one, or as a Python literal. Returns
 * undefined for anything else, and within the list for each row that is no object or hides what no body may contain.
 */
export function parseStructuredList(value: unknown): (Fields | undefined)[] | undefined {
  const list = typeof value === 'string' ? (tryParse(value) ?? tryParse(pythonToJson(value))) : value
  if (!Array.isArray(list)) return undefined
  return list.map((item) => (isObject(item) && isSound(item) ? item : undefined))
}

/** Names that a careless merge would take for an object's prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** The text of every refusal of a null character. */
export const NULL_CHARACTERS = 'Null characters are not allowed.'

/** Whether a name would be taken for an object's prototype by a careless merge. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key)
}

/** @throws Unfit for a forbidden name. */
export function checkKey(key: string) {
  if (isForbiddenKey(key)) throw new Unfit(`The name "${key}" is not allowed.`)
}

/** The refusal of absurd depth. */
export function tooDeep(): Unfit {
  return new Unfit(`The data is nested more than ${MOST_DEPTH} levels deep.`)
}

/** What is wrong with a value or the first faulty one within it, if anything. @throws Unfit */
export function flawOf(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') return flawOfText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.'
  if (value === INEXACT) return 'Send the amount as a string.'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= MOST_DEPTH) throw tooDeep()
  if (Array.isArray(value)) {
    for (const item of value) {
      const flaw = flawOf(item, depth + 1)
      if (flaw) return flaw
    }
    return undefined
  }
  for (const [key, item] of Object.entries(value)) {
    checkKey(key)
    const flaw = flawOfText(key) ?? flawOf(item, depth + 1)
    if (flaw) return flaw
  }
  return undefined
}

/** What is wrong with a text: null characters, which PostgreSQL cannot store, or broken Unicode. */
export function flawOfText(text: string): string | undefined {
  if (text.includes('\0')) return NULL_CHARACTERS
  return text.isWellFormed() ? undefined : 'Not a valid string.'
}

function checkDepth(value: unknown, depth = 0) {
  if (typeof value !== 'object' || value === null) return
  if (depth >= MOST_DEPTH) throw tooDeep()
  for (const item of Object.values(value)) checkDepth(item, depth + 1)
}

/** Whether a value is an object with names, not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSound(value: Fields): boolean {
  try {
    return flawOf(value) === undefined
  } catch (error) {
    if (error instanceof Unfit) return false
    throw error
  }
}

function tryParse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Unfit) return undefined
    throw error
  }
}

/** Stands in a parsed body for a number whose digits were lost in parsing. */
const INEXACT = Symbol('inexact number')
const MOST_DIGITS = 15
const MAYBE_INEXACT = /\d[\d.]{15}/

/** The typings do not know yet that a reviver is also told the text of each number (ECMAScript 2026). */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver?: Reviver) => unknown

/** Parses JSON; numbers that a double would change become a mark that `flawOf` reports. @throws SyntaxError, Unfit */
export function readJson(text: string): unknown {
  const value = parseWithSource(text)
  // A reviver makes parsing many times slower, so it is used only where the text holds a long row of digits at all;
  // and it calls itself for every level, so the depth must be known to be sane.
  if (!MAYBE_INEXACT.test(text)) return value
  checkDepth(value)
  return parseWithSource(text, (_key, part, { source }) =>
    typeof part === 'number' && source && countDigits(source) > MOST_DIGITS ? INEXACT : part,
  )
}

/** How many digits of a JSON number matter: those between the zeros around it, so 6 in `-0.0012345600e3`. */
function countDigits(source: string): number {
  const digits = source.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '')
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return end
}
