/** Writes a timestamp as `YYYY-MM-DDTHH:MM:SSZ`, the form of nearly every date on the wire (interface section 1). */
export function formatTimestamp(date: Date): string {
  const ms = date.getTime()
  return `${dayOf(ms)}T${timeOf(ms)}Z`
}

/** Writes a timestamp as `YYYY-MM-DD HH:MM:SS.ffffff+00:00`, the form of an expiry date (interface section 2.5). */
export function formatExpiry(date: Date): string {
  const ms = date.getTime()
  return `${dayOf(ms)} ${timeOf(ms)}.${millisecondOf(ms)}000+00:00`
}

/**
 * Writes a timestamp as `YYYY-MM-DDTHH:MM:SS.mmmZ`, the form inside payment notifications (interface section 2.8) and
 * of the parameters of statements. It returns the same as `toISOString`, in less than half the time.
 * @throws RangeError for an invalid date
 */
export function formatMilliseconds(date: Date): string {
  const ms = date.getTime()
  return `${dayOf(ms)}T${timeOf(ms)}.${millisecondOf(ms)}Z`
}

/** The dates of days that were written before, by their number since 1970. */
const days = new Map<number, string>()
const MAX_DAYS = 1_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

function dayOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_MS).toISOString().slice(0, -14)
  if (days.size >= MAX_DAYS) days.clear()
  days.set(day, text)
  return text
}

