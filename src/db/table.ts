import { raw, Sql } from 'sql-template-tag'
import { type Amount, formatAmount } from '../lib/money.ts'
import { writeArray } from './column-types.ts'
import type { Fragment } from './sql.ts'

/** A column as a migration has it. `Written` is true if an insert takes it from its items. */
export class Column<Value = unknown, Written extends boolean = boolean> {
  /** Type of the column in the program; it has no value. */
  declare readonly value: Value
  readonly type: string
  readonly is_written: Written
  readonly is_nullable: boolean
  /** Default of the database; undefined for none. */
  readonly initial: unknown
  /** True if it belongs to the primary key. */
  readonly is_key: boolean
  /** Writes a value for a statement; undefined where the value is written as it is. */
  readonly encode: ((value: unknown) => unknown) | undefined

  constructor(
    type: string,
    is_written: Written,
    { is_nullable = false, initial = undefined as unknown, is_key = false },
  ) {
    this.type = type
    this.is_written = is_written
    this.is_nullable = is_nullable
    this.initial = initial
    this.is_key = is_key
    this.encode = encoderOf(type)
  }

  nullable(): Column<Value | null, true> {
    return new Column<Value | null, true>(this.type, true, { is_nullable: true })
  }

  /** Null in a new row. */
  later(): Column<Value | null, false> {
    return new Column<Value | null, false>(this.type, false, { is_nullable: true })
  }

  /** The value of the database in a new row. */
  default(initial: Value): Column<Value, false> {
    return new Column<Value, false>(this.type, false, { initial })
  }

  /** The database computes the value of a new row. */
  generated(): Column<Value, false> {
    return new Column<Value, false>(this.type, false, { ...this, initial: GENERATED })
  }

  /** Comes with each insert, although the database has a default. */
  given(): Column<Value, true> {
    return new Column<Value, true>(this.type, true, { ...this })
  }

  /** Part of the primary key. */
  key(): Column<Value, Written> {
    return new Column<Value, Written>(this.type, this.is_written, { initial: this.initial, is_key: true })
  }
}

export const GENERATED = Symbol('generated')

function required<Value>(type: string): Column<Value, true> {
  return new Column<Value, true>(type, true, {})
}

/** The types of columns. A column is not null and comes with each insert, unless its declaration says another thing. */
export const column = {
  /** An identity, the key of its table. */
  id: () => required<number>('bigint').generated().key(),
  bigint: () => required<number>('bigint'),
  integer: () => required<number>('integer'),
  smallint: () => required<number>('smallint'),
  double: () => required<number>('double precision'),
  /** @param digits all digits, and those after the point */
  numeric: (digits = '19,4') => required<Amount>(`numeric(${digits})`),
  text: <Value extends string = string>() => required<Value>('text'),
  boolean: () => required<boolean>('boolean'),
  timestamptz: () => required<Date>('timestamptz'),
  date: () => required<Date>('date'),
  json: <Value>() => required<Value>('json'),
  jsonb: <Value>() => required<Value>('jsonb'),
  bytea: () => required<Uint8Array>('bytea'),
  uuid: () => required<string>('uuid'),
  texts: <Value extends string = string>() => required<Value[]>('text[]'),
  integers: () => required<number[]>('integer[]'),
  bigints: () => required<number[]>('bigint[]'),
}

type Columns = Readonly<Record<string, Column>>

/** Some columns of a table, or all. */
export interface Selection<Names extends Columns = Columns> {
  readonly fields: Names
  /** The names of the columns, for `select` and `returning`. */
  readonly columns: Fragment
  /** The same, of the table under another name. */
  columnsOf(alias: string): Fragment
}

/** A table, declared once. */
export interface Table<Names extends Columns = Columns> extends Selection<Names> {
  readonly name: string
  readonly list: readonly (readonly [string, Column])[]
  pick<Name extends keyof Names>(...names: readonly Name[]): Selection<Pick<Names, Name>>
  omit<Name extends keyof Names>(...names: readonly Name[]): Selection<Omit<Names, Name>>
}

/** A row of a table, or of some of its columns. */
export type Row<Of extends Selection> = { -readonly [Name in keyof Of['fields']]: Of['fields'][Name]['value'] }

const tables = new Map<string, Table>()

/** The tables declared in the files that are loaded, by name. */
export const declaredTables: ReadonlyMap<string, Table> = tables

/**
 * Declares a table as its migration has it: the types of its rows, the list of its columns and its inserts come from here.
 *
 *     const planTable = table('plans', { id: column.id(), amount: column.numeric(), ended: column.timestamptz().later() })
 *     type Plan = Row<typeof planTable>
 *     tx<Plan[]>`${insert(planTable, given, {})} on conflict do nothing returning ${planTable.columns}`
 */
