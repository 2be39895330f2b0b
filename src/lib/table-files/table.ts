import { getMessage } from '../messages/message.ts'
import type { Amount } from '../money.ts'
import type { Letterhead } from '../pdf/letterhead.ts'
import type { Language } from '../text/languages.ts'

/** The kinds of files that a table can be written to. */
export const tableFormats = ['csv', 'xlsx', 'pdf'] as const
export type TableFormat = (typeof tableFormats)[number]

/** Kind of a column's cells. `code`: a text of digits that is no number, such as a phone number or a reference. */
export type CellKind = 'text' | 'code' | 'amount' | 'count' | 'time' | 'day'

export interface TableColumn {
  /** Name in the first line of a CSV file in English, such as `network_fee`. Other languages have the title there. */
  name: string
  /** Title of a column for people, such as "Network fee". */
  title: string
  kind: CellKind
  /** Width of the column relative to the others of a page; 1 unless given. */
  width?: number
}

/** A `bigint` is an amount, a Date a moment; a day is a text such as `2030-01-31`. */
export type TableCell = string | number | Amount | Date | null
export type TableRow = readonly TableCell[]

/** Running balance of a table: each page of its PDF begins and ends with it. The first row is the opening balance. */
export interface RunningBalance {
  /** Name of the column with the balance after each row. */
  column: string
  /** Name of the column for the words beside the balance of a page. */
  label: string
}

/** Heading of an organization's tables. */
export interface TableHeading {
  /** Name of the organization. */
  organization: string
  now: Date
  letterhead?: Letterhead
  /** ISO 3166-1: days of a PDF have the form of this country. Null: `2030-01-31`. */
  country?: string | null
  /** Language of its titles and words. Default: English. */
  language?: Language | undefined
}

/** A table on paper, where fewer columns fit than into a file. */
export interface PaperTable {
  columns: readonly TableColumn[]
  /** A row on paper from a row of the file. */
  toRow(row: TableRow): TableRow
  balance?: RunningBalance
}

/** A table of any length. */
export interface Table {
  /** The name of the file, without its ending. */
  name: string
  title: string
  /** Organization that owns the table. */
  organization: string
  /** Names and values above the table of a PDF and on the second sheet of a workbook. */
  facts: readonly (readonly [name: string, value: string])[]
  columns: readonly TableColumn[]
  /** The rows, in chunks that are read as fast as the file is written. */
  chunks: AsyncIterable<readonly TableRow[]>
  /** The last rows, such as totals. They are asked for after all chunks. */
  totals?(): readonly TableRow[]
  /** The time zone (IANA) in which its times are written. */
  zone: string
  created: Date
  /** Head of its PDF; without it only the name of the organization. */
  letterhead?: Letterhead | undefined
  country?: string | null | undefined
  /** Language of its titles and words. Default: English. */
  language?: Language | undefined
  paper?: PaperTable
}

/** Return columns with their titles in a language. */
export function titleColumns<Name extends string>(
  columns: readonly (Omit<TableColumn, 'title'> & { name: Name })[],
  titles: Readonly<Record<Name, string>>,
): TableColumn[] {
  return columns.map((column) => ({ ...column, title: titles[column.name] }))
}

/** A file that has more rows than its format can hold here. */
export class TooManyRows extends Error {
  override name = 'TooManyRows'
  readonly format: TableFormat
  readonly max_rows: number
  constructor(format: TableFormat, max_rows: number) {
    super(getMessage(format === 'pdf' ? 'files.long_pdf' : 'files.long_workbook', { max: max_rows }))
    this.format = format
    this.max_rows = max_rows
  }
}

/** All rows of a table with its totals. @throws TooManyRows */
export async function readAllRows(
  table: Table,
  format: TableFormat,
  max_rows: number,
): Promise<{ rows: TableRow[]; totals: readonly TableRow[] }> {
  const rows: TableRow[] = []
  for await (const chunk of table.chunks) {
    if (rows.length + chunk.length > max_rows) throw new TooManyRows(format, max_rows)
    rows.push(...chunk)
  }
  return { rows, totals: table.totals?.() ?? [] }
}
