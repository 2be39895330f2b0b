import type { z } from 'zod'
import type { App } from '../../app.ts'
import type { Permission } from '../../core/access/api-keys.ts'
import type { Statement } from '../../core/collections/statements.ts'
import type { AnyReader, Database, Tx } from '../../db/client.ts'
import type { Ordering } from '../../http/lists.ts'

/** Value in a table. Amounts get thousands separators; times are shown to the minute, in UTC. */
export type Cell = string | number | bigint | Date | null

/** The names of the fields of a row that hold a `Cell`. */
type CellField<Row> = { [Name in keyof Row]-?: Row[Name] extends Cell | undefined ? Name : never }[keyof Row]

/** The columns of a table from left to right: for each title the field of the row, or a function that makes the cell. */
export type Columns<Row> = Record<string, CellField<Row> | ((row: Row) => Cell | undefined)>

/** Filters, order and page that a door asks of a list. */
export interface ListRequest<Filters> {
  app: App
  now: Date
  /** Undefined for an operator who names none: the rows of all organizations. */
  organization: number | undefined
  /** An operator has all. */
  permissions: ReadonlySet<Permission>
  filters: Filters
  page: ListSlice
  /** Id in the path of a list that belongs to an object. */
  id: number
}

/** The part of a list, and its order. */
export interface ListSlice {
  limit: number
  offset: number
  // biome-ignore lint/suspicious/noExplicitAny: a column of any table
  field: any
  descending: boolean
}

export interface Found<Row> {
  rows: Row[]
  /** Number of rows on all pages. */
  count: number
}

type Read<Db, Filters, Row> = (db: Db, request: ListRequest<Filters>) => Promise<Found<Row>>

/**
 * Origin of the rows: one snapshot, of a replica if there is one. `primary`: what decides about money or access.
 * `statements`: on the primary, without a snapshot.
 */
type Source = 'primary' | 'statements' | undefined
type DatabaseOf<From extends Source> = From extends 'primary' ? Tx : From extends 'statements' ? Database : AnyReader

/** Single object of a list, below its path. */
interface Single {
  // biome-ignore lint/suspicious/noExplicitAny: a reader of any source
  find(db: any, request: Omit<ListRequest<unknown>, 'filters' | 'page'>): Promise<object | undefined>
  /** True if `find` itself refuses the objects of others, or if the objects belong to nobody. */
  decides?: true
  /** Its words in the reference; undefined for an object that the API does not have. */
  operation?: string
  summary?: string
  description?: string
}

/** The list in the API, and with the same address in the console. */
interface ApiList<Filters> {
  /** Below `/api`. */
  path: string
  tag: string
  operation: string
  summary: string
  description: string
  /** Return all rows that match as a file. */
  csv?(db: AnyReader, organization: number, filters: Filters): Statement
  /** True if the route has code of its own (src/api), and only its description is drawn. */
  is_own?: true
}

/** The list of the console, where it has other rows or filters than the API's. */
interface ConsoleList<Filters> {
  /** Below `/console/api`. */
  path: string
  /** The rows and their schema, if they are others. */
  read?: Read<AnyReader, Filters, unknown>
  view?: z.ZodType
}

/** Command that prints the list. Its options are drawn from the filters; `addListCommand` (src/cli) draws it. */
export interface ListCommand<Filters, Row> {
  /** Words of the command, such as `requests list`. */
  path: string
  description: string
  /** Flags and text of filters whose option has other words than the filter: `--phone <number>`. They stand first. */
  typed?: { readonly [Name in keyof Filters & string]?: readonly [flags: string, text: string] }
  /** Values to choose from, where the filter takes any text. */
  choices?: { readonly [Name in keyof Filters & string]?: readonly string[] }
  /** Filters that hold unless a person gives others. */
  preset?: { readonly [Name in keyof Filters & string]?: string }
  /**
   * Adds --organization. `one`: the sole one unless given; `each`: the lists of all, one after the other; `all`: one
   * list of all.
   */
  organization?: 'one' | 'each' | 'all'
  /** Object that --limit counts. Null for a list that is printed whole. */
  limit: string | null
  /** Text below the help. */
  help?: string
  /** Text for an empty list. */
  none: string
  columns: Columns<Row>
}

interface Declared<Filters extends z.ZodRawShape, People extends z.ZodRawShape, Row, From extends Source> {
  /** Words that name it, such as `collection requests`. */
  name: string
  /** Permission of users and keys. An operator needs none. */
  permission: Permission
  /** True for what concerns all organizations. A user may see it only in the sole organization of an installation. */
  is_operators?: true
  /** Filters of all doors. */
  filters: Filters
  /** Filters where people search, such as parts of names. The API does not have them. */
  people?: People
  /** Table in which `search` looks for parts of texts. */
  searched?: string
  /** Column of each ordering. Default: the id, for rows that get their ids in the order of their times. */
  order?: Readonly<Record<Ordering, string>>
  /** True if the oldest come first unless the caller says otherwise. */
  oldest_first?: true
  source?: From
  read(db: DatabaseOf<From>, request: ListRequest<Given<Filters, People>>): Promise<Found<Row>>
  /** Schema of a row in the API and the console. */
  view?: z.ZodType
  one?: Single
  api?: ApiList<Given<Filters, Filters>>
  console?: ConsoleList<Given<Filters, People>>
}

/** Values of filters; of any list, where the filters are of any list. */
type Given<Filters extends z.ZodRawShape, People extends z.ZodRawShape> = 0 extends 1 & Filters
  ? // biome-ignore lint/suspicious/noExplicitAny: filters of any list
    any
  : z.output<z.ZodObject<Filters & People>>

/** List, declared once for all doors: permission, filters, order, rows, and its form in the API, console and CLI. */
// biome-ignore-start lint/suspicious/noExplicitAny: a list of any filters and rows
export interface List<
  Filters extends z.ZodRawShape = any,
  People extends z.ZodRawShape = any,
  Row = any,
  From extends Source = any,
> extends Declared<Filters, People, Row, From> {
  cli?: ListCommand<Given<Filters, People>, Row>
}
// biome-ignore-end lint/suspicious/noExplicitAny: a list of any filters and rows

/** Declare a list. Its types follow from its filters and its rows. */
export function list<
  Filters extends z.ZodRawShape,
  Row,
  // biome-ignore lint/complexity/noBannedTypes: no filters
  People extends z.ZodRawShape = {},
  const From extends Source = undefined,
>(declared: Declared<Filters, People, Row, From>) {
  // A call of its own: TypeScript knows the type of a row only when the rest of the list is complete.
  const withCommand = (cli: ListCommand<Given<Filters, People>, Row>): List<Filters, People, Row, From> => ({
    ...declared,
    cli,
  })
  return { ...declared, withCommand }
}

/** Return the organization of a request. @throws Error for a list of all organizations */
export function ownerOf({ organization }: { organization: number | undefined }): number {
  if (organization === undefined) throw new Error('This list needs an organization.')
  return organization
}

/** Return the part of rows that are read as a whole. */
export function sliceOf<Row>(rows: readonly Row[], { offset, limit }: ListSlice): Found<Row> {
  return { rows: rows.slice(offset, offset + limit), count: rows.length }
}
