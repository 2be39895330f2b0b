import { getMessage } from '../../../lib/messages/message.ts'
import { parseObject } from '../../../lib/structured-input.ts'
import { clockIn, dayIn, endOfDayIn, startOfDayIn, timeOfDayIn } from '../../../lib/text/time-zones.ts'
import { parseSubscriptionDate, truncateToSecond } from '../../../lib/time.ts'
import { fieldMessages } from '../../fields.ts'

/** The frequencies of interface 2.7. */
export const frequencies = ['yearly', 'monthly', 'weekly', 'daily', 'hourly', 'minutely'] as const
export type Frequency = (typeof frequencies)[number]

/** Recurrence. Its days follow a time zone; an empty list of weekdays or months means all of them. */
export interface Recurrence {
  start: Date
  end: Date
  /** 0 is Monday. */
  weekdays: number[]
  /** 1 is January. */
  months: number[]
  frequencies: Frequency[]
  time_zone: string
}

/** A plan may have at most this many occurrences (interface-gaps: Collection requests). */
export const MAX_OCCURRENCES = 10_000

/** A recurrence and its first date. */
export interface Schedule {
  recurrence: Recurrence
  first: Date
}

/**
 * Reads the settings of a new plan and counts its dates (interface 2.7).
 * @param requested the request's own `start_date`; if the settings have one too, both must be the same
 * @returns the schedule, or a list of faults of the settings
 */
export function readSchedule(
  settings: unknown,
  requested: Date | null,
  { now, time_zone }: { now: Date; time_zone: string },
): Schedule | string[] {
  const recurrence = readRecurrence(settings, requested, { now, time_zone })
  if (Array.isArray(recurrence)) return recurrence
  let first: Date | undefined
  let count = 0
  for (const date of generateOccurrences(recurrence)) {
    first ??= date
    count += 1
    if (count > MAX_OCCURRENCES)
      return [getMessage('requests.many_dates', { max: MAX_OCCURRENCES.toLocaleString('en') })]
  }
  if (!first) return [getMessage('requests.no_date')]
  return { recurrence, first }
}

/** Reads `subscription_settings`, an object or a JSON text of one. Returns a list of faults if it is not valid. */
function readRecurrence(
  settings: unknown,
  requested: Date | null,
  { now, time_zone }: { now: Date; time_zone: string },
): Recurrence | string[] {
  const object = parseObject(settings)
  if (!object) return [getMessage('fields.dictionary')]
  const errors: string[] = []
  // The dates of a plan are whole seconds.
  const fallback = truncateToSecond(requested ?? now)
  const start = readDate(object, 'start_date', errors) ?? fallback
  const end = readDate(object, 'end_date', errors)
  if (end === null && errors.length === 0) errors.push('end_date: This field is required.')
  const weekdays = readNames(object, 'weekdays', WEEKDAYS, errors)
  const months = readNames(object, 'months', MONTHS, errors).map((month) => month + 1)
  const chosen = readNames(object, 'frequency', frequencies, errors).flatMap((index) => frequencies[index] ?? [])
  if (errors.length > 0 || !end) return errors
  if (object.start_date && start <= now) errors.push('start_date: The start date must be in the future.')
  if (requested && fallback.getTime() !== start.getTime())
    errors.push("start_date: This differs from the request's own start_date.")
  if (end <= start) errors.push('end_date: The end date must be later than the start date.')
  const implied: Frequency[] = weekdays.length > 0 ? ['daily'] : months.length > 0 ? ['monthly'] : []
  if (chosen.length === 0 && implied.length === 0)
    errors.push('frequency: This field is required without weekdays or months.')
  if (errors.length > 0) return errors
  return { start, end, weekdays, months, frequencies: chosen.length > 0 ? chosen : implied, time_zone }
}

/**
 * The first date of a recurrence that is later than `after`, or null when there is none. The cost does not grow with the
 * number of earlier dates.
 */
export function nextOccurrence(recurrence: Recurrence, after: Date): Date | null {
  return generateOccurrences(recurrence, after).next().value ?? null
}

/**
 * The dates of a recurrence in order, each once, from its start to its end, or only those later than `after`. With several
 * frequencies it has the dates of all of them.
 */
