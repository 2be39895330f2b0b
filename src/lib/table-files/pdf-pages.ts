import { displayAmount } from '../money.ts'
import { ScriptPdf } from '../pdf/script-pdf.ts'
import { zonedTimestamp } from '../text/zoned-times.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A table with all its rows. */
export interface PdfTable extends Pick<Table, 'title' | 'organization' | 'facts' | 'columns' | 'zone' | 'created'> {
  rows: readonly TableRow[]
  totals: readonly TableRow[]
}

const MARGIN = 36
const PAGE = { width: 841.89, height: 595.28 }
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = PAGE.height - MARGIN - 16
const PADDING = 3
const COLORS = { text: '#1b1f23', soft: '#555c63', line: '#c9ced3' }
const FONT_SIZE = 7.5

/** Writes a table as PDF on pages across, with the head of the columns on each page. */
export async function writeTablePdf(table: PdfTable): Promise<Buffer> {
  const { rows, totals, title, organization, created } = table
  const pdf = new ScriptPdf({
    size: [PAGE.width, PAGE.height],
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: `${title} – ${organization}`, Author: organization, CreationDate: created, ModDate: created },
  })
  const parts: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part))
    pdf.on('end', () => resolve(Buffer.concat(parts)))
    pdf.on('error', reject)
  })
  writeHead(pdf, table)
  const widths = columnWidths(table)
  let top = writeColumnTitles(pdf, table, widths)
  for (const [index, row] of [...rows, ...totals].entries()) {
    const is_total = index >= rows.length
    const height = heightOf(pdf, table, widths, row, is_total)
    if (top + height > BOTTOM) {
      pdf.addPage()
      pdf.y = MARGIN
      top = writeColumnTitles(pdf, table, widths)
    }
    top = writeRow(pdf, table, widths, { row, top, height, is_total })
  }
  if (rows.length + totals.length === 0) writeText(pdf, 'There are no rows.', top + 6)
  numberPages(pdf, table)
  pdf.end()
  return written
}

function writeHead(pdf: ScriptPdf, { organization, title, facts, zone }: PdfTable): void {
  pdf.weight('regular').fontSize(9).fillColor(COLORS.soft).text(organization, MARGIN, MARGIN, { width: WIDTH })
  pdf.weight('bold').fontSize(15).fillColor(COLORS.text).text(title, { width: WIDTH })
  pdf.moveDown(0.3)
  for (const [name, value] of [...facts, ['Time zone', zone] as const]) {
    pdf.weight('regular').fontSize(8.5).fillColor(COLORS.soft).text(`${name}: `, MARGIN, pdf.y, { continued: true })
    pdf.fillColor(COLORS.text).text(value)
  }
  pdf.moveDown(0.8)
}

/** Columns share the page: each gets the part that its `width` asks for. */
function columnWidths({ columns }: PdfTable): number[] {
  const wide = columns.map(({ kind, width = 1 }) => (kind === 'time' ? 1.1 : kind === 'count' ? 0.6 : 1) * width)
  const all = wide.reduce((sum, one) => sum + one, 0)
  return wide.map((one) => (one / all) * WIDTH)
}

const alignOf = (kind: string) => (kind === 'amount' || kind === 'count' ? 'right' : 'left')

function writeColumnTitles(pdf: ScriptPdf, table: PdfTable, widths: readonly number[]): number {
  const row = table.columns.map(({ title }) => title)
  const height = heightOf(pdf, table, widths, row, true)
  return writeRow(pdf, table, widths, { row, top: pdf.y, height, is_total: true })
}

function heightOf(pdf: ScriptPdf, table: PdfTable, widths: readonly number[], row: TableRow, is_bold: boolean): number {
  pdf.weight(is_bold ? 'bold' : 'regular').fontSize(FONT_SIZE)
  const heights = row.map((cell, index) =>
    pdf.heightOfString(cellText(cell, table.zone) || ' ', { width: widths[index]! - 2 * PADDING }),
  )
  return Math.min(Math.max(...heights), BOTTOM - MARGIN - 60) + 2 * PADDING
}

function writeRow(
  pdf: ScriptPdf,
  table: PdfTable,
  widths: readonly number[],
  { row, top, height, is_total }: { row: TableRow; top: number; height: number; is_total: boolean },
): number {
  pdf
    .weight(is_total ? 'bold' : 'regular')
    .fontSize(FONT_SIZE)
    .fillColor(COLORS.text)
  let left = MARGIN
  for (const [index, { kind }] of table.columns.entries()) {
    const width = widths[index]!
    pdf.text(cellText(row[index] ?? null, table.zone), left + PADDING, top + PADDING, {
      width: width - 2 * PADDING,
      height: height - PADDING,
      align: alignOf(kind),
      ellipsis: true,
    })
    left += width
  }
  pdf
    .moveTo(MARGIN, top + height)
    .lineTo(MARGIN + WIDTH, top + height)
    .lineWidth(0.5)
    .strokeColor(COLORS.line)
    .stroke()
  return top + height
}

function cellText(cell: TableCell, zone: string): string {
  if (cell === null) return ''
  if (typeof cell === 'bigint') return displayAmount(cell)
  if (cell instanceof Date) return zonedTimestamp(cell, zone).slice(0, 19).replace('T', ' ')
  return String(cell)
}

function writeText(pdf: ScriptPdf, text: string, top: number): void {
  pdf.weight('regular').fontSize(9).fillColor(COLORS.soft).text(text, MARGIN, top, { width: WIDTH })
}

function numberPages(pdf: ScriptPdf, { title, created, zone }: PdfTable): void {
  const { count } = pdf.bufferedPageRange()
  const made = `${title}, written ${zonedTimestamp(created, zone).slice(0, 16).replace('T', ' ')} (${zone})`
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page)
    pdf.weight('regular').fontSize(7).fillColor(COLORS.soft)
    pdf.text(made, MARGIN, PAGE.height - MARGIN, { width: WIDTH / 2, lineBreak: false })
    pdf.text(`${page + 1} / ${count}`, MARGIN + WIDTH / 2, PAGE.height - MARGIN, {
      width: WIDTH / 2,
      align: 'right',
      lineBreak: false,
    })
  }
}
