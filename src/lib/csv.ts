import { stringify } from 'csv-stringify/sync'

export type CsvCell = string | number | null

/**
 * Writes rows according to RFC 4180: commas, CRLF, quotes where they are needed. Quotes also keep together a cell with a
 * semicolon or a tab, at which spreadsheets of some countries split. A spreadsheet would run a text that starts like a formula, so such a text gets an apostrophe in front. Numbers and phone numbers stay unchanged,
 * including their signs (OWASP, "CSV Injection").
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))),
    { record_delimiter: 'windows', quoted_match: /[;\t]/ },
  )
}

/** The characters that start a formula, including full-width forms, and tabs and line ends, which may precede one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

function escapeFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
