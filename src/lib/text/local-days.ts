import { timeZoneOf } from './languages.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** The day of a time where people of a country are: `2030-01-31`. @param country ISO 3166-1; an unknown one gets UTC */
export function localDay(at: Date, country: string | undefined): string {
  return new Date(at.getTime() + offsetAt(at, country)).toISOString().slice(0, 10)
}

/** When an hour of a day begins in a country. @param day such as `2030-01-31` */
export function startOfLocalHour(day: string, hour: number, country: string | undefined): Date {
  const there = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000
  return new Date(there - offsetAt(new Date(there), country))
}

/** The day so many days later, or earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How far the clocks of a country are ahead of UTC, in milliseconds. */
function offsetAt(at: Date, country: string | undefined): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: timeZoneOf(country), timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -size : size
}

/** The day that a text such as `2030-01-31` names; undefined for other texts, and for days that do not exist. */
export function isoDay(text: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}
