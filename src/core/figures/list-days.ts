import { isoDay } from '../../lib/text/time-zones.ts'
import { daysOfPeriod, type Period } from './periods.ts'

/** Periods that lists of the console offer by name. A stored view with one of them follows the calendar. */
const named = ['today', '7_days', 'month'] as const

/**
 * Reads the days of a list: the name of a period, or a first and a last day such as `2030-01-01..2030-01-31`, of which
 * one may be missing. Returns undefined for anything else, and for days in the wrong order.
 * @param today in the time zone of the organization
 */
export function readListDays(text: string, today: string): Partial<Period> | undefined {
  const name = named.find((one) => one === text)
  if (name) return daysOfPeriod(name, today)
  const [first, last, ...rest] = text.split('..')
  if (first === undefined || last === undefined || rest.length > 0) return undefined
  const [from, to] = [isoDay(first), isoDay(last)]
  if ((first !== '' && !from) || (last !== '' && !to) || (from && to && to < from)) return undefined
  return { ...(from && { from }), ...(to && { to }) }
}
