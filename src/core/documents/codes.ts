import { randomBytes } from 'node:crypto'
import { cellMark } from '../../lib/text/cells.ts'

/** 144 bits, 24 characters: too many to guess. */
const CODE_BYTES = 18

/** The random part of the address of a document. */
export function createDocumentCode(cell: number): string {
  return cellMark(cell) + randomBytes(CODE_BYTES).toString('base64url')
}

/** True if a text has the form of a code, so that others are not looked up. */
export function isDocumentCode(text: string): boolean {
  return /^(?:[1-9]\d{0,2}\.)?[\w-]{22,64}$/.test(text)
}
