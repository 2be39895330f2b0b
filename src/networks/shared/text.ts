import { type Amount, parseAmount } from '../../lib/money.ts'

/** Characters that a network accepts in a text, besides unaccented letters, digits and blanks. */
export interface TextRule {
  /** Further characters, such as `-_.,`. */
  punctuation: string
  /** Maximum length in characters. */
  max: number
  /** The text where nothing is left. */
  otherwise: string
}

/**
 * Make a text that a network with few characters accepts: accents and apostrophes are dropped, any other character
 * becomes a blank, and a text that is too long is cut. `Mama's café (Nakawa)` becomes `Mamas cafe Nakawa`.
 */
export function plainText(text: string, { punctuation, max, otherwise }: TextRule): string {
  const kept = [...text.normalize('NFKD').replace(DROPPED, '')].map((character) =>
    ALPHANUMERIC.test(character) || punctuation.includes(character) ? character : ' ',
  )
  return kept.join('').replace(/ +/g, ' ').trim().slice(0, max).trim() || otherwise
}

/** Accents that normalization has taken off their letters, and the forms of the apostrophe. */
const DROPPED = /[\u0300-\u036f'\u2018\u2019\u02bc`]/g
const ALPHANUMERIC = /^[A-Za-z0-9]$/

/**
 * Above this, a JSON number in the memory of JavaScript is no longer exact to the ten-thousandth. Below it, its shortest decimal
 * text is the amount that the network wrote.
 */
const LARGEST_EXACT = 1e11

/**
 * Read an amount of a JSON answer exactly, be it a text or a number. Undefined: it is no plain decimal, or not exact.
 */
export function readJsonAmount(value: unknown): Amount | undefined {
  if (typeof value === 'string') return value.length > 40 ? undefined : parseAmount(value.trim())
  return typeof value === 'number' && Math.abs(value) < LARGEST_EXACT ? parseAmount(String(value)) : undefined
}
