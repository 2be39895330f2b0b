import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type DocumentPdf, writeDocumentPdf } from '../../../src/lib/pdf/document-pdf.ts'
import { isDrawable } from '../../../src/lib/pdf/logo.ts'
import { png } from './png.ts'

const DOCUMENT: DocumentPdf = {
  language: 'sw',
  title: 'Risiti R-000012',
  issuer: { name: 'Ẹ̀kọ́ Bookshop', color: '#0b6e4f', logo: null, details: [] },
  created: new Date('2030-01-15T12:00:00Z'),
  facts: [['Kutoka', 'Ŋŋoma Wàṣíù Adébáyọ̀']],
  totals: [{ name: 'Kiasi', value: 'UGX 1,500', strong: true }],
  notes: [],
  check: { text: 'Angalia', url: 'https://pay.example.com/pay/receipts/abcdefghijklmnopqrstuvwx' },
}

const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length

/** Return the drawing commands of a PDF's pages. */
function drawnOn(pdf: Buffer): string {
  const parts = pdf.toString('latin1').split(/(?<=\/FlateDecode\s*>>\s*)stream\n/)
  const texts = parts.slice(1).map((part) => inflateSync(Buffer.from(part, 'latin1')).toString('latin1'))
  return texts.filter((text) => text.includes(' Tf')).join('')
}

describe('a PDF document', () => {
  it('is the same for the same content, in the language of its reader, with fonts of its own', async () => {
    const pdf = await writeDocumentPdf(DOCUMENT)
    const text = pdf.toString('latin1')
    expect(text.slice(0, 5)).toBe('%PDF-')
    expect(text).toContain('/Lang (sw)')
    expect(text).toContain('NotoSans')
    expect(pages(pdf)).toBe(1)
    expect(await writeDocumentPdf(DOCUMENT)).toEqual(pdf)
  })

  it.each([
    ['ሰላማዊት ተስፋዬ', 'NotoSansEthiopic'],
    ['محمد عبد الله', 'NotoSansArabic'],
    ['Наталья Иванова', 'NotoSans-Regular'],
    ['محمد عبد الله 0772 (UGX 1,500) ሰላማዊት 王小明 😀', 'NotoSansEthiopic'],
  ])('shows each letter of %s', async (name, font) => {
    const pdf = await writeDocumentPdf({
      ...DOCUMENT,
      issuer: { ...DOCUMENT.issuer, name },
      facts: [['Kutoka', name]],
      table: { head: ['Kitu', name], lines: [[name, name]] },
    })
    expect(pdf.toString('latin1')).toContain(font)
    const commands = drawnOn(pdf)
    // Glyph 0 is the empty box.
    const glyphs = [...commands.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g)!)
    expect(glyphs.length).toBeGreaterThan(100)
    expect(glyphs).not.toContain('0000')
    // Only the letters that it has.
    expect(pdf.length).toBeLessThan(40_000)
  })

  it('keeps text in the order in which it is read for whoever copies it', async () => {
    const pdf = await writeDocumentPdf({ ...DOCUMENT, facts: [['Kutoka', 'محمد عبد الله']] })
    const name = Buffer.from('\ufeffمحمد عبد الله', 'utf16le').swap16().toString('latin1')
    expect(drawnOn(pdf).replaceAll(/\\([()\\])/g, '$1')).toContain(name)
  })

  it('breaks a long line of Arabic into lines within its column', async () => {
    const note = 'شكرا على الدفع '.repeat(30)
    const lines = async (text: string) => {
      const pdf = await writeDocumentPdf({ ...DOCUMENT, notes: [text] })
      const places = drawnOn(pdf).matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm/g)
      return Array.from(places, ([, left, top]) => ({ left: Number(left), top: Number(top) }))
    }
    const [short, long] = [await lines('شكرا'), await lines(note)]
    const tops = (places: { top: number }[]) => new Set(places.map(({ top }) => top)).size
    expect(tops(long)).toBeGreaterThan(tops(short) + 2)
    for (const { left } of long) expect(left).toBeLessThan(595 - 56)
  })

  it('continues on the next page where its lines have no room', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => [`Line ${index}`, '1', '1,500'])
    const pdf = await writeDocumentPdf({ ...DOCUMENT, table: { head: ['What', 'Number', 'Price'], lines } })
    expect(pages(pdf)).toBe(2)
  })

  it('has the logo if it can be drawn', async () => {
    const withLogo = (bytes: Buffer, type: string) =>
      writeDocumentPdf({ ...DOCUMENT, issuer: { ...DOCUMENT.issuer, logo: { bytes, type } } })
    const plain = await writeDocumentPdf(DOCUMENT)
    expect((await withLogo(png({ color: 6 }), 'image/png')).toString('latin1')).toContain('/Subtype /Image')
    expect(await withLogo(Buffer.from('RIFF....WEBP'), 'image/webp')).toEqual(plain)
    expect(await withLogo(Buffer.from('ffd8ffff', 'hex'), 'image/jpeg')).toEqual(plain)
  })
})

describe('a PNG', () => {
  it('is drawn only if its pixels are exactly as many as it says', () => {
    const drawable = (bytes: Buffer) => isDrawable({ bytes, type: 'image/png' })
    for (const color of [0, 2, 4, 6]) expect(drawable(png({ color }))).toBe(true)
    expect(drawable(png({ color: 6, pixels: Buffer.from('no zlib') }))).toBe(false)
    expect(drawable(png({ color: 6, pixels: deflateSync(Buffer.alloc(10)) }))).toBe(false)
    // Ten megabytes in ten kilobytes.
    expect(drawable(png({ color: 6, pixels: deflateSync(Buffer.alloc(10_000_000)) }))).toBe(false)
    expect(drawable(png({ color: 6, interlaced: 1 }))).toBe(false)
    expect(drawable(png({ color: 3 }))).toBe(false)
    expect(drawable(png({ color: 6 }).subarray(0, -6))).toBe(false)
    expect(drawable(Buffer.from('89504e47', 'hex'))).toBe(false)
  })
})
