import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The forms that networks allow for our references. */
export type ReferenceForm = 'uuid-v4' | 'alphanumeric-25' | 'ascii-12'

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Makes the reference of a new order. It is cryptographically random, so that it is unique over all installations and all
 * restored backups, and tells nobody anything. It has a UUID of lower-case letters, 25 letters and digits, or 12.
 */
export function createReference(form: ReferenceForm): string {
  if (form === 'uuid-v4') return randomUUID()
  return randomText(form === 'ascii-12' ? 12 : 25)
}

/** A text that begins with a letter, because some networks read a text of digits as a number. */
function randomText(length: number): string {
  const first = LETTERS_AND_DIGITS[randomInt(10, LETTERS_AND_DIGITS.length)]!
  // Bytes above the last multiple of 36 would make some characters more frequent than others.
  const usable = 256 - (256 % LETTERS_AND_DIGITS.length)
  let text = first
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < usable) text += LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length]
  return text.slice(0, length)
}
