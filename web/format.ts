import { parseAmount } from '../src/lib/money.ts'
import { amountText, moneyText } from '../src/lib/text/amount-texts.ts'
import type { StateNoun } from './texts/agreement.ts'
import { findWord, language, locale, t } from './texts/index.ts'

/** Format the wire's `1500.5000` as `UGX 1,500.50`, in French as `1 500,50 UGX`. */
export function formatMoney(amount: string, currency?: string): string {
  const sum = parseAmount(amount) ?? 0n
  return (currency ? moneyText(sum, currency, language) : amountText(sum, language)).replace('-', '−')
}

/** A value with its name, such as `Fee: UGX 100`. Signs between words have other spaces in other languages. */
export function formatPair(name: string, value: string): string {
  return t('parts.pair', { name, value })
}

/** Parts in one line, such as `Fee: UGX 100; Limit: UGX 5,000`. */
export function joinParts(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((first, next) => t('parts.both', { first, next }))
}

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 })

/** Format 1.5 and the wire's `1.5000` as `1.5%`, as the language writes percentages. */
export function formatPercent(percent: string | number): string {
  return percentFormat.format(Number(percent) / 100)
}

/** Time zone for shown times: the organization's, or before sign-in the browser's. */
let shown_zone: string | undefined

/** Show times in this time zone from now on; undefined: in the browser's. */
export function showTimesIn(time_zone: string | undefined): void {
  shown_zone = time_zone
}

/** Return the name of the browser's time zone, if its clocks differ from the organization's. */
export function otherBrowserZone(at = new Date()): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const clock = (zone: string | undefined) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone: zone }).format(at)
  return shown_zone !== undefined && clock(shown_zone) !== clock(timeZone) ? timeZone : undefined
}

/** A way to write times of the interface, in any of their forms, in the time zone of the organization. */
export function timeFormat(options: Intl.DateTimeFormatOptions): (wire: string, time_zone?: string) => string {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return (wire, time_zone = shown_zone) => {
    const format = formats.get(time_zone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: time_zone })
    formats.set(time_zone, format)
    const date = readTime(wire)
    return date ? format.format(date) : wire
  }
}

/** Format a time of the interface. */
export const formatTime = timeFormat({ dateStyle: 'medium', timeStyle: 'medium' })

const wallClocks = new Map<string | undefined, Intl.DateTimeFormat>()

/** Return the organization's local time, as a date that shows the same in UTC. For files, whose times have no zone. */
export function wallClock(at: Date): Date {
  const format =
    wallClocks.get(shown_zone) ??
    new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      timeZone: shown_zone,
    })
  wallClocks.set(shown_zone, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')))
}

/** Format the day of a time of the interface. */
export const formatDay = timeFormat({ dateStyle: 'medium' })

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** Format a day such as `2030-01-31`, which is the same day everywhere. */
export function formatDate(day: string): string {
  return dateFormat.format(new Date(`${day}T00:00:00Z`))
}

const monthFormat = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', timeZone: 'UTC' })

/** Format a month such as `2030-01`. */
export function formatMonth(month: string): string {
  return monthFormat.format(new Date(`${month}-01T00:00:00Z`))
}

const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })

/** `UG` → `Uganda`, in the language of the console. */
export function countryName(code: string): string {
  return regions.of(code) ?? code
}

/** Read `2030-01-31T12:00:00Z`, and `2030-01-31 12:00:00.000000+00:00` as expiry dates are written. */
export function readTime(wire: string): Date | undefined {
  const date = new Date(wire.replace(/^(\d{4}-\d\d-\d\d) /, '$1T').replace(/(\.\d{3})\d+/, '$1'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/**
 * Return the word for a code of the interface. A code without a word, such as `two_words`, is shown as `Two words`.
 * @param noun the noun with which the word agrees: an invoice is `Émise`
 */
export function formatWord(code: string, noun?: StateNoun): string {
  const word = findWord(code, noun)
  if (word !== undefined) return word
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const millisecondFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' })

/** Format 9 as `9 ms`, as the language writes milliseconds. */
export function formatMilliseconds(count: number): string {
  return millisecondFormat.format(count)
}

const compactFormat = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 })

/** Format 1,950,000 as `1.95M`, for the axes of charts. */
export function formatCompact(value: number): string {
  return compactFormat.format(value)
}

export function formatCount(count: number): string {
  return count.toLocaleString(locale)
}
