import { inflateSync } from 'node:zlib'

/** An image as it was uploaded. */
export interface PdfLogo {
  bytes: Buffer
  type: string
}

const SIGNATURE_BYTES = 8
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * True if a logo can be drawn into a PDF. A WebP image cannot. A PNG is unpacked first: the PDF library unpacks some of
 * them where an error could not be caught and would end the process.
 */
export function isDrawable({ bytes, type }: PdfLogo): boolean {
  if (type === 'image/jpeg') return true
  return type === 'image/png' && isWholePng(bytes)
}

/** True if the parts of a PNG have their lengths, and its pixels unpack to exactly the declared number of bytes. */
function isWholePng(bytes: Buffer): boolean {
  const header = bytes.subarray(16, 29)
  if (header.length < 13) return false
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, color, , , interlaced] = header.subarray(8)
  const channels = CHANNELS[color!]
  if (!channels || ![1, 2, 4, 8].includes(depth!) || interlaced !== 0 || width > 4_096 || height > 4_096) return false
  const expected = (Math.ceil((width * channels * depth!) / 8) + 1) * height
  const parts = pixelParts(bytes, color === 3)
  if (!parts) return false
  try {
    return inflateSync(Buffer.concat(parts), { maxOutputLength: expected + 1 }).length === expected
  } catch {
    return false
  }
}

/** The packed pixels, or undefined if a part is cut off or the palette is missing. */
function pixelParts(bytes: Buffer, needs_palette: boolean): Buffer[] | undefined {
  const parts: Buffer[] = []
  let has_palette = false
  let at = SIGNATURE_BYTES
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    const name = bytes.toString('latin1', at + 4, at + 8)
    // Parts that animate or colour the image are left out.
    if (name === 'acTL') return undefined
    if (name === 'PLTE') has_palette = true
    if (name === 'IDAT') parts.push(bytes.subarray(at + 8, end - 4))
    if (name === 'IEND') return parts.length > 0 && (has_palette || !needs_palette) ? parts : undefined
    at = end
  }
  return undefined
}
