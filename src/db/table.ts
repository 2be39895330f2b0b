import { raw, Sql } from 'sql-template-tag'
import { type Amount, formatAmount } from '../lib/money.ts'
import { writeArray } from './column-types.ts'
import type { Fragment } from './sql.ts'

/** Origin of a value in a new row: the items of an insert, the default or null, or an expression of the database. */
type Origin = 'items' | 'default' | 'database'

/** A column as a migration has it. */
export class Column<Value = unknown, From extends Origin = Origin> {
  /** Type of the column in the program; it has no value. */
  declare readonly value: Value
  readonly type: string
  readonly from: From
  readonly is_nullable: boolean
  /** Default of the database; undefined for none, or for an expression. */
  readonly initial: unknown
  /** True if it belongs to the primary key. */
  readonly is_key: boolean
  /** Writes a value for a statement; undefined where the value is written as it is. */
  readonly encode: ((value: unknown) => unknown) | undefined

  constructor(type: string, from: From, { is_nullable = false, initial = undefined as unknown, is_key = false }) {
    this.type = type
    this.from = from
    this.is_nullable = is_nullable
    this.initial = initial
    this.is_key = is_key
    this.encode = encoderOf(type)
  }

  nullable(): Column<Value | null, 'items'> {
    return new Column<Value | null, 'items'>(this.type, 'items', { is_nullable: true })
  }

  /** Null in a new row. */
  later(): Column<Value | null, 'default'> {
    return new Column<Value | null, 'default'>(this.type, 'default', { is_nullable: true })
  }

  /** The value of the database in a new row. */
  default(initial: Value): Column<Value, 'default'> {
    return new Column<Value, 'default'>(this.type, 'default', { ...this, initial })
  }

  /** The database computes the value of a new row. */
  generated(): Column<Value, 'database'> {
    return new Column<Value, 'database'>(this.type, 'database', { ...this })
  }

  /** Comes with each insert, although the database has a default. */
  given(): Column<Value, 'items'> {
    return new Column<Value, 'items'>(this.type, 'items', { ...this })
  }

  /** Part of the primary key. */
  key(): Column<Value, From> {
    return new Column<Value, From>(this.type, this.from, { ...this, is_key: true })
  }
}

function required<Value>(type: string): Column<Value, 'items'> {
  return new Column<Value, 'items'>(type, 'items', {})
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
  /** It is read as a date; a statement may select its text. */
  date: <Value extends Date | string = Date>() => required<Value>('date'),
  /** Time of day, `HH:MM:SS`; `HH:MM` is accepted, too. */
  time: () => required<string>('time'),
  json: <Value>() => required<Value>('json'),
  jsonb: <Value>() => required<Value>('jsonb'),
  bytea: () => required<Uint8Array>('bytea'),
  uuid: () => required<string>('uuid'),
  texts: <Value extends string = string>() => required<Value[]>('text[]'),
  integers: () => required<number[]>('integer[]'),
}

type Columns = Readonly<Record<string, Column>>

/** Some columns of a table, or all. */
export interface Selection<Names extends Columns = Columns> {
  readonly fields: Names
  readonly list: readonly (readonly [string, Column])[]
  /** The names of the columns, for `select` and `returning`. */
  readonly columns: Fragment
  /** The same, of the table under another name. */
  columnsOf(alias: string): Fragment
}

/** A table, declared once. */
export interface Table<Names extends Columns = Columns> extends Selection<Names> {
  readonly name: string
  omit<Name extends keyof Names>(...names: readonly Name[]): Selection<Omit<Names, Name>>
  pick<Name extends keyof Names>(...names: readonly Name[]): Selection<Pick<Names, Name>>
  /** The table under a short name, for the `on conflict` of an insert. */
  as(alias: string): Table<Names>
  /**
   * The end of an insert: a row that exists gets the new values of these columns.
   * @param unique the columns by which it exists; the primary key unless given
   */
  replace(names: readonly (keyof Names & string)[], unique?: readonly (keyof Names & string)[]): Fragment
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
  const declared: Table<Names> = {
    name,
    ...selection(fields),
    omit: <Name extends keyof Names>(...names: readonly Name[]) =>
      selection(
        Object.fromEntries(Object.entries(fields).filter(([column]) => !names.includes(column as Name))),
      ) as unknown as Selection<Omit<Names, Name>>,
    pick: <Name extends keyof Names>(...names: readonly Name[]) =>
      selection(Object.fromEntries(names.map((column) => [column, fields[column]])) as Pick<Names, Name>),
    as: (alias) => ({ ...declared, name: `${name} as ${alias}` }),
    replace: (names, unique = Object.keys(fields).filter((column) => fields[column]!.is_key)) =>
      raw(`on conflict (${quoted(unique)}) do update set (${quoted(names)}) = row (${quoted(names, 'excluded.')})`),
  }
  tables.set(name, declared)
  return declared
}

