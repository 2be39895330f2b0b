import { type CsvCell, csvLines } from '../csv.ts'
import { formatAmount } from '../money.ts'
import { linesWithoutControls } from '../text/controls.ts'
import { zonedTimestamp } from '../text/zoned-times.ts'
import type { Table, TableCell, TableColumn } from './table.ts'

/**
 * The lines of a table in chunks, so that a million rows need no more memory than a thousand. The file is for a spreadsheet:
 * texts of digits, such as phone numbers, have an apostrophe in front, because a spreadsheet would make numbers of them.
 */
export async function* csvFile({ columns, chunks, totals, zone, language = 'en' }: Table): AsyncGenerator<string> {
  yield csvLines([columns.map(({ name, title }) => (language === 'en' ? name : title))])
  const toLine = (row: readonly TableCell[]) => row.map((cell, index) => toCell(cell, columns[index]!, zone))
  for await (const chunk of chunks) if (chunk.length > 0) yield csvLines(chunk.map(toLine))
  const last = totals?.() ?? []
  if (last.length > 0) yield csvLines(last.map(toLine))
}

/** A text that a spreadsheet reads as a number, and shows as 2.56772E+11. */
const LOOKS_LIKE_NUMBER = /^[+-]?[.,\s]*\d[\d.,\s]*(e[+-]?\d+)?$/i

function toCell(cell: TableCell, { kind }: TableColumn, zone: string): CsvCell {
  if (typeof cell === 'bigint') return formatAmount(cell)
  if (cell instanceof Date) return zonedTimestamp(cell, zone)
  if (typeof cell !== 'string') return cell
  const text = linesWithoutControls(cell)
  return kind === 'code' && LOOKS_LIKE_NUMBER.test(text) ? `'${text}` : text
}
