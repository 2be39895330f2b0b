import { timeOfDayIn } from '../text/time-zones.ts'

/** First part of a date such as `05/06/2026`. */
export const dateOrders = ['day', 'month'] as const
export type DateOrder = (typeof dateOrders)[number]

/** A date as it is written: the clock of some place, or a moment where it names its distance from UTC. */
interface WrittenDate {
  year: number
  /**
   * First two numbers of a date. With the month in digits behind or before the day, `first` and `second` are undecided.
   */
  first: number
  second: number
  order: DateOrder | null
  time: string
  offset_ms: number | null
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** French months that do not begin as the English ones. */
const FRENCH: Readonly<Record<string, number>> = { fév: 2, fev: 2, avr: 4, mai: 5, jui: 6, aoû: 8, aou: 8, déc: 12 }

const TIME =
  /^(?:,|t|at |à |- )? ?(\d{1,2})[:.h](\d\d)(?:[:.](\d\d)(?:[.,]\d{1,9})?)? ?(a\.?m\.?|p\.?m\.?)? ?(z|utc|gmt|eat|cat|wat|sast)? ?([+-]\d{1,2}(?::?\d\d)?)?$/
/** The distances of zones that portals name by letters, in hours. */
const ZONES: Readonly<Record<string, number>> = { z: 0, utc: 0, gmt: 0, wat: 1, cat: 2, sast: 2, eat: 3 }

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(.*)$/
const DIGITS = /^(20\d\d)(\d\d)(\d\d)(?:t?(\d\d)(\d\d)(\d\d))?$/
const TWO_NUMBERS = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d\d)(?!\d)(.*)$/
const DAY_MONTH =
  /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th|er)?[-/. ]{0,3}(\p{L}{3,9})\.?[-/., ]{0,3}(\d{4}|\d\d)(?!\d)(.*)$/u
const MONTH_DAY = /^(?:[a-z]{3,9},? )?(\p{L}{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(.*)$/u

const MAX_LENGTH = 60

/** Returns the order that a date proves. Undefined for a text that is no date. */
export function orderOf(text: string): DateOrder | 'both' | undefined {
  const date = readWritten(text)
  if (!date) return undefined
  if (date.order !== null || date.first === date.second) return 'both'
  if (date.first > 12) return 'day'
  return date.second > 12 ? 'month' : undefined
}

/** True if either number of a date can be the month. */
export function isUndecided(text: string): boolean {
  const date = readWritten(text)
  return (
    date !== undefined && date.order === null && date.first !== date.second && date.first <= 12 && date.second <= 12
  )
}

/**
 * Reads a date as portals write it: `28-11-2026 12:00:01`, `28/11/26 12:00 PM`, `28-NOV-2026  19:57:32`, `Nov 28,
 * 2026`, `2026-11-28 12:00:01.000`, `20261128120001`.
 * @param zone of times that name none
 * @returns the moment in whole seconds; undefined for a text that is no date
 */
export function readStatedDate(text: string, order: DateOrder, zone: string): Date | undefined {
  const date = readWritten(text)
  if (!date) return undefined
  const [day, month] = (date.order ?? order) === 'day' ? [date.first, date.second] : [date.second, date.first]
  const written = `${date.year}-${pad(month)}-${pad(day)}`
  const clock = new Date(`${written}T${date.time}Z`)
  if (Number.isNaN(clock.getTime()) || clock.toISOString().slice(0, 10) !== written) return undefined
  return date.offset_ms === null ? timeOfDayIn(written, date.time, zone) : new Date(clock.getTime() - date.offset_ms)
}

const pad = (number: number) => String(number).padStart(2, '0')

function readWritten(text: string): WrittenDate | undefined {
  const plain = text
    .slice(0, MAX_LENGTH + 1)
    .toLowerCase()
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .trim()
  if (plain.length > MAX_LENGTH) return undefined
  const digits = DIGITS.exec(plain)
  if (digits) {
    const [hours = '00', minutes = '00', seconds = '00'] = digits.slice(4)
    return withTime(digits[1]!, digits[3]!, digits[2]!, { order: 'day', rest: ` ${hours}:${minutes}:${seconds}` })
  }
  const year_first = YEAR_FIRST.exec(plain)
  if (year_first)
    return withTime(year_first[1]!, year_first[4]!, year_first[3]!, { order: 'day', rest: year_first[5]! })
  const numbers = TWO_NUMBERS.exec(plain)
  if (numbers) return withTime(numbers[4]!, numbers[1]!, numbers[3]!, { order: null, rest: numbers[5]! })
  const named = DAY_MONTH.exec(plain)
  if (named) return withTime(named[3]!, named[1]!, monthOf(named[2]!), { order: 'day', rest: named[4]! })
  const month_first = MONTH_DAY.exec(plain)
  if (!month_first) return undefined
  return withTime(month_first[3]!, month_first[2]!, monthOf(month_first[1]!), { order: 'day', rest: month_first[4]! })
}

/** The number of a month by its first letters; empty for a word that is none. */
function monthOf(word: string): string {
  if (word.startsWith('juil')) return '7'
  const month = MONTHS.indexOf(word.slice(0, 3)) + 1 || FRENCH[word.slice(0, 3)]
  return month ? String(month) : ''
}

function withTime(
  year: string,
  first: string,
  second: string,
  { order, rest }: { order: DateOrder | null; rest: string },
): WrittenDate | undefined {
  const time = rest.trim() === '' ? { time: '00:00:00', offset_ms: null } : readTime(rest)
  if (!time || first === '' || second === '') return undefined
  const full_year = Number(year) + (year.length === 2 ? 2000 : 0)
  return { year: full_year, first: Number(first), second: Number(second), order, ...time }
}

/** Reads a time of day with its zone: ` 12:00:01`, `T12:00:01.000+03:00`, ` 12:00 pm`. */
function readTime(text: string): { time: string; offset_ms: number | null } | undefined {
  const parts = TIME.exec(text.trim())
  if (!parts) return undefined
  const [, hour, minute, second = '00', half, letters, offset] = parts
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.startsWith('p') ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && Number(hour) > 12))
    return undefined
  const named = letters === undefined ? undefined : ZONES[letters]! * HOUR_MS
  const distance = offset === undefined ? named : (named ?? 0) + readOffset(offset)
  return { time: `${pad(hours)}:${minute}:${second}`, offset_ms: distance ?? null }
}

const HOUR_MS = 3_600_000

function readOffset(text: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2}?)(?::?(\d\d))?$/.exec(text)!
  return (Number(hours) * HOUR_MS + Number(minutes) * 60_000) * (sign === '-' ? -1 : 1)
}
