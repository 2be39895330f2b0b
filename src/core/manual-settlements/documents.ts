import { createHash } from 'node:crypto'
import { getMessage } from '../../lib/messages/message.ts'
import { Invalid } from '../refusals.ts'

/** Maximum size of a document, in bytes. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

const MAX_NAME_LENGTH = 120

/** A file as somebody sends it. */
export interface SentDocument {
  name: string
  bytes: Uint8Array
}

/** A document as it is stored. */
interface CheckedDocument extends SentDocument {
  /** The media type, read from the content and not from the name. */
  type: 'application/pdf' | 'image/png' | 'image/jpeg' | 'text/csv' | 'text/plain'
  /** Digest in hex. */
  sha256: string
}

/**
 * Checks the document of an attestation: a PDF, an image (PNG or JPEG), CSV or text, at most 2 MB. The content decides,
 * not the name.
 * @throws Invalid
 */
export function checkDocument({ name, bytes }: SentDocument): CheckedDocument {
  if (bytes.length === 0) throw new Invalid({ document: [getMessage('orders.empty_file')] })
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new Invalid({ document: [getMessage('orders.large_file', { max: MAX_DOCUMENT_BYTES })] })
  const safe_name = toFileName(name)
  const type = typeOf(bytes, safe_name)
  if (!type) throw new Invalid({ document: [getMessage('orders.file_type')] })
  return { name: safe_name, bytes, type, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** The last part of a path, of characters that every file system and header takes. */
function toFileName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const safe = last.replace(/[^\p{L}\p{N} ._()-]/gu, '_').trim()
  // The end of the name has its extension.
  return [...safe].slice(-MAX_NAME_LENGTH).join('').replace(/^\.+/, '') || 'document'
}

function typeOf(bytes: Uint8Array, name: string): CheckedDocument['type'] | undefined {
  const begins = (...head: number[]) => head.every((byte, index) => bytes[index] === byte)
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (!isText(bytes)) return undefined
  return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
}

/** UTF-8 without control characters except tabs and ends of lines. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d))
    return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
