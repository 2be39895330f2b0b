import { stringify } from 'csv-stringify/sync'

export type CsvCell = string | number | null

/**
 * Writes rows as RFC 4180 says: commas, CRLF, quotes where they are needed. Spreadsheets take a text that begins like a
 * formula for one, so such a text gets an apostrophe in front; numbers and phone numbers, signs included, stay as they are
 * (OWASP, "CSV Injection").
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))),
    { record_delimiter: 'windows' },
  )
}

/** What spreadsheets begin a formula with, full-width forms included; tabs and line ends hide one behind them. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

function escapeFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
