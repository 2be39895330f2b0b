import type { SheetData } from 'write-excel-file/node'
import { formatAmount } from '../money.ts'
import { linesWithoutControls } from '../text/controls.ts'
import { wallClock } from '../text/zoned-times.ts'
import { openWorkerQueue } from '../workers/worker-queue.ts'
import { readAllRows, type Table, type TableCell, type TableColumn } from './table.ts'
import { tableWords } from './words.ts'

/** A workbook is made in memory: this many rows take some 150 MB, in a process of their own. */
export const MAX_XLSX_ROWS = 20_000

type Cell = SheetData[number][number]

/** Message to the process that writes the workbook. */
export interface Workbook {
  sheets: { sheet: string; data: SheetData; columns: { width: number }[]; stickyRowsCount?: number }[]
}

/** Limits of the process, which writes one workbook at a time: each takes a processor and memory. */
const LIMITS = { time_ms: 120_000, memory_mb: 512, waiting: 20 }

const queue = openWorkerQueue<Workbook, Buffer>(new URL('xlsx-worker', import.meta.url), LIMITS)

/**
 * Writes a table as a workbook: amounts are numbers, times are dates as the clocks of the zone show them. The second
 * sheet describes the table.
 * @throws TooManyRows, WorkRefused
 */
export async function xlsxFile(table: Table): Promise<Buffer> {
  const { rows, totals } = await readAllRows(table, 'xlsx', MAX_XLSX_ROWS)
  const head = table.columns.map(({ title }): Cell => ({ value: title, fontWeight: 'bold' }))
  const toCells = (row: readonly TableCell[]) =>
    row.map((cell, index) => toCell(cell, table.columns[index]!, table.zone))
  const bold = (cell: Cell): Cell => (cell === null ? null : { ...(cell as object), fontWeight: 'bold' as const })
  const words = tableWords[table.language ?? 'en']
  const about = [
    [words.organization, table.organization] as const,
    ...table.facts,
    [words.time_zone, table.zone] as const,
  ]
  const workbook: Workbook = {
    sheets: [
      {
        sheet: sheetName(table.title),
        data: [head, ...rows.map(toCells), ...totals.map((row) => toCells(row).map(bold))],
        columns: table.columns.map(({ kind, width = 1 }) => ({ width: kind === 'time' ? 20 : Math.round(16 * width) })),
        stickyRowsCount: 1,
      },
      {
        sheet: words.about,
        data: about.map(([name, value]) => [{ value: name, fontWeight: 'bold' }, text(value)]),
        columns: [{ width: 24 }, { width: 60 }],
      },
    ],
  }
  return queue.ask(workbook)
}

function toCell(cell: TableCell, { kind }: TableColumn, zone: string): Cell {
  if (cell === null || cell === '') return null
  // Excel keeps 15 digits of a number. Larger amounts stay exact as texts.
  if (typeof cell === 'bigint')
    return isExact(cell) ? { value: Number(formatAmount(cell)), format: '#,##0.00##' } : text(formatAmount(cell))
  if (cell instanceof Date) return { value: wallClock(cell, zone), format: 'yyyy-mm-dd hh:mm:ss' }
  if (typeof cell === 'number') return { value: cell, format: '0' }
  if (kind === 'day' && /^\d{4}-\d\d-\d\d$/.test(cell))
    return { value: new Date(`${cell}T00:00:00Z`), format: 'yyyy-mm-dd' }
  return text(cell)
}

const MAX_EXACT = 999_999_999_999_999n

function isExact(amount: bigint): boolean {
  return (amount < 0n ? -amount : amount) <= MAX_EXACT
}

/** A cell of text is never a formula, whatever it begins with. XML cannot hold control characters. */
function text(value: string): Cell {
  return {
    value: linesWithoutControls(value)
      .replace(/[\ufffe\uffff]/g, '')
      .slice(0, MAX_TEXT),
  }
}

/** Maximum number of characters that Excel keeps in a cell. */
const MAX_TEXT = 32_767

/** Excel allows 31 characters, and none of these. */
function sheetName(title: string): string {
  return title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)
}
