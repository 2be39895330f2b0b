import { type Amount, parseDisplayedAmount } from '../../lib/money.ts'
import { callingCode, cleanPhoneText } from '../../lib/phone.ts'
import { parseNumber } from '../documents/series.ts'
import { keysOfNumber } from '../numbers/keys.ts'

/**
 * Possible meanings of a search text. Most texts have several: `1500` is an id, an amount and a part of a phone number.
 */
export interface SearchTerms {
  /** The text without blanks at its ends. */
  text: string
  /** The id of an object. */
  id?: number
  /** An exact amount; in any currency if none was given. */
  amount?: { value: Amount; currency: string | null }
  phone?: PhoneTerms
  /** The words of a name, each perhaps only the beginning. */
  words: string[]
  /** The numbers of documents. */
  receipt?: number
  invoice?: number
  /** Keys of a customer number, and the key with which a longer one may begin. */
  number?: { exact: string[]; beginning: string }
  /** A text that is compared as a whole: as typed, in capitals, and with a capital at the beginning. */
  exact: string[]
}

/** The ways to read digits as a phone number, or as a part of one. */
export interface PhoneTerms {
  /** Prefixes of a number, in E.164: `0772` in Uganda is `+256772`. */
  prefixes: string[]
  /** Digits anywhere in the number. Null for less than four. */
  part: string | null
  /** The digits as they were typed. */
  digits: string
}

/** The longest text that is searched for. */
export const MAX_SEARCH_LENGTH = 100
const MIN_PART = 4
const MAX_PHONE_DIGITS = 15
/** A text with blanks is no id of a network, and no reference is shorter. */
const MIN_EXACT = 3

/**
 * Reads a typed search text.
 * @param countries the countries of the organization and of its wallets (ISO 3166-1), which decide the meaning of
 *   `0772`
 */
export function readSearch(typed: string, countries: readonly string[]): SearchTerms {
  const text = typed.trim().slice(0, MAX_SEARCH_LENGTH)
  return {
    text,
    ...readId(text),
    ...readAmount(text),
    ...readPhone(cleanPhoneText(text), countries),
    ...readDocument(text),
    ...readNumber(text),
    words: readWords(text),
    exact: text.length < MIN_EXACT ? [] : [...new Set([text, text.toUpperCase(), capitalize(text)])],
  }
}

function readId(text: string): Pick<SearchTerms, 'id'> {
  const [, digits] = /^#?(\d{1,16})$/.exec(text) ?? []
  return digits === undefined || Number(digits) === 0 ? {} : { id: Number(digits) }
}

/** `1,500`, `1500.50`, `UGX 1500` and `1500 ugx`. */
function readAmount(text: string): Pick<SearchTerms, 'amount'> {
  const [, before, number, after] = /^([a-z]{3})?\s*(\d[\d,]{0,18}(?:\.\d{1,4})?)\s*([a-z]{3})?$/i.exec(text) ?? []
  const value = number === undefined || (before && after) ? undefined : parseDisplayedAmount(number)
  if (value === undefined || value <= 0n || value >= MAX_AMOUNT) return {}
  return { amount: { value, currency: (before ?? after)?.toUpperCase() ?? null } }
}

/** Columns of amounts have 15 digits before the point. */
const MAX_AMOUNT = 10n ** 19n

function readPhone(text: string, countries: readonly string[]): Pick<SearchTerms, 'phone'> {
  if (!/^\+?[\d\s().-]+$/.test(text)) return {}
  const digits = text.replace(/\D/g, '')
  if (digits.length < MIN_PART || digits.length > MAX_PHONE_DIGITS) return {}
  const international = text.startsWith('+') ? digits : digits.startsWith('00') ? digits.slice(2) : undefined
  if (international !== undefined) return { phone: { prefixes: [`+${international}`], part: null, digits } }
  const national = digits.replace(/^0/, '')
  const codes = countries.flatMap((country) => callingCode(country) ?? [])
  const local = [...new Set(codes)].map((code) => `+${code}${national}`)
  const prefixes = digits.startsWith('0') ? local : [`+${digits}`, ...local]
  return { phone: { prefixes, part: national.length < MIN_PART ? null : national, digits } }
}

function readDocument(text: string): Pick<SearchTerms, 'receipt' | 'invoice'> {
  const receipt = parseNumber('receipt', text)
  const invoice = parseNumber('invoice', text)
  return { ...(receipt !== undefined && { receipt }), ...(invoice !== undefined && { invoice }) }
}

/** A text with `#` in front is an id. */
function readNumber(text: string): Pick<SearchTerms, 'number'> {
  const keys = text.startsWith('#') ? undefined : keysOfNumber(text)
  return keys ? { number: { exact: [keys.whole, ...keys.joined], beginning: keys.joined[0]! } } : {}
}

/**
 * Separates words as `contact_search_terms` of the database does for contacts. One letter alone would find too many.
 */
function readWords(text: string): string[] {
  const words = text.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word.length > 1)
  return words.some((word) => /\p{L}/u.test(word)) ? words.slice(0, 6) : []
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
