import { Temporal } from 'temporal-polyfill'

/*
 * Days and times of day in a time zone of the IANA database. A day there has 23 or 25 hours when the clocks change, and
 * may begin at 01:00 (Africa/Cairo). Only the rules of Node are asked: those of PostgreSQL may have another age, or lack
 * names that Node knows. A day is a text such as `2030-01-31`.
 */

/** Default of organizations that have chosen none. */
export const DEFAULT_TIME_ZONE = 'UTC'

/**
 * Returns the name of a time zone as the IANA database writes it: `africa/kampala` becomes `Africa/Kampala`.
 * @returns undefined for other texts, also for a distance from UTC such as `+03:00`
 */
export function readTimeZone(text: string): string | undefined {
  const name = text.trim()
  if (!ZONE_NAME.test(name)) return undefined
  const known = timeZones().find((one) => one.toLowerCase() === name.toLowerCase())
  if (known !== undefined) return known
  try {
    // Names of earlier editions, such as Asia/Kolkata or Asia/Calcutta: one of the two is not in the list.
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return undefined
  }
}

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/

/** The names of all time zones that can be chosen, UTC first. */
export function timeZones(): readonly string[] {
  names ??= [DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf('timeZone').filter((name) => name !== DEFAULT_TIME_ZONE)]
  return names
}

let names: readonly string[] | undefined

/** The day of a moment in a time zone. */
export function dayIn(at: Date, time_zone: string): string {
  return wallClock(at, time_zone).slice(0, 10)
}

/** The time of day that the clocks of a time zone show: `09:00:30`. Parts of a second are left out. */
export function clockIn(at: Date, time_zone: string): string {
  return wallClock(at, time_zone).slice(11, 19)
}

/**
 * Returns the beginning of a day in a time zone: midnight, or when the clocks leave out midnight, the first moment
 * after it.
 */
export function startOfDayIn(day: string, time_zone: string): Date {
  return (
    readSteadyTime(`${day}T00:00:00Z`, time_zone) ??
    new Date(Temporal.PlainDate.from(day).toZonedDateTime(time_zone).epochMilliseconds)
  )
}

/** Returns the end of a day in a time zone: the start of the next one, which does not belong to it. */
export function endOfDayIn(day: string, time_zone: string): Date {
  return startOfDayIn(addDays(day, 1), time_zone)
}

/**
 * Returns the moment when the clocks of a time zone show a time of a day. A time that they leave out is as much later
 * as they jump; of a time that they show twice it is the first.
 * @param time such as `09:00:00`
 */
export function timeOfDayIn(day: string, time: string, time_zone: string): Date {
  return (
    readSteadyTime(`${day}T${time}Z`, time_zone) ??
    new Date(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(time_zone).epochMilliseconds)
  )
}

/** Adds days to a day; a negative number gives an earlier day. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The day that a text such as `2030-01-31` names; undefined for other texts, and for days that do not exist. */
export function isoDay(text: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

/** The day that a person has typed, `2030-01-31` or `31/1/2030`; undefined as for `isoDay`. */
export function typedDay(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? []
  return isoDay(day ? `${year}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}` : text.trim())
}

/**
 * Reads a typed day or time without zone, for people of a time zone: `31/12/2030`, `2030-12-31 18:00`. Undefined for
 * other texts, such as a time with a zone.
 * @param bare meaning of a day alone: its first moment, or its last second
 */
export function typedTimeIn(text: string, time_zone: string, bare: 'start' | 'end' = 'start'): Date | undefined {
  const [date = '', clock, ...more] = text.trim().split(/[T ]+/)
  const day = typedDay(date)
  if (day === undefined || more.length > 0) return undefined
  if (clock === undefined)
    return bare === 'start' ? startOfDayIn(day, time_zone) : new Date(endOfDayIn(day, time_zone).getTime() - 1_000)
  const [, hour, minutes, seconds = ':00'] = /^([01]?\d|2[0-3])(:[0-5]\d)(:[0-5]\d)?$/.exec(clock) ?? []
  return hour === undefined ? undefined : timeOfDayIn(day, `${hour.padStart(2, '0')}${minutes}${seconds}`, time_zone)
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** Returns the display of the clocks of a time zone, written like a time of UTC. */
function wallClock(at: Date, time_zone: string): string {
  return new Date(at.getTime() + offsetAt(at.getTime(), time_zone)).toISOString()
}

/**
 * Returns the moment when the clocks show this, if they do not change within a day of it: most times need no look at
 * the rules.
 */
function readSteadyTime(wall_clock: string, time_zone: string): Date | undefined {
  const wall_ms = Date.parse(wall_clock)
  const offset_ms = offsetAt(wall_ms - DAY_MS, time_zone)
  return offset_ms === offsetAt(wall_ms + DAY_MS, time_zone) ? new Date(wall_ms - offset_ms) : undefined
}

/**
 * Length of a stretch: shorter than the time between two changes of clocks. The shortest are those of Ramadan in
 * Africa/Casablanca.
 */
const STRETCH_MS = 16 * DAY_MS
const MAX_KNOWN_OFFSETS = 10_000
/** Offsets by time zone and beginning of a stretch: the rules are slow to ask, and a plan needs thousands of days. */
const known_offsets = new Map<string, number>()

/** Returns the lead of the clocks over UTC, in milliseconds. */
function offsetAt(time_ms: number, time_zone: string): number {
  if (time_zone === DEFAULT_TIME_ZONE) return 0
  const start_ms = Math.floor(time_ms / STRETCH_MS) * STRETCH_MS
  const offset_ms = knownOffset(start_ms, time_zone)
  return offset_ms === knownOffset(start_ms + STRETCH_MS, time_zone) ? offset_ms : askOffset(time_ms, time_zone)
}

function knownOffset(time_ms: number, time_zone: string): number {
  const key = `${time_ms} ${time_zone}`
  let offset_ms = known_offsets.get(key)
  if (offset_ms === undefined) {
    if (known_offsets.size >= MAX_KNOWN_OFFSETS) known_offsets.clear()
    offset_ms = askOffset(time_ms, time_zone)
    known_offsets.set(key, offset_ms)
  }
  return offset_ms
}

function askOffset(time_ms: number, time_zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(time_ms).toZonedDateTimeISO(time_zone).offsetNanoseconds / 1_000_000
}
