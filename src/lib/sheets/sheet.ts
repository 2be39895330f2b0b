import { getMessage } from '../messages/message.ts'
/** Cell of a file that a person has chosen. `kind` names the spreadsheet's type if it is not text. */
export interface SheetCell {
  text: string
  kind?: 'number' | 'formula' | 'date' | 'error'
}

/** A row with its number in the file, from 1. `problem` says why it cannot be read; it has no cells then. */
export interface SheetRow {
  number: number
  cells: SheetCell[]
  problem?: string
}

/** Facts about a file besides its rows. The lists of rows and columns are complete when the last row was read. */
export interface SheetFacts {
  format: 'csv' | 'xlsx'
  /** Encoding of a CSV file. */
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252' | null
  /** The sheet that is read; null for CSV. */
  sheet: string | null
  /** The names of the sheets that a person sees and that have cells. */
  sheets: string[]
  /** The names of the sheets that are hidden. */
  hidden_sheets: string[]
  /** The numbers of the rows with cells that are hidden, such as by a filter; they are left out. At most `MAX_NAMED` of them. */
  hidden_rows: number[]
  hidden_row_count: number
  /** The letters of the hidden columns with cells, which are left out. */
  hidden_columns: string[]
  /** The cells that are merged, such as `A1:H1`. At most `MAX_MERGED` of them. */
  merged_cells: string[]
}

/** A sheet with more merged cells is no table. */
export const MAX_MERGED = 200

/** Maximum number of rows named in a sentence. */
export const MAX_NAMED = 20

/** Limits of a file. Above one of them it is refused in words. */
export interface SheetLimits {
  bytes: number
  /** Rows with cells. */
  rows: number
  columns: number
  /** Characters of one cell. Excel keeps 32,767. */
  cell_characters: number
  /**
   * Maximum number of characters of all cells together, so that one text in a million cells does not take gigabytes of
   * memory.
   */
  characters: number
  /** Maximum size of an unpacked .xlsx file, in bytes. */
  unpacked_bytes: number
  time_ms: number
  /** The memory of the process for objects, in megabytes. */
  memory_mb: number
}

const MEGABYTE = 1_048_576

/** The limits of a file that is uploaded. Ten thousand rows take a tenth of them. */
export const uploadLimits: SheetLimits = {
  bytes: 4 * MEGABYTE,
  rows: 20_000,
  columns: 256,
  cell_characters: 32_767,
  characters: 20_000_000,
  unpacked_bytes: 32 * MEGABYTE,
  time_ms: 20_000,
  memory_mb: 256,
}

/** A file that cannot be read, or that breaks a limit. The message is for the person who has chosen it. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

/** @throws FileRefused that names merged cells, if there are any */
export function refuseMerged([cells]: readonly string[]): void {
  if (cells !== undefined) throw new FileRefused(getMessage('files.merged_cells', { cells }))
}

/** A workbook with several sheets that a person sees: one has to be chosen. */
export class SheetNotChosen extends FileRefused {
  override name = 'SheetNotChosen'
  readonly sheets: readonly string[]
  constructor(sheets: readonly string[]) {
    super(getMessage('files.several_sheets', { sheets: sheets.join(', ') }))
    this.sheets = sheets
  }
}

/** The letters of a column of a spreadsheet. @param column from 0 */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last
}

/** True if a cell has nothing. A formula without a value is not empty: it is wrong. */
export function isEmptyCell({ text, kind }: SheetCell): boolean {
  return text === '' && kind === undefined
}
