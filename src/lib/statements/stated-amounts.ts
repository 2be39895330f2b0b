import { type Amount, parseAmount } from '../money.ts'

/** Content of an amount's cell; the sum has the sign of the file. */
export interface StatedAmount {
  amount: Amount
  /** The code of a currency beside it, if there is one. */
  currency: string | null
}

/**
 * Reads an amount as portals and spreadsheets write it: `1,500.50`, `1 500,50`, `1,50,000.00`, `KES 1,500`, `1 500 F CFA`,
 * `(1,500.00)`, `1,500.00-`, `500Dr`. Amounts in brackets and debits are below zero.
 * @param is_number true if a spreadsheet has it as a number: then a point stands before the decimals
 * @returns undefined for a text that is no amount, or may be two amounts: `1.500`
 */
export function readStatedAmount(text: string, is_number = false): StatedAmount | undefined {
  if (is_number) {
    const amount = parseAmount(text)
    return amount === undefined ? undefined : { amount, currency: null }
  }
  if (text.length > MAX_LENGTH) return undefined
  const parts = takeApart(text.replace(SIGNS, '').replace(MINUS, '-').replace(BLANKS, ' ').trim())
  const plain = parts && toPlainNumber(parts.number)
  const amount = plain === undefined ? undefined : parseAmount(plain)
  if (!parts || amount === undefined) return undefined
  const [currency = null, ...others] = new Set(parts.words.flatMap((word) => readCurrency(word) ?? []))
  return others.length > 0 ? undefined : { amount: parts.is_below ? -amount : amount, currency }
}

/**
 * Returns the code of the currency that a text names. Null for an empty one, and for a mark that several currencies have,
 * such as `FCFA`.
 */
export function readCurrency(text: string): string | null {
  const mark = plainWord(text)
  return Object.hasOwn(MARKS, mark) ? MARKS[mark]! : text.trim().toUpperCase() || null
}

const MAX_LENGTH = 60
/** Signs that are not seen, and marks of currencies that are no code. */
const SIGNS = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff'’₦₵$€£]|\/[=-]$/g
const BLANKS = /[\s\u00a0\u202f]+/g
const MINUS = /[\u2010-\u2015\u2212]/g

/** An amount without its signs and words. Two signs say the same thing: (-500) is 500 below zero. */
interface AmountParts {
  number: string
  words: string[]
  is_below: boolean
}

/** Takes brackets, signs and words off both ends, in any order: `KES (1,500)`, `-KES 1,500`, `500Dr.`. */
function takeApart(text: string): AmountParts | undefined {
  let number = text
  const pieces: string[] = []
  while (!/^\d(?:.*\d)?$/.test(number)) {
    const found = (BRACKETS.exec(number) ?? FIRST_PIECE.exec(number) ?? LAST_PIECE.exec(number))?.groups
    if (!found || pieces.length === MAX_PIECES) return undefined
    pieces.push(found.piece!)
    number = found.rest!
  }
  const words = pieces.filter((piece) => /[a-z]/i.test(piece)).map(plainWord)
  if (words.some((word) => !Object.hasOwn(MARKS, word) && !CODE.test(word))) return undefined
  return { number, words, is_below: words.includes('DR') || pieces.some((piece) => /^[(-]$/.test(piece)) }
}

/** More pieces than an amount has. */
const MAX_PIECES = 4
const BRACKETS = /^(?<piece>\() ?(?<rest>.*?) ?\)$/
const FIRST_PIECE = /^(?<piece>[+-]|(?:f cfa|[a-z]{1,4})\.?) ?(?<rest>.+)$/i
const LAST_PIECE = /^(?<rest>.+?) ?(?<piece>-|(?:f cfa|[a-z]{1,4})\.?)$/i

const plainWord = (word: string) => word.replace(/[\s.]/g, '').toUpperCase()

const CODE = /^[A-Z]{3}$/
/** Words beside an amount that are no code of a currency, with the code that they mean for certain. */
const MARKS: Readonly<Record<string, string | null>> = {
  CR: null,
  DR: null,
  N: null,
  K: null,
  R: null,
  F: null,
  FR: null,
  FRS: null,
  CFA: null,
  FCF: null,
  FCFA: null,
  GH: null,
  GHC: null,
  SH: null,
  SHS: null,
  KSH: 'KES',
  KSHS: 'KES',
  USH: 'UGX',
  USHS: 'UGX',
  TSH: 'TZS',
  TSHS: 'TZS',
  FRW: 'RWF',
}

const GROUPED = /^[1-9]\d{0,2}([,. ])\d{3}(?:\1\d{3})*$/
/** In the manner of India: two digits between commas, and three at the end. */
const GROUPED_BY_TWO = /^([1-9]\d?(?:,\d\d)+,\d{3})(\.\d{1,4})?$/
const WITH_DECIMALS = /^([1-9]\d{0,2}([,. ])\d{3}(?:\2\d{3})*|\d+)([.,])(\d{1,4})$/

/** A number without separators of thousands, and with a point before its decimals. */
function toPlainNumber(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  if (GROUPED_BY_TWO.test(text)) return text.replaceAll(',', '')
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
