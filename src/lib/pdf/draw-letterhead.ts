import type { Letterhead } from './letterhead.ts'
import { isDrawable, type PdfLogo } from './logo.ts'
import type { ScriptPdf } from './script-pdf.ts'

/** Place of a letterhead on a page. */
interface Frame {
  page_width: number
  margin: number
}

const COLORS = { text: '#1b1f23', soft: '#555c63' }
const LOGO = { width: 72, height: 48 }
const DETAILS_SIZE = 8.5

/** Draws a letterhead on the top of a page: logo and name at the left, details at the right. Returns its lower end. */
export function drawLetterhead(
  pdf: ScriptPdf,
  { name, color, logo, details }: Letterhead,
  { page_width, margin }: Frame,
): number {
  pdf.rect(0, 0, page_width, 10).fill(color)
  const width = page_width - 2 * margin
  const right = details.length > 0 ? Math.min(260, width * 0.48) : 0
  const has_logo = logo !== null && drawLogo(pdf, logo, margin)
  const left = margin + (has_logo ? LOGO.width + 12 : 0)
  pdf.weight('bold').fontSize(13).fillColor(COLORS.text)
  pdf.text(name, left, margin + 4, { width: page_width - margin - left - (right > 0 ? right + 12 : 0) })
  const bottom = Math.max(pdf.y, has_logo ? margin + LOGO.height - 8 : 0)
  if (details.length === 0) return bottom
  pdf.weight('regular').fontSize(DETAILS_SIZE).fillColor(COLORS.soft)
  pdf.y = margin - 6
  for (const line of details) pdf.text(line, page_width - margin - right, pdf.y, { width: right, align: 'right' })
  return Math.max(bottom, pdf.y)
}

function drawLogo(pdf: ScriptPdf, logo: PdfLogo, margin: number): boolean {
  if (!isDrawable(logo)) return false
  try {
    pdf.image(logo.bytes, margin, margin - 8, { fit: [LOGO.width, LOGO.height] })
    return true
  } catch {
    // The document is worth more than its logo.
    return false
  }
}
