import { displayAmount, parseAmount } from '../../src/lib/money.ts'
import { type Column, NO_VALUE } from '../parts/list/column.ts'
import { columnsOf, flattenRow, holdsCodes, timeOf } from './flat-rows.ts'

/** Cell of a saved file. A text stays a text in every spreadsheet. Times are as on the wire, and days as `2030-01-31`. */
export type FileCell =
  | string
  | number
  | boolean
  | null
  | undefined
  | { amount: string | null }
  | { time: string | null | undefined }
  | { day: string | null }

/** A list as it is saved, in any format. */
export interface FileTable {
  titles: readonly string[]
  rows: readonly (readonly FileCell[])[]
  /** True if times in CSV have the distance from UTC, as in reports. Without it a spreadsheet reads them as times. */
  offsets?: boolean
}

/**
 * Return the rows of a list with the columns of the screen. Money becomes a plain number, followed by a column for its
 * currency. Further money of a row in the same currency needs no second one.
 * @param currency title of a column of currencies
 */
export function shownTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], currency: string): FileTable {
  const parts: { title: string; cells: FileCell[] }[] = []
  let currencies: string | undefined
  for (const { title, value, file = value, beside = [] } of columns) {
    if (file === false) continue
    const cells: unknown[] = rows.map((row) => file(row))
    parts.push({ title, cells: cells.map(plainCell) })
    const in_currency = cells.map((cell) => (isMoney(cell) ? cell.currency : null))
    if (cells.some(isMoney) && in_currency.join() !== currencies) {
      currencies = in_currency.join()
      parts.push({ title: currency, cells: in_currency })
    }
    for (const { title: name, file: cellOf } of beside) parts.push({ title: name, cells: rows.map(cellOf) })
  }
  return {
    titles: parts.map(({ title }) => title),
    rows: rows.map((_, index) => parts.map(({ cells }) => cells[index])),
  }
}

function isMoney(cell: unknown): cell is { amount: string | null; currency: string | null } {
  return typeof cell === 'object' && cell !== null && 'currency' in cell
}

/** Return a cell of a column. Elements of a page have no text, so a column with them says what a file has. */
function plainCell(cell: unknown): FileCell {
  if (typeof cell === 'string') return cell === NO_VALUE ? null : cell
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'object' || cell === null) return null
  if ('amount' in cell) return { amount: cell.amount === null ? null : plainAmount(String(cell.amount)) }
  return 'time' in cell || 'day' in cell ? (cell as FileCell) : null
}

/** Format `1500.5000` as `1500.50`, and `1500.0000` as `1500`. */
export function plainAmount(amount: string): string {
  return displayAmount(parseAmount(amount) ?? 0n).replaceAll(',', '')
}

const AMOUNT = /^-?\d+\.\d{4}$/

/** Return rows with all fields of the interface: `contact.first_name` is a column. No cell has JSON. */
export function fieldsTable(rows: readonly Record<string, unknown>[]): FileTable {
  const flat = rows.map(flattenRow)
  const titles = columnsOf(flat)
  const toCell = (name: string, value: FileCell): FileCell => {
    if (typeof value !== 'string') return value ?? null
    if (!holdsCodes(name) && AMOUNT.test(value)) return { amount: value }
    return timeOf(value) ? { time: value } : value
  }
  return { titles, rows: flat.map((row) => titles.map((name) => toCell(name, row[name]))), offsets: true }
}
