import { SaxesParser } from 'saxes'
import { FileRefused } from './sheet.ts'
import { UNREADABLE } from './zip.ts'

/** Handlers for the parts of an XML text. Names are without their prefixes. */
interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

const CHUNK_BYTES = 65_536
/** Workbooks have some ten levels, and some ten attributes. Without limits, a file of a few kilobytes takes 450 MB of memory. */
const MAX_LEVELS = 100
const MAX_ATTRIBUTES = 1_000

/** An XML text in pieces, so that parts of the work can be handed over before its end. */
export function* readXml(bytes: Buffer, reader: XmlReader): Generator<void> {
  const parser = new SaxesParser({ position: false, xmlns: false })
  parser.on('error', () => {
    throw new FileRefused(UNREADABLE)
  })
  // Workbooks have none. It could define entities of entities.
  parser.on('doctype', () => {
    throw new FileRefused(UNREADABLE)
  })
  let levels = 0
  let attribute_count = 0
  parser.on('attribute', () => {
    attribute_count += 1
    if (attribute_count > MAX_ATTRIBUTES) throw new FileRefused(UNREADABLE)
  })
  parser.on('opentag', ({ name, attributes }) => {
    levels += 1
    attribute_count = 0
    if (levels > MAX_LEVELS) throw new FileRefused(UNREADABLE)
    reader.open(localName(name), attributes as Record<string, string>)
  })
  parser.on('text', (text) => reader.text?.(text))
  parser.on('cdata', (text) => reader.text?.(text))
  parser.on('closetag', ({ name }) => {
    levels -= 1
    reader.close?.(localName(name))
  })
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8')
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true }))
    yield
  }
  parser.close()
}

/** Reads an XML text at once. */
export function readWholeXml(bytes: Buffer, reader: XmlReader): void {
  for (const _ of readXml(bytes, reader));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
