import { crc32, deflateSync } from 'node:zlib'

const SIDE = 8
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG of eight times eight pixels. `pixels` are the packed ones, where they are not to fit the header. */
export function png({
  color,
  interlaced = 0,
  pixels,
}: {
  color: number
  interlaced?: number
  pixels?: Buffer
}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, color, 0, 0, interlaced], 8)
  const packed = pixels ?? deflateSync(Buffer.alloc((SIDE * CHANNELS[color]! + 1) * SIDE))
  const parts = [part('IHDR', header), part('IDAT', packed), part('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

/** A PNG of pixels with red, green, blue and alpha, line by line. */
export function rgbaPng(pixels: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const lines = Array.from({ length: height }, (_, y) => pixels.subarray(y * width * 4, (y + 1) * width * 4))
  const packed = deflateSync(Buffer.concat(lines.flatMap((line) => [Buffer.alloc(1), line])))
  const parts = [part('IHDR', header), part('IDAT', packed), part('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

function part(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
