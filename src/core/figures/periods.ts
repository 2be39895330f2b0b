import { addDays } from '../../lib/text/time-zones.ts'

/** The periods that people choose from. `month` is the current one; `custom` has two days of its own. */
export const periods = ['today', '7_days', '30_days', 'month', 'custom'] as const
export type PeriodName = (typeof periods)[number]

/** Days from the first to the last, both included: `2030-01-31`. */
export interface Period {
  from: string
  to: string
}

/** Maximum period: each day is read once, and people compare quarters. */
export const MAX_PERIOD_DAYS = 92

/** The days of a period. @param today where the organization is */
export function daysOfPeriod(name: Exclude<PeriodName, 'custom'>, today: string): Period {
  switch (name) {
    case 'today':
      return { from: today, to: today }
    case '7_days':
      return { from: addDays(today, -6), to: today }
    case '30_days':
      return { from: addDays(today, -29), to: today }
    case 'month':
      return { from: `${today.slice(0, 8)}01`, to: today }
  }
}

/**
 * Returns the period before, for comparison: as many days, just before. The current month is compared with the same
 * days of the month before, if that has them.
 */
export function periodBefore(name: PeriodName, { from, to }: Period): Period {
  if (name !== 'month') {
    const days = countDays({ from, to })
    return { from: addDays(from, -days), to: addDays(from, -1) }
  }
  const last = addDays(from, -1)
  const first = `${last.slice(0, 8)}01`
  const same = addDays(first, countDays({ from, to }) - 1)
  return { from: first, to: [same, last].sort()[0]! }
}

export function countDays({ from, to }: Period): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}

export function listDays(period: Period): string[] {
  return Array.from({ length: countDays(period) }, (_, index) => addDays(period.from, index))
}

const DAY_MS = 24 * 60 * 60 * 1_000
