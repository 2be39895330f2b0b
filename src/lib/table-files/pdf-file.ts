import { openWorkerQueue } from '../workers/worker-queue.ts'
import type { PdfTable } from './pdf-pages.ts'
import { readAllRows, type Table } from './table.ts'

/** A PDF is for reading and printing: this many rows are some hundred pages. */
const MAX_PDF_ROWS = 5_000

const LIMITS = { time_ms: 60_000, memory_mb: 256, waiting: 20 }

const queue = openWorkerQueue<PdfTable, Buffer>(new URL('pdf-worker', import.meta.url), LIMITS)

/**
 * Writes a table as PDF on pages across, with the head of the columns on each page, in a process of its own.
 * @throws TooManyRows, WorkRefused
 */
export async function pdfFile(table: Table): Promise<Buffer> {
  return queue.ask(await readPdfTable(table))
}

/** Reads all rows of a table as they stand on paper. @throws TooManyRows */
export async function readPdfTable(table: Table): Promise<PdfTable> {
  const { rows, totals } = await readAllRows(table, 'pdf', MAX_PDF_ROWS)
  const { title, organization, facts, columns, zone, created, letterhead, country = null, language, paper } = table
  const about = { title, organization, facts, zone, created, letterhead, country, language }
  if (!paper) return { ...about, columns, rows, totals }
  return {
    ...about,
    columns: paper.columns,
    rows: rows.map(paper.toRow),
    totals: totals.map(paper.toRow),
    balance: paper.balance,
  }
}
