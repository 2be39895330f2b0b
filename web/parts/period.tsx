import { Button, Group } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { t } from '../texts/index.ts'
import { DayInput } from './fields/day-input.tsx'

/** The first and the last day of a period, such as `2030-01-31`. */
export interface Days {
  from: string
  to: string
}

/** The days that the address of a page names; the service chooses those that are missing. */
export function useDays(): { chosen: Partial<Days>; choose(days: Partial<Days>): void } {
  const { from, to }: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    chosen: { ...(from && { from }), ...(to && { to }) },
    choose: (days) => navigate({ to: '.', search: (before: object) => ({ ...before, ...days }) as never }),
  }
}

/**
 * The fields for the first and the last day, and the month before with one click. @param shown the days that the page shows; without
 * them, those that were chosen: people must be able to change days that the service has refused
 */
export function PeriodFields({ shown }: { shown: Days | undefined }) {
  const { chosen, choose } = useDays()
  const { from = '', to = '' } = { ...shown, ...chosen }
  // A period that would end before it begins is one day.
  const chooseFrom = (day: string) => day && choose({ from: day, to: to && to < day ? day : to })
  const chooseTo = (day: string) => day && choose({ from: day < from ? day : from, to: day })
  return (
    <Group gap="sm" align="flex-end">
      <DayInput label={t('fields.from')} value={from} onChange={chooseFrom} />
      <DayInput label={t('fields.until')} value={to} onChange={chooseTo} />
      {from && (
        <Button variant="default" onClick={() => choose(monthBefore(from))}>
          {t('parts.month_before')}
        </Button>
      )}
    </Group>
  )
}

/** Return the month before the first day's month. */
function monthBefore(from: string): Days {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  const day = (offset: number, date: number) =>
    new Date(Date.UTC(year, month - 1 + offset, date)).toISOString().slice(0, 10)
  return { from: day(-1, 1), to: day(0, 0) }
}
