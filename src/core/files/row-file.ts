import { createHash } from 'node:crypto'
import { getMessage } from '../../lib/messages/message.ts'
import { readSheet } from '../../lib/sheets/read-sheet.ts'
import {
  FileRefused,
  isEmptyCell,
  MAX_NAMED,
  refuseMerged,
  type SheetFacts,
  SheetNotChosen,
  type SheetRow,
  uploadLimits,
} from '../../lib/sheets/sheet.ts'
import { Invalid } from '../refusals.ts'
import type { Cell, Cells } from './cells.ts'
import { fileError } from './file-error.ts'
import { columnNames, type FileColumns, type Layout, readTitles, templateColumns } from './titles.ts'

/** The rows that a file may have. */
export const MAX_ROWS = 10_000

/** A file of rows below a row of titles. */
export interface RowFile<Column extends string> {
  name: string
  /** SHA-256, in hex. */
  digest: string
  /** Titles of columns that mean nothing here. */
  ignored_columns: string[]
  /**
   * Notes for a person before the rows are used: hidden and omitted parts, reading of the text, columns of formulas.
   */
  notes: string[]
  /** Titles of all columns, in the order of the file. */
  titles: string[]
  /** All cells of the rows by their numbers, one for each title. */
  whole: ReadonlyMap<number, readonly Cell[]>
  /** The rows that are not empty, with their numbers in the file. */
  rows: { number: number; cells: Cells<Column> }[]
}

/** The body of a request with such a file: base64 is a third larger than the file. */
export const MAX_UPLOAD_BYTES = Math.ceil((uploadLimits.bytes * 4) / 3) + 16_384

/** A file as a person has chosen it. */
export interface ChosenFile {
  name: string
  bytes: Uint8Array
  /** The sheet to read, of a workbook with several. */
  sheet?: string | undefined
}

/**
 * Reads a CSV or an Excel file, as its first bytes say.
 * @throws Invalid with `file`, the fault of the file, or with `sheet` and the names in `sheets` if one must be chosen
 */
export async function readRowFile<Column extends string>(
  { name, bytes, sheet }: ChosenFile,
  columns: FileColumns<Column>,
): Promise<RowFile<Column>> {
  const explained = templateColumns(columns).map((column) => columns.titles[column])
  const file = new FileRows(columns)
  let facts: SheetFacts | undefined
  try {
    for await (const chunk of readSheet(bytes, { limits: uploadLimits, sheet, explained })) {
      for (const row of chunk.rows) file.add(row)
      facts = chunk.facts
      refuseMerged(facts.merged_cells)
    }
  } catch (error) {
    if (error instanceof SheetNotChosen) throw new Invalid({ sheet: [error.message], sheets: [...error.sheets] })
    throw error instanceof FileRefused ? fileError(error.message) : error
  }
  return { name, digest: createHash('sha256').update(bytes).digest('hex'), ...file.end(facts!) }
}

/** The rows below the titles, as they are read. */
class FileRows<Column extends string> {
  readonly #columns: FileColumns<Column>
  #layout: Layout<Column> | undefined
  #titles: string[] = []
  readonly #whole = new Map<number, readonly Cell[]>()
  readonly #rows: RowFile<Column>['rows'] = []
  /** The rows in which a column has a formula or an error, by column and kind. */
  readonly #faults = new Map<string, { column: Column; kind: 'formula' | 'error'; rows: number[] }>()

  constructor(columns: FileColumns<Column>) {
    this.#columns = columns
  }

  add({ number, cells, problem }: SheetRow): void {
    if (problem !== undefined)
      throw fileError(getMessage('files.row_unreadable', { row: number, problem_text: problem }))
    if (cells.every(isEmptyCell)) return
    if (!this.#layout) {
      this.#titles = cells.map(({ text }) => text.trim())
      this.#layout = readTitles(this.#titles, this.#columns)
      return
    }
    if (this.#rows.length >= MAX_ROWS) throw fileError(getMessage('files.many_rows', { max: MAX_ROWS }))
    const whole = cells.map(withoutGuard)
    const read = this.#cellsOf(whole)
    for (const column of columnNames(this.#columns)) this.#noteFault(number, column, read[column])
    this.#rows.push({ number, cells: read })
    this.#whole.set(number, whole)
  }

  end(facts: SheetFacts): Omit<RowFile<Column>, 'name' | 'digest'> {
    if (!this.#layout) throw fileError(getMessage('files.empty'))
    if (this.#rows.length === 0) throw fileError(getMessage('files.no_rows'))
    const faults = [...this.#faults.values()].map((fault) => this.#describeFault(fault))
    const notes = [...describeFacts(facts), ...faults]
    return {
      notes,
      ignored_columns: this.#layout.ignored,
      titles: this.#titles,
      whole: this.#whole,
      rows: this.#rows,
    }
  }

  #cellsOf(row: readonly Cell[]): Cells<Column> {
    return Object.fromEntries(
      [...this.#layout!.places].flatMap(([column, index]) => {
        const cell = row[index]
        return !cell || isEmptyCell(cell) ? [] : [[column, cell]]
      }),
    ) as Cells<Column>
  }

  #noteFault(row: number, column: Column, cell: Cell | undefined): void {
    if (cell?.kind !== 'formula' && cell?.kind !== 'error') return
    const key = `${cell.kind} ${column}`
    const fault = this.#faults.get(key) ?? { column, kind: cell.kind, rows: [] }
    fault.rows.push(row)
    this.#faults.set(key, fault)
  }

  #describeFault({ column, kind, rows }: { column: Column; kind: 'formula' | 'error'; rows: number[] }): string {
    const key = kind === 'formula' ? 'files.formulas' : 'files.errors'
    return getMessage(key, { column: this.#columns.titles[column], rows_text: listRows(rows, rows.length) })
  }
}

/**
 * Returns a cell without the apostrophe that CSV files put before digits and signs, so that no spreadsheet changes
 * them.
 */
function withoutGuard(cell: Cell): Cell {
  if (cell.kind !== undefined || !cell.text.startsWith("'")) return cell
  return { text: cell.text.replace(/^'(?=[\d.,=+\-@＝＋－＠])/, '') }
}

/** Describes for a person how a file was read, in sentences. */
export function describeFacts(facts: SheetFacts): string[] {
  const { encoding, hidden_row_count: count, hidden_rows, hidden_columns, hidden_sheets } = facts
  return [
    ...(count > 0 ? [getMessage('files.hidden_rows', { rows_text: listRows(hidden_rows, count) })] : []),
    ...(hidden_columns.length > 0 ? [getMessage('files.hidden_columns', { columns: hidden_columns.join(', ') })] : []),
    ...(hidden_sheets.length > 0 ? [getMessage('files.hidden_sheets', { sheets: hidden_sheets.join(', ') })] : []),
    ...(facts.sheets.length > 1 ? [getMessage('files.only_sheet', { sheet: facts.sheet })] : []),
    ...(encoding === 'Windows-1252' ? [WESTERN] : []),
  ]
}

const WESTERN = getMessage('files.windows_1252')

function listRows(rows: readonly number[], count: number): string {
  const named = rows.slice(0, MAX_NAMED)
  if (count === 1) return getMessage('parts.row', { row: named[0] })
  const values = { rows: named.join(', '), count: count - named.length }
  return getMessage(values.count > 0 ? 'parts.rows_and_more' : 'parts.rows', values)
}
