import rrule from 'rrule'
import { parseStructured } from '../lib/structured.ts'
import { parseSubscriptionDate } from '../lib/time.ts'

const { RRule } = rrule

/** The frequencies of interface 2.7. */
export const frequencies = ['yearly', 'monthly', 'weekly', 'daily', 'hourly', 'minutely'] as const
export type Frequency = (typeof frequencies)[number]

/** A recurrence that has been read: all times UTC; an empty list of weekdays or months means every one. */
export interface Recurrence {
  start: Date
  end: Date
  /** 0 is Monday, as in RFC 5545's week. */
  weekdays: number[]
  /** 1 is January. */
  months: number[]
  frequencies: Frequency[]
}

/** A plan may have at most this many occurrences (decisions 4.3). */
export const MOST_OCCURRENCES = 10_000

/**
 * The first date of a new plan, or what is wrong with its settings (interface 2.7).
 * @param requested the request's own `start_date`; it and the one in the settings must agree when both are given.
 */
export function firstOccurrence(settings: unknown, requested: Date | null, now: Date): Date | string[] {
  const recurrence = readRecurrence(settings, requested, now)
  if (Array.isArray(recurrence)) return recurrence
  let first: Date | undefined
  let count = 0
  for (const date of occurrences(recurrence)) {
    first ??= date
    count += 1
    if (count > MOST_OCCURRENCES)
      return [
        `The settings give more than ${MOST_OCCURRENCES.toLocaleString('en')} dates. Choose a lower frequency or an earlier end_date.`,
      ]
  }
  return first ?? ['The settings give no date between start_date and end_date.']
}

/** Reads `subscription_settings`, an object or a JSON text of one; an array tells what is wrong with it. */
export function readRecurrence(settings: unknown, requested: Date | null, now: Date): Recurrence | string[] {
  const object = parseStructured(settings)
  if (!object) return ['Expected a dictionary of items, or a JSON text of one.']
  const faults: string[] = []
  const start = readDate(object, 'start_date', faults) ?? requested ?? now
  const end = readDate(object, 'end_date', faults)
  if (end === null && faults.length === 0) faults.push('end_date: This field is required.')
  const weekdays = readNames(object, 'weekdays', WEEKDAYS, faults)
  const months = readNames(object, 'months', MONTHS, faults).map((month) => month + 1)
  const chosen = readNames(object, 'frequency', frequencies, faults).map((index) => frequencies[index]!)
  if (faults.length > 0 || !end) return faults
  if (object.start_date && start <= now) faults.push('start_date: The start date must be in the future.')
  if (object.start_date && requested && requested.getTime() !== start.getTime())
    faults.push("start_date: This differs from the request's own start_date.")
  if (end <= start) faults.push('end_date: The end date must be later than the start date.')
  const implied: Frequency[] = weekdays.length > 0 ? ['daily'] : months.length > 0 ? ['monthly'] : []
  if (chosen.length === 0 && implied.length === 0)
    faults.push('frequency: This field is required without weekdays or months.')
  if (faults.length > 0) return faults
  return { start, end, weekdays, months, frequencies: chosen.length > 0 ? chosen : implied }
}

/** The dates of a recurrence in order, each once, from its start to its end. Several frequencies unite their dates. */
export function* occurrences(recurrence: Recurrence): Generator<Date> {
  const sources = recurrence.frequencies.map((frequency) => datesOf(recurrence, frequency))
  const heads = sources.map((source) => source.next())
  for (;;) {
    const waiting = heads.flatMap((head) => (head.done ? [] : [head.value.getTime()]))
    if (waiting.length === 0) return
    const next = Math.min(...waiting)
    yield new Date(next)
    heads.forEach((head, index) => {
      if (!head.done && head.value.getTime() === next) heads[index] = sources[index]!.next()
    })
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
const STEP_MS = { hourly: 60 * MINUTE_MS, minutely: MINUTE_MS }

function* datesOf(recurrence: Recurrence, frequency: Frequency): Generator<Date> {
  if (frequency === 'hourly' || frequency === 'minutely') yield* timesWithinDays(recurrence, STEP_MS[frequency])
  else yield* calendarDates(recurrence, frequency)
}

/** The calendar itself is rrule's work (RFC 5545). It yields lazily, so that an endless plan is noticed early. */
function* calendarDates(recurrence: Recurrence, frequency: Exclude<Frequency, 'hourly' | 'minutely'>): Generator<Date> {
  const { start, end, weekdays } = recurrence
  const monthly = frequency === 'monthly' || frequency === 'yearly'
  const day = start.getUTCDate()
  const months =
    frequency === 'yearly' && recurrence.months.length === 0 ? [start.getUTCMonth() + 1] : recurrence.months
  const rule = new RRule({
    // Yearly is "in these months": as a monthly rule it can fall back to the last day of a shorter month.
    freq: { yearly: RRule.MONTHLY, monthly: RRule.MONTHLY, weekly: RRule.WEEKLY, daily: RRule.DAILY }[frequency],
    dtstart: start,
    until: end,
    bymonth: months.length > 0 ? months : null,
    byweekday: weekdays.length > 0 ? weekdays : null,
    ...(monthly && weekdays.length === 0 ? lastDayUpTo(day) : {}),
  })
  let after = start
  let inclusive = true
  for (;;) {
    const next = rule.after(after, inclusive)
    if (!next) return
    yield next
    after = next
    inclusive = false
  }
}

/** The 31st means the last day of a shorter month: of the days that exist, the last that is not beyond it. */
function lastDayUpTo(day: number) {
  if (day <= 28) return { bymonthday: [day] }
  return { bymonthday: [28, 29, 30, 31].filter((one) => one <= day), bysetpos: [-1] }
}

/** Hours and minutes are counted within the days that the calendar allows, so that a far month costs no counting. */
function* timesWithinDays(recurrence: Recurrence, step_ms: number): Generator<Date> {
  const midnight = new Date(recurrence.start)
  midnight.setUTCHours(0, 0, 0, 0)
  const offset_ms = (recurrence.start.getTime() - midnight.getTime()) % step_ms
  for (const day of calendarDates({ ...recurrence, start: midnight }, 'daily'))
    for (let time = day.getTime() + offset_ms; time < day.getTime() + 24 * 60 * MINUTE_MS; time += step_ms) {
      if (time > recurrence.end.getTime()) return
      if (time >= recurrence.start.getTime()) yield new Date(time)
    }
}

function readDate(object: Record<string, unknown>, field: string, faults: string[]): Date | null {
  const value = object[field]
  if (value === undefined || value === null || value === '') return null
  const date = typeof value === 'string' ? parseSubscriptionDate(value) : undefined
  if (!date) faults.push(`${field}: Enter a date as DD/MM/YYYY HH:MM:SS (UTC).`)
  return date ?? null
}

/** Comma-separated names in any case; weekdays and months also in their first three letters. */
function readNames(
  object: Record<string, unknown>,
  field: string,
  names: readonly string[],
  faults: string[],
): number[] {
  const value = object[field]
  if (value === undefined || value === null || value === '') return []
  const words = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((word) =>
    word.trim().toLowerCase(),
  )
  const found = words
    .filter((word) => word !== '')
    .map((word) => {
      const index = names.findIndex((name) => name === word || (field !== 'frequency' && name.slice(0, 3) === word))
      if (index < 0) faults.push(`${field}: "${word}" is not a valid choice.`)
      return index
    })
  return [...new Set(found)].sort((a, b) => a - b)
}
