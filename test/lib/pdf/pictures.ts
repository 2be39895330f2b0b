import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { rgbaPng } from './png.ts'

/** Page of a PDF as a picture. */
export interface PagePicture {
  width: number
  height: number
  /** True where a pixel is as dark as text. */
  isDark(x: number, y: number): boolean
}

/** Pixels for each point of a page. */
export const SCALE = 1.6

const DIR = join(import.meta.dirname, '../../web/screenshots')

/** Draw the pages of a PDF, and keep the pictures beside those of the console. */
export async function drawPages(pdf: Uint8Array, name: string): Promise<PagePicture[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const pictures: PagePicture[] = []
  mkdirSync(DIR, { recursive: true })
  for (let index = 0; index < document.getPageCount(); index += 1) {
    const { data, width, height } = await document.getPage(index).render({ scale: SCALE, render: 'bitmap' })
    const pixels = Buffer.from(data)
    writeFileSync(join(DIR, `${name}-${index + 1}.png`), rgbaPng(pixels, width, height))
    const isDark = (x: number, y: number) => {
      const at = (y * width + x) * 4
      return pixels[at]! + pixels[at + 1]! + pixels[at + 2]! < 3 * 150
    }
    pictures.push({ width, height, isDark })
  }
  document.destroy()
  library.destroy()
  return pictures
}

/** The bounds of the text of a page in points, below the coloured line at its top. */
export function textBounds({ width, height, isDark }: PagePicture) {
  const bounds = { left: width, right: 0, top: height, bottom: 0 }
  for (let y = Math.ceil(12 * SCALE); y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isDark(x, y)) {
        bounds.left = Math.min(bounds.left, x)
        bounds.right = Math.max(bounds.right, x)
        bounds.top = Math.min(bounds.top, y)
        bounds.bottom = Math.max(bounds.bottom, y)
      }
  return Object.fromEntries(Object.entries(bounds).map(([name, pixels]) => [name, pixels / SCALE])) as typeof bounds
}
