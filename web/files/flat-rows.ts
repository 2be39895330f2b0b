import { readTime } from '../format.ts'

/**
 * A row with plain cells: the fields of objects become columns of their own, such as `contact.first_name`, and the items of a list
 * stand one after the other.
 */
export function flattenRow(row: Record<string, unknown>): Record<string, string | number | boolean | null> {
  const flat: Record<string, string | number | boolean | null> = {}
  const add = (name: string, given: unknown, depth: number) => {
    const value = STRUCTURED.test(name) ? parsed(given) : given
    if (value === null || value === undefined) flat[name] ??= null
    else if (Array.isArray(value)) flat[name] = value.map(itemText).join('; ')
    else if (typeof value !== 'object') flat[name] = value as string | number | boolean
    else if (depth === MAX_DEPTH) flat[name] = itemText(value)
    else for (const [key, inner] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, inner, depth + 1)
  }
  add('', row, 0)
  return flat
}

/** Deeper objects are written as one cell. */
const MAX_DEPTH = 3

/** Fields in which the interface has an object as a text, such as the settings of a recurring request. Other texts are a person's. */
const STRUCTURED = /settings$/

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** An item of a list in one cell: `amount 100.0000, state complete`. */
function itemText(item: unknown): string {
  if (item === null || typeof item !== 'object') return String(item ?? '')
  if (Array.isArray(item)) return item.map(itemText).join(', ')
  return Object.entries(item)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name} ${itemText(value)}`)
    .join(', ')
}

/** A time of the interface, which always says its distance from UTC. A time that a person has typed stays as it is. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Read a cell that is a time of the interface; undefined for all others. */
export function timeOf(value: unknown): Date | undefined {
  return typeof value === 'string' && TIME.test(value) ? readTime(value) : undefined
}

/** The columns of all rows, in the order in which they come. */
export function columnsOf(rows: readonly Record<string, unknown>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

/** Names of columns whose digits are no number: phone numbers, references, tokens. */
const CODES = new Set([
  'phone',
  'phonenumber',
  'number',
  'nos',
  'reference',
  'receiver',
  'token',
  'key',
  'payers',
  'tags',
])

/** Return true if a column of this name has texts of digits that are no amounts. */
export function holdsCodes(name: string): boolean {
  return CODES.has(name.split(/[._]/).at(-1)!) || /(^|[._])remote_\w/.test(name)
}
