import { describe, expect, it } from 'vitest'
import { type DocumentPdf, writeDocumentPdf } from '../../../src/lib/pdf/document-pdf.ts'
import { readPdfTable } from '../../../src/lib/table-files/pdf-file.ts'
import { writeTablePdf } from '../../../src/lib/table-files/pdf-pages.ts'
import { dayOfStatement, LETTERHEAD } from '../table-files/day-of-statement.ts'
import { drawPages, type PagePicture, SCALE, textBounds } from './pictures.ts'

/** Count the white strips of 5 points or more from the top to the bottom of a part of a page, between its texts. */
function countStrips({ width, isDark }: PagePicture, from: number, to: number): number {
  const has_ink = Array.from({ length: width }, (_, x) => {
    for (let y = Math.ceil(from * SCALE); y < to * SCALE; y += 1) if (isDark(x, y)) return true
    return false
  })
  const marks = has_ink.map((ink) => (ink ? '#' : ' ')).join('')
  return marks
    .trim()
    .split(/#+/)
    .filter((strip) => strip.length >= 5 * SCALE).length
}

describe('pictures of the pages', () => {
  it('of a statement of 300 lines show eight columns with white between them, and nothing over the edge', async () => {
    const pages = await drawPages(await writeTablePdf(await readPdfTable(dayOfStatement(300))), 'pdf-statement')
    expect(pages).toHaveLength(8)
    for (const page of pages) {
      const bounds = textBounds(page)
      expect(bounds.left).toBeGreaterThanOrEqual(29)
      expect(bounds.right).toBeLessThanOrEqual(842 - 29)
      expect(bounds.bottom).toBeLessThanOrEqual(595 - 15)
    }
    // Seven strips divide eight columns; a blank that stands in all lines at one place would add to them.
    for (const page of pages.slice(1, -1)) expect(countStrips(page, 46, 555)).toBeGreaterThanOrEqual(7)
  })

  it('of an invoice show the seller at the right, above the title', async () => {
    const document: DocumentPdf = {
      language: 'en',
      title: 'Invoice INV-000012',
      issuer: LETTERHEAD,
      created: new Date('2030-11-28T12:00:00Z'),
      facts: [
        ['From', 'Green Hill School'],
        ['To', 'Joan Nakato'],
        ['Customer number', 'P5-0012'],
        ['Issued on', '28/11/2030'],
        ['Due on', '12/12/2030'],
        ['Payment terms', 'Payable within 14 days.'],
      ],
      table: { head: ['Description', 'Quantity', 'Unit price', 'Amount'], lines: [['Fees', '1', '1,500', '1,500']] },
      totals: [{ name: 'Total', value: 'UGX 1,500', strong: true }],
      notes: [],
      check: { text: 'See the amount due and pay at this address:', url: 'https://pay.example.com/pay/invoices/abc' },
    }
    const [page, ...more] = await drawPages(await writeDocumentPdf(document), 'pdf-invoice')
    expect(more).toEqual([])
    const inkAt = (left: number, right: number, top: number, bottom: number) => {
      for (let y = Math.ceil(top * SCALE); y < bottom * SCALE; y += 1)
        for (let x = Math.ceil(left * SCALE); x < right * SCALE; x += 1) if (page!.isDark(x, y)) return true
      return false
    }
    expect(inkAt(400, 540, 45, 120)).toBe(true)
    expect(inkAt(541, 595, 12, 842)).toBe(false)
    expect(inkAt(56, 300, 125, 170)).toBe(true)
  })
})