function timeOf(ms: number): string {
  const seconds = Math.floor((ms - Math.floor(ms / DAY_MS) * DAY_MS) / SECOND_MS)
  const minutes = Math.floor(seconds / 60)
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`
}

function millisecondOf(ms: number): string {
  return String(ms - Math.floor(ms / SECOND_MS) * SECOND_MS).padStart(3, '0')
}

/** Removes the milliseconds: `created` and `modified` are stored in whole seconds. */
export function truncateToSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000)
}

/**
 * Reads an expiry or start date (interface section 4.3.1). It takes:
 *
 * - `tomorrow` (in 24 hours),
 * - a span from `now` such as `24 hours`, `2 minutes`, `in 3 days` or `29 days 23 hours`,
 * - `DD/MM/YYYY[ HH:MM[:SS]]` and ISO 8601.
 *
 * A bare date is its midnight; no zone means UTC.
 *
 * Returns undefined for anything else, for days that do not exist, and for dates more than 100 years away.
 */
export function parseTimestamp(text: string, now: Date): Date | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined
  const timestamp = parseDuration(text, now) ?? parseDayFirst(text) ?? parseIso(text)
  return timestamp && Math.abs(timestamp.getTime() - now.getTime()) <= MAX_DISTANCE_MS ? timestamp : undefined
}

/** True if a text has one of the forms that `parseTimestamp` reads, at any distance from now. */
export function isTimestamp(text: string): boolean {
  return (
    text.length <= MAX_TEXT_LENGTH &&
    (parseDuration(text, new Date(0)) ?? parseDayFirst(text) ?? parseIso(text)) !== undefined
  )
}

/**
 * Reads the date of a list filter such as `created_after`: ISO 8601 with `T` or a blank, or `DD/MM/YYYY[ HH:MM[:SS]]`.
 * A bare date is its midnight; no zone means UTC. Returns undefined for anything else.
 */
export function parseFilterDate(text: string): Date | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined
  // A plus sign that was not encoded arrives as a blank: `2030-01-31T10:00:00 03:00`.
  return parseDayFirst(text) ?? parseIso(text.replace(/(:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2'))
}

/**
 * Reads a time in the past: a span before `now` such as `10 minutes ago` or `2 hours`, or a date as
 * `parseFilterDate` reads it. Returns undefined for anything else.
 */
export function parsePastTimestamp(text: string, now: Date): Date | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined
  const span = text.trim()
  if (!/^\d+\s*[a-z]/i.test(span)) return parseFilterDate(text)
  const later = parseTimestamp(/ ago$/i.test(span) ? span.slice(0, -4) : span, now)
  return later && new Date(2 * now.getTime() - later.getTime())
}

/** Reads a date of subscription settings, `DD/MM/YYYY HH:MM:SS` in UTC (interface section 2.7), and no other form. */
export function parseSubscriptionDate(text: string): Date | undefined {
  return text.length <= MAX_TEXT_LENGTH && /:\d\d:\d\d$/.test(text.trim()) ? parseDayFirst(text) : undefined
}

/** Maximum length of a text: longer than any date, and than a span of every unit. */
const MAX_TEXT_LENGTH = 200
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MAX_DISTANCE_MS = 100 * 366 * DAY_MS

/** Part of a span, with its separator from the next. */
const DURATION_PART =
  /(\d{1,10})\s*(?:(s|sec|second)|(min|minute)|(h|hr|hour)|(d|day)|(w|week)|(month)|(year))s?(?:$|\s*,\s*|\s+and\s+|\s+|(?=\d))/y
const DURATION_UNITS_MS = [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS, 7 * DAY_MS]

/** Reads `tomorrow` or a span of one or more parts: `90 minutes`, `29 days 23 hours`, `in 1 day and 2 hours`. */
function parseDuration(text: string, now: Date): Date | undefined {
  const words = text.trim().toLowerCase()
  if (words === 'tomorrow') return new Date(now.getTime() + DAY_MS)
  const span = words.replace(/^in\s+/, '')
  if (!/^\d.*[a-z]$/s.test(span)) return undefined
  let time = now
  for (DURATION_PART.lastIndex = 0; DURATION_PART.lastIndex < span.length; ) {
    const parts = DURATION_PART.exec(span)
    if (!parts) return undefined
    const count = Number(parts[1])
    const unit = parts.slice(2).findIndex((name) => name !== undefined)
    const unit_ms = DURATION_UNITS_MS[unit]
    time = unit_ms ? new Date(time.getTime() + count * unit_ms) : addMonths(time, unit === 5 ? count : count * 12)
  }
  return time
}

/** The same day and time this many months later; the last day of the month where that month is shorter. */
function addMonths(date: Date, months: number): Date {
  const later = new Date(date)
  later.setUTCMonth(date.getUTCMonth() + months)
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0)
  return later
}

const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/i

function parseDayFirst(text: string): Date | undefined {
  const parts = DAY_FIRST.exec(text.trim())
  if (!parts) return undefined
  const [day, month, year, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0))
  return toTimestamp([year!, month!, day!, hour!, minute!, second!, 0], 0)
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|([+-])(\d\d):?(\d\d)?)?)?$/i

function parseIso(text: string): Date | undefined {
  const parts = ISO.exec(text.trim())
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0))
  const millisecond = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
  const [offset_hours, offset_minutes] = [Number(parts[10] ?? 0), Number(parts[11] ?? 0)]
  if (offset_hours > 15 || offset_minutes > 59) return undefined
  const offset_ms = (offset_hours * HOUR_MS + offset_minutes * MINUTE_MS) * (parts[9] === '-' ? -1 : 1)
  return toTimestamp([year!, month!, day!, hour!, minute!, second!, millisecond], offset_ms)
}

type DateParts = [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
]

/** Undefined for a date that does not exist: Date would read 31 February as a day in March, and 24:30 as tomorrow. */
function toTimestamp(
  [year, month, day, hour, minute, second, millisecond]: DateParts,
  offset_ms: number,
): Date | undefined {
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond))
  const exists =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    local.getUTCMinutes() === minute &&
    local.getUTCSeconds() === second
  if (!exists) return undefined
  const timestamp = new Date(local.getTime() - offset_ms)
  // After the year 9999 a year has more than four digits, and neither SQL nor the wire allows that.
  return timestamp.getUTCFullYear() <= 9999 ? timestamp : undefined
}
