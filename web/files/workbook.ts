import writeFile, { type SheetData } from 'write-excel-file/browser'
import { readTime, wallClock } from '../format.ts'
import type { FileCell, FileTable } from './file-table.ts'

/** A table as a workbook: amounts are numbers, times are dates in the time zone of the organization. */
export default function writeWorkbook({ titles, rows }: FileTable): Promise<Blob> {
  const head: SheetData[number] = titles.map((title) => ({ value: title, fontWeight: 'bold' }))
  const data = [head, ...rows.map((cells) => cells.map(toCell))]
  return writeFile(data, { columns: titles.map(() => ({ width: 20 })), stickyRowsCount: 1 }).toBlob()
}

/** An amount that a spreadsheet computes with exactly. */
const EXACT_AMOUNT = /^-?\d{1,11}(\.\d{1,4})?$/
/** Maximum characters that Excel keeps in a cell. */
const MAX_TEXT = 32_767

function toCell(cell: FileCell): SheetData[number][number] {
  if (cell === null || cell === undefined || cell === '') return null
  if (typeof cell === 'number' || typeof cell === 'boolean') return { value: cell }
  if (typeof cell === 'string') return toText(cell)
  if ('amount' in cell) {
    if (cell.amount === null) return null
    return EXACT_AMOUNT.test(cell.amount) ? { value: Number(cell.amount), format: '#,##0.00##' } : toText(cell.amount)
  }
  if ('day' in cell) return cell.day ? { value: new Date(`${cell.day}T00:00:00Z`), format: 'yyyy-mm-dd' } : null
  const time = cell.time ? readTime(cell.time) : undefined
  return time ? { value: wallClock(time), format: 'yyyy-mm-dd hh:mm:ss' } : toText(cell.time ?? '')
}

function toText(text: string): SheetData[number][number] {
  if (text === '') return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them.
  return { value: text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ' ').slice(0, MAX_TEXT) }
}
