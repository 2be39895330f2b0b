import { getMessage } from './messages/message.ts'
import { type Amount, countDecimals, displayAmount, parseAmount } from './money.ts'
import { FRENCH_MARKS } from './text/amount-texts.ts'
import type { Language } from './text/languages.ts'

/** Amount that a person has typed, or a sentence for this person that tells the fault. */
type TypedAmount = { amount: Amount } | { message: string }

/** Country of the person, and the currency's decimals. */
interface AmountPlace {
  /** ISO 3166-1: whose conventions decide between `1.500` and `1,500`. Null: comma between thousands, point before decimals. */
  country?: string | null
  /** A code or sign of another currency is refused; without it, one of any currency. */
  currency?: string | undefined
  /** Maximum number of decimals of the currency. */
  decimals?: number
}

/**
 * Reads an amount as people type it: `25,000`, `25 000`, `UGX 25,000`, `25,000/=`, `Ksh 1,500.50`, `12'500`,
 * `1,00,000`. A sign that could stand between thousands or before decimals, such as the point of `150.000`, is read as
 * people of the country do. If that leaves it open, it is refused. Nothing is ever rounded.
 */
export function readTypedAmount(text: string, place: AmountPlace = {}): TypedAmount {
  if (text.length > MAX_LENGTH) return { message: UNREADABLE }
  const [number, named] = withoutCurrency(text.replace(INVISIBLE, '').trim())
  if (named !== undefined && place.currency === undefined)
    return { message: getMessage('amounts.without_currency', { currency: named }) }
  if (named !== undefined && named !== place.currency)
    return { message: getMessage('amounts.other_currency', { currency: place.currency, other: named }) }
  const plain = toPlain(number, place)
  const amount = plain === undefined ? undefined : parseAmount(plain)
  if (amount === undefined) return { message: AMBIGUOUS.test(number) ? ambiguous(number) : UNREADABLE }
  if (place.decimals !== undefined && countDecimals(amount) > place.decimals)
    return { message: tooManyDecimals(place.currency ?? 'this currency') }
  return { amount }
}

/** The refusal of an amount that its currency cannot express. */
export function tooManyDecimals(currency: string): string {
  return getMessage('amounts.decimals', { currency })
}

/**
 * Formats the text of a field while a person types an amount: its thousands are separated. A text that was pasted or
 * typed in another way stays as it is, so that no digit changes its meaning unseen.
 * @param before the text that the field showed
 * @param language language of the page
 */
export function groupTypedAmount(text: string, before: string, country?: string | null, language?: Language): string {
  const { between, point } = amountMarks(country, language)
  const group = (typed: string) => {
    const [whole = '', ...decimals] = typed.split(point)
    const digits = whole.replaceAll(between, '')
    if (decimals.length > 1 || !/^[1-9]\d{0,14}$/.test(digits) || whole.endsWith(between)) return typed
    return [displayAmount(BigInt(digits) * 10_000n).replaceAll(',', between), ...decimals].join(point)
  }
  const is_typed = Math.abs(text.length - before.length) === 1 && before === group(before) && !before.endsWith(between)
  return is_typed || /^\d+$/.test(text) ? group(text) : text
}

/** Returns the marks that people write between thousands and before decimals: those of French, else of the country. */
export function amountMarks(country?: string | null, language?: Language): { between: string; point: string } {
  if (language === 'fr') return FRENCH_MARKS
  return isPointed(country) ? { between: '.', point: ',' } : { between: ',', point: '.' }
}

const MAX_LENGTH = 60
const UNREADABLE = getMessage('amounts.unreadable')
const INVISIBLE = /\p{Cf}/gu
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

function ambiguous(number: string): string {
  const digits = number.replace(/[.,]/, '')
  return getMessage('amounts.ambiguous', { number, digits })
}

/** Signs of currencies, and common abbreviations. */
const SIGNS: Readonly<Record<string, string>> = {
  USH: 'UGX',
  SHS: '',
  SH: '',
  KSH: 'KES',
  KSHS: 'KES',
  '₦': 'NGN',
  N: 'NGN',
}
const BEFORE = /^(\p{L}{1,4}|₦)\.?\s{0,3}(?=[+-]?\d)/u
const AFTER = /(?:\/[=-]{1,3}|\p{L}{1,4}\.?|₦)$/u

/** The number alone, and the currency that is named beside it. */
function withoutCurrency(text: string): [number: string, currency: string | undefined] {
  const before = BEFORE.exec(text)
  const rest = before ? text.slice(before[0].length) : text
  const after = AFTER.exec(rest)
  const words = [before?.[1], after?.[0].replace(/[^\p{L}₦]/gu, '')].filter((word) => word)
  const names = words.map((word) => SIGNS[word!.toUpperCase()] ?? word!.toUpperCase())
  if (words.some((_, at) => names[at] !== '' && !/^[A-Z]{3}$/.test(names[at]!))) return ['', undefined]
  return [after ? rest.slice(0, after.index).trimEnd() : rest, names.find((name) => name !== '')]
}

/** Returns a plain decimal, `1500.5`; undefined for a text that is no number or can be read in two ways. */
function toPlain(number: string, { country }: AmountPlace): string | undefined {
  const text = number.replace(/(?<=\d)[\s'’_](?=\d{3}(?!\d))/gu, '')
  if (/^[+-]?\d+(?:\.\d{0,2}|\.\d{4,})?$/.test(text)) return text
  const marks = new Set(text.replace(/[^.,]/g, ''))
  const last = text.at(Math.max(text.lastIndexOf('.'), text.lastIndexOf(',')))
  if (marks.size === 2) {
    const between = last === '.' ? ',' : '.'
    const [whole, decimals, ...more] = text.split(last!)
    if (more.length > 0 || !isGrouped(whole!, between)) return undefined
    return `${whole!.replaceAll(between, '')}.${decimals}`
  }
  const [mark] = marks
  if (mark === undefined) return undefined
  const parts = text.split(mark)
  if (parts.length > 2) return isGrouped(text, mark) ? parts.join('') : undefined
  // Nobody separates the thousands of nothing.
  if (/^[+-]?0+$/.test(parts[0]!) && /^\d+$/.test(parts[1]!)) return parts.join('.')
  const thousands = isPointed(country) ? '.' : ','
  if (/^[+-]?[1-9]\d{0,2}$/.test(parts[0]!) && /^\d{3}$/.test(parts[1]!))
    return mark === thousands ? parts.join('') : undefined
  return mark === ',' && /^\d{1,2}$/.test(parts[1]!) && /^[+-]?\d+$/.test(parts[0]!) ? parts.join('.') : undefined
}

const GROUPED_BY_POINTS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$/
/** Groups of three, and in the manner of India two before the last three: `1,00,000`. */
const GROUPED_BY_COMMAS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$|^[+-]?[1-9]\d?(?:,\d{2})+,\d{3}$/

function isGrouped(text: string, between: string): boolean {
  return (between === '.' ? GROUPED_BY_POINTS : GROUPED_BY_COMMAS).test(text)
}

/** True if people of a country write `25.000` for 25,000. */
function isPointed(country: string | null | undefined): boolean {
  if (!country) return false
  const known = pointed.get(country)
  if (known !== undefined) return known
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  const parts = new Intl.NumberFormat(`${language}-${country}`).formatToParts(25_000_000)
  const is_pointed = parts.find(({ type }) => type === 'group')?.value === '.'
  pointed.set(country, is_pointed)
  return is_pointed
}

const pointed = new Map<string, boolean>()
