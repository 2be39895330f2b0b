import { encode } from 'uqr'
import { drawLetterhead } from './draw-letterhead.ts'
import type { Weight } from './fonts.ts'
import type { Letterhead } from './letterhead.ts'
import { ScriptPdf } from './script-pdf.ts'

/** A document of one or more A4 pages, such as a receipt. Every text is in the reader's language. */
export interface DocumentPdf {
  /** Two letters, such as `sw`. */
  language: string
  /** Title in large letters, such as "Receipt R-000012". */
  title: string
  issuer: Letterhead
  /** Time of the document: the same document gives the same bytes. */
  created: Date
  /** Warning that must not be overlooked, such as a reversal of the payment. */
  warning?: string | undefined
  /** Names and values, one a line. */
  facts: readonly (readonly [name: string, value: string])[]
  /**
   * Lines with columns, such as the lines of an invoice. Columns after the first stand at the right. With dates, the
   * first is a narrow one of dates, and those after the second stand at the right. Each page has the head.
   */
  table?: { head: readonly string[]; lines: readonly (readonly string[])[]; has_dates?: boolean } | undefined
  /** Amounts under the lines, at the right. */
  totals: readonly { name: string; value: string; strong?: boolean }[]
  notes: readonly string[]
  /** Link and QR code for comparing the document with the service's own. */
  check?: { text: string; url: string } | undefined
}

const MARGIN = 56
const A4 = { width: 595.28, height: 841.89 }
const WIDTH = A4.width - 2 * MARGIN
const COLORS = { text: '#1b1f23', soft: '#555c63', line: '#c9ced3', bad: '#a3160d' }
const QR_SIZE = 84

/**
 * Writes a document as PDF. Text in a script without a font is written in Latin letters; a logo that cannot be drawn is left out.
 */
export async function writeDocumentPdf(document: DocumentPdf): Promise<Buffer> {
  const { title, issuer, created, language } = document
  const pdf = new ScriptPdf({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    displayTitle: true,
    info: { Title: `${title} – ${issuer.name}`, Author: issuer.name, CreationDate: created, ModDate: created },
  })
  const parts: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part))
    pdf.on('end', () => resolve(Buffer.concat(parts)))
    pdf.on('error', reject)
  })
  writeHead(pdf, document)
  writeFacts(pdf, document.facts)
  if (document.table) writeTable(pdf, document.table)
  writeTotals(pdf, document.totals)
  for (const note of document.notes) {
    pdf.moveDown(0.6)
    pdf.weight('regular').fontSize(10).fillColor(COLORS.soft).text(note, MARGIN, pdf.y, { width: WIDTH })
  }
  if (document.check) writeCheck(pdf, document.check)
  pdf.end()
  return written
}

function writeHead(pdf: ScriptPdf, { issuer, title, warning }: DocumentPdf): void {
  const bottom = drawLetterhead(pdf, issuer, { page_width: A4.width, margin: MARGIN })
  pdf.weight('bold').fontSize(22).fillColor(COLORS.text)
  pdf.text(title, MARGIN, Math.max(bottom, MARGIN + 48) + 24, { width: WIDTH })
  if (warning !== undefined) {
    pdf.moveDown(0.2)
    pdf.weight('bold').fontSize(12).fillColor(COLORS.bad).text(warning, { width: WIDTH })
  }
  pdf.moveDown(0.8)
}

function writeFacts(pdf: ScriptPdf, facts: DocumentPdf['facts']): void {
  const name_width = 150
  for (const [name, value] of facts) {
    pdf.weight('regular').fontSize(10.5)
    const height = Math.max(
      pdf.heightOfString(name, { width: name_width - 12 }),
      pdf.heightOfString(value, { width: WIDTH - name_width }),
    )
    const top = startLine(pdf, height)
    pdf.fillColor(COLORS.soft).text(name, MARGIN, top, { width: name_width - 12 })
    pdf.fillColor(COLORS.text).text(value, MARGIN + name_width, top, { width: WIDTH - name_width })
    endLine(pdf, top + height)
  }
}

