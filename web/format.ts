import { displayAmount, parseAmount, shortAmount } from '../src/lib/money.ts'
import { findWord, locale } from './texts/index.ts'

/** Formats the wire's `1500.5000` as `UGX 1,500.50`, as everywhere else. */
export function formatMoney(amount: string, currency?: string): string {
  const number = displayAmount(parseAmount(amount) ?? 0n).replace('-', '−')
  return currency ? `${currency} ${number}` : number
}

/** Formats the wire's `1.5000` as `1.5 %`. */
export function formatPercent(percent: string): string {
  return `${shortAmount(parseAmount(percent) ?? 0n)} %`
}

const timestampFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

/** Formats a time of the interface, in any of its forms, in the time zone of the browser. */
export function formatTime(wire: string): string {
  const date = readTime(wire)
  return date ? timestampFormat.format(date) : wire
}

export function formatDay(wire: string): string {
  const date = readTime(wire)
  return date ? dayFormat.format(date) : wire
}

/** Reads `2030-01-31T12:00:00Z`, and `2030-01-31 12:00:00.000000+00:00` as expiry dates are written. */
export function readTime(wire: string): Date | undefined {
  const date = new Date(wire.replace(/^(\d{4}-\d\d-\d\d) /, '$1T').replace(/(\.\d{3})\d+/, '$1'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The word for a code of the interface. A code without a word, such as `two_words`, is shown as `Two words`. */
export function formatWord(code: string): string {
  const word = findWord(code)
  if (word !== undefined) return word
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function formatCount(count: number): string {
  return count.toLocaleString(locale)
}