export function* generateOccurrences(recurrence: Recurrence, after?: Date): Generator<Date, undefined> {
  const floor = Math.max(recurrence.start.getTime(), after ? after.getTime() + 1 : 0)
  const next_dates = recurrence.frequencies.map((frequency) => ({
    frequency,
    time: nextTimeOf(recurrence, frequency, floor),
  }))
  for (;;) {
    const next = Math.min(...next_dates.map(({ time }) => time))
    if (next > recurrence.end.getTime()) return
    yield new Date(next)
    for (const date of next_dates) if (date.time === next) date.time = nextTimeOf(recurrence, date.frequency, next + 1)
  }
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const STEP_MS = { hourly: 60 * MINUTE_MS, minutely: MINUTE_MS }

/**
 * The first date of one frequency that is not earlier than `floor`, in milliseconds; Infinity when it is after the end.
 * Every frequency is a choice of months and of days in them. Then it has one date a day, at the time of day of the start, or
 * one for each hour or minute that passes.
 */
function nextTimeOf(recurrence: Recurrence, frequency: Frequency, floor: number): number {
  const { time_zone, end } = recurrence
  // A day is its midnight in UTC while days are counted.
  const date = new Date(dayIn(new Date(floor), time_zone))
  const start_day = new Date(dayIn(recurrence.start, time_zone))
  while (date.getTime() <= end.getTime() + DAY_MS) {
    if (!matchesMonth(recurrence, frequency, start_day, date)) {
      date.setUTCMonth(date.getUTCMonth() + 1, 1)
      continue
    }
    if (matchesDay(recurrence, frequency, start_day, date)) {
      const next = timeOfDay(recurrence, frequency, date, floor)
      if (next !== undefined) return next
    }
    date.setUTCDate(date.getUTCDate() + 1)
  }
  return Number.POSITIVE_INFINITY
}

/** The first date on a day that is not earlier than `floor`. */
function timeOfDay(
  { start, time_zone }: Recurrence,
  frequency: Frequency,
  date: Date,
  floor: number,
): number | undefined {
  const day = date.toISOString().slice(0, 10)
  if (frequency === 'hourly' || frequency === 'minutely') {
    const step = STEP_MS[frequency]
    const from = Math.max(floor, startOfDayIn(day, time_zone).getTime())
    const next = start.getTime() + Math.ceil((from - start.getTime()) / step) * step
    return next < endOfDayIn(day, time_zone).getTime() ? next : undefined
  }
  // When the clocks go back, the start may be the second of two equal times.
  const is_start = day === dayIn(start, time_zone)
  const next = is_start ? start : timeOfDayIn(day, clockIn(start, time_zone), time_zone)
  return next.getTime() >= floor ? next.getTime() : undefined
}

function matchesMonth({ months }: Recurrence, frequency: Frequency, start_day: Date, date: Date): boolean {
  if (months.length > 0) return months.includes(date.getUTCMonth() + 1)
  return frequency !== 'yearly' || date.getUTCMonth() === start_day.getUTCMonth()
}

/**
 * Weekdays restrict every frequency. Without them the day of the start counts: its day of the week for `weekly`, its day of
 * the month for `monthly` and `yearly`. The 31st means the last day of a shorter month.
 */
function matchesDay({ weekdays }: Recurrence, frequency: Frequency, start_day: Date, date: Date): boolean {
  if (weekdays.length > 0) return weekdays.includes(weekdayOf(date))
  if (frequency === 'weekly') return weekdayOf(date) === weekdayOf(start_day)
  if (frequency === 'monthly' || frequency === 'yearly')
    return date.getUTCDate() === Math.min(start_day.getUTCDate(), daysInMonth(date))
  return true
}

function weekdayOf(date: Date): number {
  return (date.getUTCDay() + 6) % 7
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

function readDate(object: Record<string, unknown>, field: string, errors: string[]): Date | null {
  const value = object[field]
  if (value === undefined || value === null || value === '') return null
  const date = typeof value === 'string' ? parseSubscriptionDate(value) : undefined
  if (!date) errors.push(getMessage('requests.settings_date', { field }))
  return date ?? null
}

/** Comma-separated names, or a list of them, in any case; weekdays and months also in their first three letters. */
function readNames(
  object: Record<string, unknown>,
  field: string,
  names: readonly string[],
  errors: string[],
): number[] {
  const value = object[field]
  if (value === undefined || value === null) return []
  const given: unknown[] = Array.isArray(value) ? value : [value]
  // Only a text has names: an object may have a `toString` of its own that is no function.
  const texts = given.filter((item) => typeof item === 'string')
  if (texts.length < given.length) errors.push(getMessage('requests.settings_names', { field }))
  const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim().toLowerCase())
  const found = words
    .filter((word) => word !== '')
    .map((word) => {
      const index = names.findIndex((name) => name === word || (field !== 'frequency' && name.slice(0, 3) === word))
      if (index < 0) errors.push(`${field}: ${fieldMessages.choice(word, names)}`)
      return index
    })
  return [...new Set(found)].sort((a, b) => a - b)
}
