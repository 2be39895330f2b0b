import { createHash } from 'node:crypto'
import { join, raw, Sql } from 'sql-template-tag'
import { formatAmount } from '../lib/money.ts'
import { formatMilliseconds } from '../lib/time.ts'
import { writeArray } from './column-types.ts'

/** A fragment of SQL with its values, to nest in a statement or in another fragment. */
export type Fragment = Sql

/** Value allowed between `${` and `}`: a plain value, which becomes a parameter, or a fragment of SQL. */
export type Value =
  | string
  | number
  | boolean
  | Date
  | Uint8Array
  /** An amount of money, written as numeric. */
  | bigint
  | null
  | Json
  | readonly (string | number | boolean | Date | null)[]
  | Fragment

/** A value that a statement stores or reads as jsonb. */
export class Json {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value) ?? 'null'
  }
}

/**
 * Writes a fragment of SQL without sending it: sql`status = ${status}`. Every value becomes a parameter ($1, $2, …); dates,
 * booleans, amounts, bytes and `sql.json` say their type to PostgreSQL. Arrays hold strings, numbers, booleans, dates or
 * nulls and need a cast (`${ids}::bigint[]`).
 */
export function sql(texts: TemplateStringsArray, ...values: Value[]): Fragment {
  return new Sql(texts, values)
}

/** A value for a json or jsonb column: an object, an array, anything that JSON can hold. It is encoded once. */
sql.json = (value: unknown): Json => new Json(value)

/** A name of a table or column, quoted: `sql.identifier('users')`, `sql.identifier('u.name')`. */
sql.identifier = (name: string): Fragment => raw(quoteName(name))

/** Names of tables or columns with commas between them. @throws TypeError for an empty list */
sql.identifiers = (names: readonly string[]): Fragment => join(names.map(sql.identifier), ', ')

/** Fragments of SQL one after the other: `sql.join(conditions, ' and ')`. @throws TypeError for an empty list */
sql.join = (pieces: readonly Fragment[], separator: string): Fragment => join(pieces, separator)

/** A condition that is always true, for optional parts of a where clause. */
sql.always = raw('true')

/** Empty text, for optional parts of a statement. */
sql.empty = raw('')

function quoteName(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}

/** A statement as it goes to PostgreSQL. */
export interface Statement {
  text: string
  /** The values of $1, $2, … in PostgreSQL's text form. */
  values: (string | Uint8Array | null)[]
}

/** The text and the parameters of a fragment. @throws TypeError for a value that cannot be a parameter */
export function toStatement({ strings, values }: Fragment): Statement {
  let text = strings[0]!
  const parameters: Statement['values'] = new Array(values.length)
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as Exclude<Value, Fragment>
    text += `$${index + 1}${castOf(value)}${strings[index + 1]}`
    parameters[index] = toParameter(value)
  }
  return { text, values: parameters }
}

/** Types that PostgreSQL cannot guess: in `$1 - interval '1 day'` it would treat a date as an interval. */
function castOf(value: Exclude<Value, Fragment>): string {
  switch (typeof value) {
    case 'boolean':
      return '::boolean'
    case 'bigint':
      return '::numeric'
    case 'object':
      if (value instanceof Date) return '::timestamptz'
      if (value instanceof Json) return '::jsonb'
      return value instanceof Uint8Array ? '::bytea' : ''
    default:
      return ''
  }
}

function toParameter(value: Exclude<Value, Fragment>): string | Uint8Array | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
      return String(value)
    case 'bigint':
      return formatAmount(value)
    case 'object':
      if (value === null || value instanceof Uint8Array) return value
      if (value instanceof Date) return formatMilliseconds(value)
      if (value instanceof Json) return value.text
      if (Array.isArray(value)) return writeArray(value)
  }
  throw new TypeError(`A statement was given ${describe(value)} as a parameter.`)
}

function describe(value: unknown): string {
  return value instanceof Promise ? 'a promise (a statement that was sent instead of a piece of SQL)' : typeof value
}

const names = new Map<string, string | undefined>()

/**
 * Returns the name under which connections prepare a statement: the same for the same text, in every process. A
 * statement that selects all columns of a table has none: PostgreSQL refuses to run it once a later version has added a
 * column.
 */
export function nameOf(text: string): string | undefined {
  if (!names.has(text)) names.set(text, hasAllColumns(text) ? undefined : digestOf(text))
  return names.get(text)
}

/**
 * True if a text has a `*` that stands for the columns of a table, at any depth; not in `count(*)` or a product. The
 * columns of a part of the statement itself (`with found as (…)`) or of `unnest` do not count: the text names them.
 */
function hasAllColumns(text: string): boolean {
  const parts = [...text.matchAll(/(?:\bwith(?:\s+recursive)?|\),)\s+(\w+)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi)]
  const named = ['unnest\\(', ...parts.map(([, name]) => `${name}\\b(?!\\()`)].join('|')
  const others = text.replaceAll(new RegExp(`\\bselect\\s+\\*\\s+from\\s+(?:${named})`, 'gi'), '')
  return /(\b(select|distinct|returning)|[,.])\s*\*/i.test(others)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