function selection<Names extends Columns>(fields: Names): Selection<Names> {
  const names = Object.keys(fields)
  return {
    fields,
    list: Object.entries(fields),
    columns: raw(quoted(names)),
    columnsOf: (alias) => raw(quoted(names, `${alias}.`)),
  }
}

function quoted(names: readonly string[], prefix = ''): string {
  return names.map((name) => `${prefix}"${name}"`).join(', ')
}

type NamesFrom<Of extends Selection, From extends Origin> = {
  [Name in keyof Of['fields']]: Of['fields'][Name]['from'] extends From ? Name : never
}[keyof Of['fields']]

/** A row as an insert takes it: the columns without a default and without `later`. */
export type NewRow<Of extends Selection> = Pick<Row<Of>, NamesFrom<Of, 'items'>>

/** The values of a new row in the columns that the insert has not written. */
export function initialValues<Of extends Selection>({ list }: Of): Pick<Row<Of>, NamesFrom<Of, 'default'>> {
  const unwritten = list.filter(([, { from }]) => from === 'default')
  return Object.fromEntries(unwritten.map(([name, { initial = null }]) => [name, initial])) as Row<Of>
}

/** Values that are accepted for a column: undefined becomes null, and lists are only read. */
type Accepted<Value> = (Value extends (infer One)[] ? readonly One[] : Value) | (null extends Value ? undefined : never)

/** Rule to write one column: the same for all rows, an expression of SQL, or a function of the item. */
type Source<Item, Value> = Accepted<Value> | Fragment | ((item: Item, index: number) => Accepted<Value>)

/**
 * The columns about which an insert must say more: those that it writes and that the items lack or have with another type,
 * and those that it leaves to the database although the items have them.
 */
type Missing<Names extends Columns, Item> = {
  [Name in keyof Names]: Name extends keyof Item
    ? Names[Name]['from'] extends 'items'
      ? [Item[Name]] extends [Accepted<Names[Name]['value']>]
        ? never
        : Name
      : Name
    : Names[Name]['from'] extends 'items'
      ? Name
      : never
}[keyof Names]

type Given<Names extends Columns, Item> = {
  [Name in Missing<Names, Item>]:
    | Source<Item, Names[Name]['value']>
    | (Names[Name]['from'] extends 'items' ? never : undefined)
} & { [Name in keyof Names]?: Source<Item, Names[Name]['value']> }

/**
 * Writes the statement that inserts items as rows of a table, to send alone or with `on conflict` and `returning` after it.
 * Each column that a new row has comes from the property of the same name, unless `given` has it. What does not fit its
 * column does not compile. The rows are named `r`, for a `where`.
 * @param given columns that the items lack: a value for all rows, SQL, or a function of the item. Columns with a default
 *   are written only if they are here; undefined leaves them to the database. The names are the same in each call from one
 *   place, so that the statement stays prepared.
 */
export function insert<Names extends Columns, Item>(
  into: Table<Names>,
  items: readonly Item[],
  given: Given<Names, Item>,
): Fragment {
  const sources = given as Readonly<Record<string, Source<Item, unknown>>>
  const columns = into.list.filter(([name, { from }]) => from === 'items' || sources[name] !== undefined)
  const read = columns.filter(([name]) => !(name in sources) || typeof sources[name] === 'function')
  const drawn = columns.some(([, { from }]) => from === 'database') ? ' overriding system value' : ''
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
  return quoted(columns.map(([name]) => name))
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