function writeTable(pdf: ScriptPdf, { head, lines, has_dates = false }: NonNullable<DocumentPdf['table']>): void {
  const { size, date, narrow } = has_dates ? { size: 9, date: 70, narrow: 72 } : { size: 10.5, date: 0, narrow: 90 }
  const texts = has_dates ? 2 : 1
  const wide = WIDTH - date - narrow * (head.length - texts)
  const widths = head.map((_, index) => (index >= texts ? narrow : index === 0 && has_dates ? date : wide))
  const writeLine = (cells: readonly string[], weight: Weight) => {
    pdf.weight(weight).fontSize(size)
    const height = Math.max(...cells.map((cell, index) => pdf.heightOfString(cell, { width: widths[index]! - 8 })))
    if (!hasRoom(pdf, height) && weight === 'regular') {
      pdf.addPage()
      writeLine(head, 'bold')
      pdf.weight(weight).fontSize(size)
    }
    const top = startLine(pdf, height)
    pdf.fillColor(COLORS.text)
    let left = MARGIN
    cells.forEach((cell, index) => {
      const is_text = index < texts
      pdf.text(cell, is_text ? left : left + 8, top, { width: widths[index]! - 8, align: is_text ? 'left' : 'right' })
      left += widths[index]!
    })
    endLine(pdf, top + height)
  }
  pdf.moveDown(0.8)
  writeLine(head, 'bold')
  for (const cells of lines) writeLine(cells, 'regular')
}

function writeTotals(pdf: ScriptPdf, totals: DocumentPdf['totals']): void {
  pdf.y += 8
  for (const { name, value, strong } of totals) {
    pdf
      .weight(strong ? 'bold' : 'regular')
      .fontSize(strong ? 14 : 11)
      .fillColor(COLORS.text)
    const half = WIDTH / 2 - 8
    const height = Math.max(pdf.heightOfString(name, { width: half }), pdf.heightOfString(value, { width: half }))
    const top = startLine(pdf, height)
    pdf.text(name, MARGIN, top, { width: half })
    pdf.text(value, MARGIN + WIDTH / 2 + 8, top, { width: half, align: 'right' })
    pdf.y = top + height + 4
  }
}

/** Returns the start of the next line: on a new page, if it has no room on this one. */
function startLine(pdf: ScriptPdf, height: number): number {
  if (!hasRoom(pdf, height)) pdf.addPage()
  return pdf.y + 4
}

function hasRoom(pdf: ScriptPdf, height: number): boolean {
  return pdf.y + height <= A4.height - MARGIN - 8
}

function endLine(pdf: ScriptPdf, bottom: number): void {
  pdf
    .moveTo(MARGIN, bottom + 4)
    .lineTo(MARGIN + WIDTH, bottom + 4)
    .lineWidth(0.5)
    .strokeColor(COLORS.line)
    .stroke()
  pdf.y = bottom + 5
}

function writeCheck(pdf: ScriptPdf, { text, url }: NonNullable<DocumentPdf['check']>): void {
  pdf.moveDown(1.5)
  if (pdf.y + QR_SIZE > A4.height - MARGIN) pdf.addPage()
  const top = pdf.y
  drawQrCode(pdf, url, MARGIN, top)
  const left = MARGIN + QR_SIZE + 16
  const width = WIDTH - QR_SIZE - 16
  pdf
    .weight('regular')
    .fontSize(9.5)
    .fillColor(COLORS.soft)
    .text(text, left, top + 4, { width })
  pdf.fillColor(COLORS.text).text(url, left, pdf.y + 4, { width, link: url, underline: true })
}

function drawQrCode(pdf: ScriptPdf, url: string, left: number, top: number): void {
  const { data, size } = encode(url, { ecc: 'M', border: 0 })
  const side = QR_SIZE / size
  data.forEach((line, y) => {
    line.forEach((is_dark, x) => {
      // Slightly wider than its square, so that no white line shows between two.
      if (is_dark) pdf.rect(left + x * side, top + y * side, side + 0.05, side + 0.05)
    })
  })
  pdf.fill('#000000')
}
