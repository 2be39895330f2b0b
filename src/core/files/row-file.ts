import { createHash } from 'node:crypto'
import type { Cell, Cells } from './cells.ts'
import { readCsv } from './csv-file.ts'
import { fileError } from './file-error.ts'
import { type FileColumns, readTitles } from './titles.ts'
import { readXlsx } from './xlsx-file.ts'

/** The rows that a file may have. */
export const MAX_ROWS = 10_000
export const MAX_FILE_BYTES = 4 * 1_048_576

/** A file of rows below a row of titles. */
export interface RowFile<Column extends string> {
  name: string
  /** SHA-256, in hex. */
  digest: string
  /** Titles of columns that mean nothing here. */
  ignored_columns: string[]
  /** The rows that are not empty, with their numbers in the file. */
  rows: { number: number; cells: Cells<Column> }[]
}

/** The body of a request with such a file: base64 is a third larger than the file. */
export const MAX_UPLOAD_BYTES = Math.ceil((MAX_FILE_BYTES * 4) / 3) + 16_384

/** Reads a CSV or an Excel file, as its first bytes say. @throws Invalid with `file`, which says what is wrong with the file */
export async function readRowFile<Column extends string>(
  name: string,
  bytes: Uint8Array,
  columns: FileColumns<Column>,
): Promise<RowFile<Column>> {
  if (bytes.length === 0) throw fileError('The file is empty.')
  if (bytes.length > MAX_FILE_BYTES) throw fileError(`The file is larger than ${MAX_FILE_BYTES / 1_048_576} MB.`)
  const all = await readAnyFormat(bytes)
  const start = all.findIndex((row) => !row.every(isEmpty))
  if (start < 0) throw fileError('The file is empty.')
  const { places, ignored } = readTitles(
    all[start]!.map(({ text }) => text),
    columns,
  )
  const rows = all.flatMap((row, index) => {
    if (index <= start || row.every(isEmpty)) return []
    return [{ number: index + 1, cells: cellsOf(row, places) }]
  })
  if (rows.length === 0) throw fileError('The file has no rows below the titles.')
  if (rows.length > MAX_ROWS || all.length >= MOST_READ)
    throw fileError(`The file has more than ${MAX_ROWS} rows. Split it into several files.`)
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { name, digest, ignored_columns: ignored, rows }
}

/** Rows with titles and some that are empty. */
const MOST_READ = MAX_ROWS * 2

/** A text of a cell that is longer is cut: it is wrong anyway, and is shown. */
const MAX_CELL_CHARACTERS = 600

function readAnyFormat(bytes: Uint8Array): Cell[][] | Promise<Cell[][]> {
  const begins = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte)
  if (begins(0x50, 0x4b, 0x03, 0x04)) return readXlsx(bytes, MOST_READ)
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw fileError('This is an old Excel file (.xls), or one with a password. Save it as .xlsx without a password.')
  return readCsv(bytes, MOST_READ)
}

function cellsOf<Column extends string>(row: readonly Cell[], places: ReadonlyMap<Column, number>): Cells<Column> {
  return Object.fromEntries(
    [...places].flatMap(([column, index]) => {
      const cell = row[index]
      return !cell || isEmpty(cell) ? [] : [[column, { ...cell, text: withoutNulls(cell.text) }]]
    }),
  ) as Cells<Column>
}

/** A formula without a value is not empty: it is wrong. */
function isEmpty({ text, kind }: Cell): boolean {
  return text === '' && kind === undefined
}

/** The database stores no null characters. */
function withoutNulls(text: string): string {
  return text.slice(0, MAX_CELL_CHARACTERS).replaceAll('\0', '')
}