export function table<Names extends Columns>(name: string, fields: Names): Table<Names> {
  if (tables.has(name)) throw new Error(`The table ${name} is declared twice.`)
  const keep = (is_kept: (name: string) => boolean) =>
    selection(Object.fromEntries(Object.entries(fields).filter(([column]) => is_kept(column))))
  const declared: Table<Names> = {
    name,
    list: Object.entries(fields),
    ...selection(fields),
    pick: <Name extends keyof Names>(...names: readonly Name[]) =>
      keep((column) => names.includes(column as Name)) as Selection<Pick<Names, Name>>,
    omit: <Name extends keyof Names>(...names: readonly Name[]) =>
      keep((column) => !names.includes(column as Name)) as unknown as Selection<Omit<Names, Name>>,
  }
  tables.set(name, declared)
  return declared
}

function selection<Names extends Columns>(fields: Names): Selection<Names> {
  const list = (prefix: string) =>
    raw(
      Object.keys(fields)
        .map((name) => `${prefix}"${name}"`)
        .join(', '),
    )
  return { fields, columns: list(''), columnsOf: (alias) => list(`${alias}.`) }
}

/** A row as an insert takes it: the columns without a default and without `later`. */
export type NewRow<Of extends Selection> = Pick<
  Row<Of>,
  { [Name in keyof Of['fields']]: Of['fields'][Name]['is_written'] extends true ? Name : never }[keyof Of['fields']]
>

/** Values that are accepted for a column: undefined becomes null. */
type Accepted<Value> = null extends Value ? Value | undefined : Value

/** Rule to write one column: the same for all rows, an expression of SQL, or a function of the item. */
type Source<Item, Value> = Accepted<Value> | Fragment | ((item: Item, index: number) => Accepted<Value>)

/** The columns that an insert writes and that the items lack, or have with another type. */
type Missing<Names extends Columns, Item> = {
  [Name in keyof Names]: Names[Name]['is_written'] extends true
    ? Name extends keyof Item
      ? [Item[Name]] extends [Accepted<Names[Name]['value']>]
        ? never
        : Name
      : Name
    : never
}[keyof Names]

type Given<Names extends Columns, Item> = {
  [Name in Missing<Names, Item>]: Source<Item, Names[Name]['value']>
} & { [Name in keyof Names]?: Source<Item, Names[Name]['value']> }

/**
 * Writes the statement that inserts items as rows of a table, to send alone or with `on conflict` and `returning` after it.
 * Each column that a new row has comes from the property of the same name, unless `given` has it. What does not fit its
 * column does not compile. The rows are named `r`, for a `where`.
 * @param given columns that the items lack: a value for all rows, SQL, or a function of the item; also columns with a
 *   default. Its names are the same in each call from one place, so that the statement stays prepared.
 */
export function insert<Names extends Columns, Item>(
  into: Table<Names>,
  items: readonly Item[],
  given: Given<Names, Item>,
): Fragment {
  const sources = given as Readonly<Record<string, Source<Item, unknown>>>
  const columns = into.list.filter(([name, { is_written }]) => is_written || name in sources)
  const read = columns.filter(([name]) => !(name in sources) || typeof sources[name] === 'function')
  const drawn = columns.some(([, { initial }]) => initial === GENERATED) ? ' overriding system value' : ''
  // The text is put together here and not from fragments, because this takes half the time.
  const strings: string[] = []
  const values: unknown[] = []
  let text = `insert into ${into.name} (${namesOf(columns)})${drawn} select `
  let separator = ''
  for (const column of columns) {
    const [name, { type, encode }] = column
    const source = sources[name]
    text += separator
    separator = ', '
    if (read.includes(column)) text += type.endsWith('[]') ? `r."${name}"::${type}` : `r."${name}"`
    else {
      strings.push(text)
      values.push(source instanceof Sql || !encode ? (source ?? null) : encode(source))
      text = source instanceof Sql ? '' : `::${type}`
    }
  }
  text += ' from unnest('
  separator = ''
  for (const [name, { type, encode }] of read) {
    strings.push(text + separator)
    separator = ', '
    const source = (sources[name] ?? ((item) => item[name as keyof Item])) as (item: Item, index: number) => unknown
    const elements = items.map(source)
    values.push(writeArray(encode ? elements.map(encode) : elements))
    text = type.endsWith('[]') ? '::text[]' : `::${type}[]`
  }
  return new Sql([...strings, `${text}) as r(${namesOf(read)})`], values)
}

function namesOf(columns: readonly (readonly [string, Column])[]): string {
  return columns.map(([name]) => `"${name}"`).join(', ')
}

function encoderOf(type: string): Column['encode'] {
  if (type === 'json' || type === 'jsonb') return present(JSON.stringify)
  if (type.startsWith('numeric')) return present(formatAmount)
  if (type.endsWith('[]')) return present(writeArray)
  if (type === 'bytea') return present((bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`)
  return undefined
}

/** A function that leaves null alone. */
function present<Value>(write: (value: Value) => string) {
  return (value: unknown) => (value === null || value === undefined ? null : write(value as Value))
}
