import { raw } from 'sql-template-tag'
import { type Amount, formatAmount } from '../lib/money.ts'
import { writeArray } from './column-types.ts'
import { type Fragment, sql } from './sql.ts'

/** The column types that `rows` can write, each with its type in the program. */
interface Held {
  bigint: number
  integer: number
  'double precision': number
  text: string
  boolean: boolean
  timestamptz: Date
  numeric: Amount
  json: object
  jsonb: object
}

type ColumnType = keyof Held
type Maybe<Value> = Value | null | undefined

/** The column types for a value of this type. */
type Fitting<Value> = { [Type in ColumnType]: [Value] extends [Maybe<Held[Type]>] ? Type : never }[ColumnType]

/** Rule to write one column: its type, for the property of the same name, or its type and a function for its value. */
type Column<Item, Name> =
  | (Name extends keyof Item ? Fitting<Item[Name]> : never)
  | { [Type in ColumnType]: readonly [Type, (item: Item, index: number) => Maybe<Held[Type]>] }[ColumnType]

/** Objects as rows of a table, for one statement. */
export interface RowSource {
  /** The names of the columns, in order: for `insert into t (…) select …`. */
  columns: Fragment
  /** Sets every column except the key's from the rows under a name: for `update t set … from …`. */
  assignments(alias: string, ...key: readonly string[]): Fragment
  /**
   * The rows under a name, for `from` and `using`.
   * @param ordinality the name of one more column, which counts the rows from 1
   */
  as(alias: string, ordinality?: string): Fragment
}

/**
 * Objects as rows of a table: the one way to write many rows with one statement.
 *
 *     const r = rows(due, { id: 'bigint', due_at: 'timestamptz', asked: ['integer', (d) => d.attempts + 1] })
 *     tx`update network_orders t set due_at = r.due_at, asked = r.asked from ${r.as('r')} where t.id = r.id`
 *
 * Each column is named once, with its type, so that columns cannot be swapped. A type that does not fit the property does
 * not compile. Null and undefined become null; a `numeric` is an `Amount`; a `json` is encoded once.
 */
export function rows<Item, Columns extends { [Name in keyof Columns]: Column<Item, Name> }>(
  items: readonly Item[],
  columns: { [Name in keyof Columns]: Column<Item, Name> },
): RowSource {
  const names = Object.keys(columns)
  const list = sql.identifiers(names)
  const arrays = names.map((name) => {
    const [type, read] = readerOf<Item>(columns[name as keyof Columns] as AnyColumn<Item>, name)
    // The array is one parameter, in PostgreSQL's text form.
    return sql`${writeArray(items.map(encoderOf(type, read)))}::${raw(type)}[]`
  })
  const source = sql`unnest(${sql.join(arrays, ', ')})`
  return {
    columns: list,
    assignments: (alias, ...key) =>
      sql.join(
        names
          .filter((name) => !key.includes(name))
          .map((name) => sql`${sql.identifier(name)} = ${sql.identifier(`${alias}.${name}`)}`),
        ', ',
      ),
    as: (alias, ordinality) =>
      ordinality === undefined
        ? sql`${source} as ${sql.identifier(alias)}(${list})`
        : sql`${source} with ordinality as ${sql.identifier(alias)}(${list}, ${sql.identifier(ordinality)})`,
  }
}

type Read<Item> = (item: Item, index: number) => unknown
type AnyColumn<Item> = ColumnType | readonly [ColumnType, Read<Item>]

function readerOf<Item>(column: AnyColumn<Item>, name: string): readonly [ColumnType, Read<Item>] {
  return typeof column === 'string' ? [column, (item) => item[name as keyof Item]] : column
}

/** The array element for a value. Amounts and JSON have a special text form. */
function encoderOf<Item>(type: ColumnType, read: Read<Item>): Read<Item> {
  if (type === 'numeric') return (item, index) => encode(read(item, index), (value) => formatAmount(value as Amount))
  if (type === 'json' || type === 'jsonb') return (item, index) => encode(read(item, index), JSON.stringify)
  return read
}

function encode(value: unknown, write: (value: unknown) => string): string | null {
  return value === null || value === undefined ? null : write(value)
}
