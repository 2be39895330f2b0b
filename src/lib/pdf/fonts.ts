import { readFileSync } from 'node:fs'

const font = (name: string) => readFileSync(new URL(`fonts/NotoSans-${name}.ttf`, import.meta.url))
let fonts: { regular: Buffer; bold: Buffer } | undefined

/** The fonts of all PDFs, read when the first one is written. */
export function pdfFonts(): { regular: Buffer; bold: Buffer } {
  fonts ??= { regular: font('Regular'), bold: font('Bold') }
  return fonts
}
