import { clockIn, dayIn, endOfDayIn, startOfDayIn } from './time-zones.ts'

const MINUTE_MS = 60_000

/** What the clocks of a time zone show, as a date that shows the same in UTC. For files that have times without a zone. */
export function wallClock(at: Date, zone: string): Date {
  return new Date(`${dayIn(at, zone)}T${clockIn(at, zone)}Z`)
}

/** What the clocks of a time zone show, with their distance from UTC: `2030-01-31T15:00:00+03:00`. */
export function zonedTimestamp(at: Date, zone: string): string {
  const local = wallClock(at, zone)
  const ahead_min = Math.round((local.getTime() - at.getTime()) / MINUTE_MS)
  const minutes = Math.abs(ahead_min)
  const pad = (number: number) => String(number).padStart(2, '0')
  const offset = `${ahead_min < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
  return `${local.toISOString().slice(0, 19)}${offset}`
}

/** Days from the first to the last one, both included, with the times at which they begin and end. */
export interface Period {
  from: Date
  /** The first moment that does not belong to it. */
  until: Date
  first_day: string
  last_day: string
  zone: string
}

/** The period of these days in a time zone. */
export function periodOf(first_day: string, last_day: string, zone: string): Period {
  return { from: startOfDayIn(first_day, zone), until: endOfDayIn(last_day, zone), first_day, last_day, zone }
}
