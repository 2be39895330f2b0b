import { getMessage } from '../../lib/messages/message.ts'
import { Invalid } from '../refusals.ts'

/** A logo is loaded with every page, over slow networks. */
const MAX_LOGO_BYTES = 32_768
const MAX_LOGO_PIXELS = 1_024

/** An image that was checked: its bytes, and the type that its own beginning says. */
export interface Logo {
  bytes: Buffer
  type: 'image/png' | 'image/jpeg' | 'image/webp'
}

/**
 * Reads a logo from a data URL or base64. The bytes decide the type, not the stated one. SVG is refused: it can hold
 * scripts.
 * @throws Invalid for another type, too many bytes or pixels
 */
export function readLogoUpload(input: string): Logo {
  const encoded = input.replace(/^data:[\w/+.-]*;base64,/, '').replaceAll(/\s/g, '')
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0)
  const image = measure(bytes)
  if (!image) throw new Invalid({ logo: [getMessage('links.logo_type')] })
  if (bytes.length > MAX_LOGO_BYTES) throw new Invalid({ logo: [getMessage('links.logo_size')] })
  if (image.width > MAX_LOGO_PIXELS || image.height > MAX_LOGO_PIXELS || image.width < 1 || image.height < 1)
    throw new Invalid({ logo: [getMessage('links.logo_pixels', { max: MAX_LOGO_PIXELS })] })
  return { bytes, type: image.type }
}

interface Measured {
  type: Logo['type']
  width: number
  height: number
}

function measure(bytes: Buffer): Measured | undefined {
  return measurePng(bytes) ?? measureWebp(bytes) ?? measureJpeg(bytes)
}

const PNG_BEGINNING = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function measurePng(bytes: Buffer): Measured | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(PNG_BEGINNING)) return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** The three forms of WebP: lossy, lossless, and with a header of its own. */
function measureWebp(bytes: Buffer): Measured | undefined {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to)
  if (bytes.length < 30 || text(0, 4) !== 'RIFF' || text(8, 12) !== 'WEBP') return undefined
  const type = 'image/webp'
  switch (text(12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Walks over the segments to the one that begins a frame (SOF). */
function measureJpeg(bytes: Buffer): Measured | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    const is_frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (is_frame) return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
