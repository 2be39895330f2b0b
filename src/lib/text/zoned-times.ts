import { offsetTimestamp } from './offset-times.ts'
import { clockIn, dayIn, endOfDayIn, startOfDayIn } from './time-zones.ts'

/**
 * Returns the display of the clocks of a time zone, as a date that shows the same in UTC. For files that have times
 * without a zone.
 */
export function wallClock(at: Date, zone: string): Date {
  return new Date(`${dayIn(at, zone)}T${clockIn(at, zone)}Z`)
}

/** Returns the display of the clocks of a time zone, with their distance from UTC: `2030-01-31T15:00:00+03:00`. */
export function zonedTimestamp(at: Date, zone: string): string {
  return offsetTimestamp(at, wallClock(at, zone))
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

export function periodOf(first_day: string, last_day: string, zone: string): Period {
  return { from: startOfDayIn(first_day, zone), until: endOfDayIn(last_day, zone), first_day, last_day, zone }
}
