import { drawLetterhead } from '../pdf/draw-letterhead.ts'
import type { Weight } from '../pdf/fonts.ts'
import { ScriptPdf } from '../pdf/script-pdf.ts'
import { showableText } from '../pdf/scripts.ts'
import { fillTemplate } from '../template.ts'
import {
  CELL_PADDING,
  type LaidRow,
  LINE_HEIGHT,
  layOutTable,
  type TableContent,
  type TableLayout,
  timeText,
  wrapText,
} from './pdf-layout.ts'
import type { CellKind, Table } from './table.ts'
import { tableWords } from './words.ts'

/** A table with all its rows. */
export interface PdfTable
  extends TableContent,
    Pick<Table, 'title' | 'organization' | 'facts' | 'created' | 'letterhead'> {}

const MARGIN = 30
const PAGE = { width: 841.89, height: 595.28 }
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = PAGE.height - MARGIN - 7
/** Top of the table on pages after the first, below the name and the title in small letters. */
const OTHER_TOP = MARGIN + 14
const COLORS = { text: '#1b1f23', soft: '#555c63', line: '#d9dde1', shade: '#eef1f4', plain: '#0b6e4f' }
const FACT_SIZE = 8

/** Writes a table as PDF on pages across, with the head of the columns on each page. */
export async function writeTablePdf(table: PdfTable): Promise<Buffer> {
  const { title, organization, created, language = 'en' } = table
  const words = tableWords[language]
  const pdf = new ScriptPdf({
    size: [PAGE.width, PAGE.height],
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    lang: language,
    displayTitle: true,
    info: { Title: `${title} – ${organization}`, Author: organization, CreationDate: created, ModDate: created },
  })
  const parts: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part))
    pdf.on('end', () => resolve(Buffer.concat(parts)))
    pdf.on('error', reject)
  })
  const first_top = writeHead(pdf, table)
  const space = { width: WIDTH, first_height: BOTTOM - first_top, other_height: BOTTOM - OTHER_TOP }
  const layout = layOutTable(table, space, (text, weight) => pdf.weight(weight).fontSize(1).widthOfString(text))
  for (const [index, rows] of layout.pages.entries()) {
    if (index > 0) {
      pdf.addPage()
      writeSmallHead(pdf, table)
    }
    let top = index === 0 ? first_top : OTHER_TOP
    for (const row of rows) top = writeRow(pdf, table, layout, row, top)
    if (table.rows.length + table.totals.length === 0) writeLine(pdf, words.no_rows, MARGIN, top + 6, FACT_SIZE)
    writeFoot(pdf, table, fillTemplate(words.page, { page: `${index + 1}`, pages: `${layout.pages.length}` }))
  }
  pdf.end()
  return written
}

/** Writes the letterhead, the title and the facts, and returns the top of the table. */
function writeHead(pdf: ScriptPdf, table: PdfTable): number {
  const { organization, title, facts, zone, letterhead, language = 'en' } = table
  const head = letterhead ?? { name: organization, color: COLORS.plain, logo: null, details: [] }
  const bottom = drawLetterhead(pdf, head, { page_width: PAGE.width, margin: MARGIN })
  pdf.weight('bold').fontSize(15).fillColor(COLORS.text)
  pdf.text(title, MARGIN, bottom + 6, { width: WIDTH })
  return writeFacts(pdf, [...facts, [tableWords[language].time_zone, zone]], pdf.y + 3) + 8
}

/** Writes names and values in two columns, and returns their lower end. */
function writeFacts(pdf: ScriptPdf, facts: PdfTable['facts'], top: number): number {
  pdf.weight('regular').fontSize(FACT_SIZE)
  const half = WIDTH / 2
  const rows = Math.ceil(facts.length / 2)
  const sides = [facts.slice(0, rows), facts.slice(rows)]
  const names = sides.map((side) => Math.max(0, ...side.map(([name]) => pdf.widthOfString(name))) + 8)
  let bottom = top
  for (let row = 0; row < rows; row += 1) {
    const lines = sides.map((side, index) =>
      wrapText(showableText(side[row]?.[1] ?? ''), half - names[index]! - 12, (text) => pdf.widthOfString(text)),
    )
    for (const [index, side] of sides.entries()) {
      const left = MARGIN + index * half
      pdf.fillColor(COLORS.soft)
      writeLine(pdf, side[row]?.[0] ?? '', left, bottom, FACT_SIZE)
      pdf.fillColor(COLORS.text)
      for (const [at, line] of lines[index]!.entries())
        writeLine(pdf, line, left + names[index]!, bottom + at * FACT_SIZE * 1.3, FACT_SIZE)
    }
    bottom += Math.max(...lines.map(({ length }) => length)) * FACT_SIZE * 1.3 + 1
  }
  return bottom
}

/** Head of the pages after the first. */
function writeSmallHead(pdf: ScriptPdf, { title, organization, letterhead }: PdfTable): void {
  pdf.rect(0, 0, PAGE.width, 5).fill(letterhead?.color ?? COLORS.plain)
  pdf.weight('regular').fillColor(COLORS.soft)
  writeLine(pdf, `${letterhead?.name ?? organization} · ${title}`, MARGIN, MARGIN, FACT_SIZE)
}

const isRight = (kind: CellKind) => kind === 'amount' || kind === 'count'

function writeRow(
  pdf: ScriptPdf,
  { columns }: PdfTable,
  { widths, font_size }: TableLayout,
  { kind, cells, height }: LaidRow,
  top: number,
): number {
  const weight: Weight = kind === 'row' ? 'regular' : 'bold'
  if (kind !== 'row') pdf.rect(MARGIN, top, WIDTH, height).fill(COLORS.shade)
  pdf
    .moveTo(MARGIN, top + height)
    .lineTo(MARGIN + WIDTH, top + height)
    .lineWidth(0.4)
    .strokeColor(COLORS.line)
    .stroke()
  pdf.weight(weight).fontSize(font_size).fillColor(COLORS.text)
  let left = MARGIN
  for (const [index, column] of columns.entries()) {
    const right = left + widths[index]! - CELL_PADDING.x
    for (const [at, line] of cells[index]!.entries()) {
      const x = isRight(column.kind) ? right - pdf.widthOfString(line) : left + CELL_PADDING.x
      writeLine(pdf, line, x, top + CELL_PADDING.y + at * font_size * LINE_HEIGHT, font_size)
    }
    left += widths[index]!
  }
  return top + height
}

/** Writes one line, which is never broken. Its letters stand in the middle of the height of a line. */
function writeLine(pdf: ScriptPdf, text: string, left: number, top: number, size: number): void {
  if (text === '') return
  pdf.fontSize(size)
  pdf.text(text, left, top - (pdf.currentLineHeight() - size * LINE_HEIGHT) / 2, { lineBreak: false })
}

function writeFoot(pdf: ScriptPdf, { title, created, zone, country, language = 'en' }: PdfTable, page: string): void {
  pdf.weight('regular').fillColor(COLORS.soft).fontSize(7)
  const top = PAGE.height - MARGIN
  const time = timeText(created, zone, country).slice(0, -3)
  writeLine(pdf, fillTemplate(tableWords[language].written, { title, time, zone }), MARGIN, top, 7)
  writeLine(pdf, page, MARGIN + WIDTH - pdf.widthOfString(page), top, 7)
}
