import writeFile, { type SheetData } from 'write-excel-file/browser'
import { columnsOf, flattenRow, isCode, timeOf } from './csv.ts'
import { wallClock } from './format.ts'

/** The rows of a list as a workbook: amounts are numbers, times are dates in the time zone of the organization. */
export default function writeWorkbook(rows: readonly Record<string, unknown>[]): Promise<Blob> {
  const flat = rows.map(flattenRow)
  const names = columnsOf(flat)
  const head: SheetData[number] = names.map((name) => ({ value: name, fontWeight: 'bold' }))
  const data = [head, ...flat.map((row) => names.map((name) => toCell(name, row[name])))]
  return writeFile(data, { columns: names.map(() => ({ width: 20 })), stickyRowsCount: 1 }).toBlob()
}

const AMOUNT = /^-?\d{1,11}\.\d{4}$/
/** Maximum characters that Excel keeps in a cell. */
const MAX_TEXT = 32_767

function toCell(name: string, value: string | number | boolean | null | undefined): SheetData[number][number] {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string') return { value }
  if (isCode(name, value)) return { value }
  if (AMOUNT.test(value)) return { value: Number(value), format: '#,##0.00##' }
  const time = timeOf(value)
  if (time) return { value: wallClock(time), format: 'yyyy-mm-dd hh:mm:ss' }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them.
  return { value: value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ' ').slice(0, MAX_TEXT) }
}
