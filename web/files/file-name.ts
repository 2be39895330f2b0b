import { readListDays } from '../../src/core/figures/list-days.ts'
import type { Query } from '../api.ts'
import { wallClock } from '../format.ts'
import { t } from '../texts/index.ts'

/** Filters that limit a list to a period. */
const PERIODS = [
  ['created_after', 'created_before'],
  ['start_date', 'end_date'],
  ['due_after', 'due_before'],
  ['modified_after', 'modified_before'],
] as const

/**
 * Return the name of a file without its ending: what it has and from when, such as `Collections 2030-01-01 to 2030-01-31`.
 */
export function fileName(what: string, now: Date, filters: Query = {}): string {
  const { from, to } = periodOf(now, filters)
  if (from === to) return withoutSigns(t('parts.file_names.day', { what, day: to }))
  return withoutSigns(
    from ? t('parts.file_names.period', { what, from, to }) : t('parts.file_names.until', { what, to }),
  )
}

/**
 * Return the first and the last day of a list, as its filters say. Without a period both are today, in the time zone of
 * the organization.
 */
export function periodOf(now: Date, filters: Query): { from: string | undefined; to: string } {
  const today = wallClock(now).toISOString().slice(0, 10)
  const days = typeof filters.days === 'string' ? readListDays(filters.days, today) : undefined
  if (days) return { from: days.from, to: days.to ?? today }
  for (const [first, last] of PERIODS) {
    const [from, to] = [dayOf(filters[first]), dayOf(filters[last])]
    if (from || to) return { from, to: to ?? today }
  }
  return { from: today, to: today }
}

/** The day of a filter, which people may have typed with a time. */
function dayOf(filter: Query[string]): string | undefined {
  return typeof filter === 'string' ? /^\d{4}-\d\d-\d\d/.exec(filter)?.[0] : undefined
}

/** Replace the signs that names of files cannot have on all systems. */
export function withoutSigns(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows does not allow them.
  return name.replace(/[\x00-\x1f"*/:<>?\\|]+/g, '-')
}
