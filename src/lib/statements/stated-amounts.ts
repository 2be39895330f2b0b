import { type Amount, parseAmount } from '../money.ts'

/** Content of an amount's cell; the sum has the sign of the file. */
export interface StatedAmount {
  amount: Amount
  /** The code of a currency beside it, if there is one. */
  currency: string | null
}

/**
 * Reads an amount as portals and spreadsheets write it: `1,500.50`, `1 500,50`, `KES 1,500`, `(1,500.00)`, `1,500.00-`,
 * `500 DR`. Amounts in brackets are below zero.
 * @param is_number true if a spreadsheet has it as a number: then a point stands before the decimals
 * @returns undefined for a text that is no amount, or may be two amounts: `1.500`
 */
export function readStatedAmount(text: string, is_number = false): StatedAmount | undefined {
  if (is_number) {
    const amount = parseAmount(text)
    return amount === undefined ? undefined : { amount, currency: null }
  }
  if (text.length > MAX_LENGTH) return undefined
  let rest = text.replace(SIGNS, '').replace(MINUS, '-').replace(BLANKS, ' ').trim()
  const in_brackets = /^\(.*\)$/.test(rest)
  if (in_brackets) rest = rest.slice(1, -1)
  const [currency, number] = takeWords(rest)
  if (number === undefined) return undefined
  const sides = SIGNED.exec(number)
  const plain = sides && toPlainNumber(sides[2]!)
  const amount = plain ? parseAmount(plain) : undefined
  if (!sides || amount === undefined) return undefined
  const minus = [in_brackets, sides[1] === '-', sides[3] === '-'].filter(Boolean).length
  // Two signs say the same thing: (-500) is 500 below zero.
  return { amount: minus > 0 || / DR$/i.test(` ${rest}`) ? -amount : amount, currency }
}

const MAX_LENGTH = 60
/** Signs that are not seen, and marks of currencies that are no code. */
const SIGNS = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff'"₦₵$€£]|\/[=-]$/g
const BLANKS = /[\s\u00a0\u202f]+/g
const MINUS = /[\u2010-\u2015\u2212]/g
const SIGNED = /^([+-]?)(.*?)(-?)$/
const WORDS = /^([a-z]{1,3}\.?)? ?([+-]?[\d., ]+-?) ?([a-z]{1,3}\.?)?$/i

/** Takes the code of the currency, and returns it with the rest without words. */
function takeWords(text: string): [string | null, string | undefined] {
  const [, sign = '', bare = '', minus = ''] = SIGNED.exec(text) ?? []
  const parts = WORDS.exec(bare)
  if (!parts) return [null, undefined]
  const words = [parts[1], parts[3]].flatMap((word) => (word ? [word.replace('.', '').toUpperCase()] : []))
  const number = `${sign}${parts[2]!.trim()}${minus}`
  if (words.some((word) => !KNOWN_WORDS.has(word) && !CODE.test(word))) return [null, undefined]
  return [words.find((word) => CODE.test(word) && !KNOWN_WORDS.has(word)) ?? null, number]
}

const CODE = /^[A-Z]{3}$/
/** Words beside an amount that are no code of a currency. */
const KNOWN_WORDS = new Set(['CR', 'DR', 'KSH', 'USH', 'TSH', 'SH', 'N', 'K', 'FR', 'GH', 'FCF', 'R'])

const GROUPED = /^\d{1,3}(?:([,. ])\d{3})+$/
const WITH_DECIMALS = /^(\d{1,3}(?:([,. ])\d{3})*|\d+)([.,])(\d{1,4})$/

/** A number without separators of thousands, and with a point before its decimals. */
function toPlainNumber(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  const grouped = GROUPED.exec(text)
  if (grouped) {
    const groups = text.split(grouped[1]!)
    // `1,500` has thousands everywhere; `1.500` may be one and a half.
    return grouped[1] === '.' && groups.length === 2 ? undefined : groups.join('')
  }
  const parts = WITH_DECIMALS.exec(text)
  if (!parts) return undefined
  const [, whole, separator, point, decimals] = parts
  if (separator === point) return undefined
  // A comma stands before one or two decimals, where it is no separator of thousands.
  if (point === ',' && decimals!.length > 2) return undefined
  return `${separator === undefined ? whole : whole!.replaceAll(separator, '')}.${decimals}`
}
