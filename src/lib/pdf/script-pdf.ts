import type { Font } from 'fontkit'
import PDFDocument from 'pdfkit'
import { pdfFont, type Script, type Weight } from './fonts.ts'
import { type Direction, directionOf, hasOwnScript, type Piece, showableText, visualPieces } from './scripts.ts'

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, font: Font): this
    }
    interface PDFText {
      /** Draws a line at a place. All text of a document comes here. */
      _fragment(line: string, left: number, top: number, options: LineOptions): void
    }
    interface LineOptions extends TextOptions {
      /** The width that the line may take. */
      lineWidth?: number
      /** The width of its text, where it is known. */
      textWidth?: number
    }
  }
}

/**
 * PDF whose text is drawn with the font of its script, from right to left if it is written so. Its fonts are `regular`
 * and `bold`. Line breaks, alignment and pages are pdfkit's: it measures here, and draws each line here.
 */
export class ScriptPdf extends PDFDocument {
  #weight: Weight = 'regular'
  #direction: Direction = 'ltr'

  constructor(options: PDFKit.PDFDocumentOptions) {
    super(options)
    this.registerFont('regular', pdfFont('common', 'regular')).registerFont('bold', pdfFont('common', 'bold'))
    this.font('regular')
  }

  /** Chooses the weight of the text that follows. */
  weight(weight: Weight): this {
    this.#weight = weight
    return this.font(weight)
  }

  override text(
    text: string,
    left?: number | PDFKit.Mixins.TextOptions,
    top?: number,
    options?: PDFKit.Mixins.TextOptions,
  ): this {
    const shown = showableText(text)
    this.#direction = directionOf(shown)
    return typeof left === 'object' ? super.text(shown, left) : super.text(shown, left, top, options)
  }

  override heightOfString(text: string, options?: PDFKit.Mixins.TextOptions): number {
    return super.heightOfString(showableText(text), options)
  }

  override widthOfString(text: string, options?: PDFKit.Mixins.TextOptions): number {
    if (!hasOwnScript(text)) return super.widthOfString(text, options)
    return visualPieces(text, 'ltr').reduce((width, piece) => width + this.#widthOf(piece), 0)
  }

  override _fragment(line: string, left: number, top: number, options: PDFKit.Mixins.LineOptions): void {
    if (!hasOwnScript(line)) {
      super._fragment(line, left, top, options)
      return
    }
    const pieces = visualPieces(line.trimEnd(), this.#direction)
    const width = pieces.reduce((sum, piece) => sum + this.#widthOf(piece), 0)
    let x = options.align === 'right' ? left + (options.lineWidth ?? width) - width : left
    // All fonts stand on the line of the common one.
    const { ascent, descent } = pdfFont('common', this.#weight)
    const baseline = (-this.currentLineHeight() * ascent) / (ascent - descent)
    // A person who copies the line gets its text in reading order.
    this.markContent('Span', { actual: line })
    for (const piece of pieces) {
      const textWidth = this.#widthOf(piece)
      this.#with(piece.script, () => super._fragment(piece.text, x, top, { baseline, textWidth }))
      x += textWidth
    }
    this.endMarkedContent()
  }

  #widthOf({ text, script }: Piece): number {
    return this.#with(script, () => super.widthOfString(text))
  }

  #with<T>(script: Script, draw: () => T): T {
    if (script === 'common') return draw()
    const name = `${script} ${this.#weight}`
    this.registerFont(name, pdfFont(script, this.#weight)).font(name)
    try {
      return draw()
    } finally {
      this.font(this.#weight)
    }
  }
}
