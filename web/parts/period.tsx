import { Button, Group, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { t } from '../texts/index.ts'

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

/** The fields for the first and the last day, and the month before with one click. @param shown the days that the page shows */
export function PeriodFields({ shown, choose }: { shown: Days; choose(days: Partial<Days>): void }) {
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        type="date"
        label={t('fields.from')}
        value={shown.from}
        onChange={({ currentTarget: { value } }) => value && choose({ from: value, to: shown.to })}
      />
      <TextInput
        type="date"
        label={t('fields.until')}
        value={shown.to}
        onChange={({ currentTarget: { value } }) => value && choose({ from: shown.from, to: value })}
      />
      <Button variant="default" onClick={() => choose(monthBefore(shown))}>
        {t('parts.month_before')}
      </Button>
    </Group>
  )
}

/** Return the month before the first day's month. */
function monthBefore({ from }: Days): Days {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  const day = (offset: number, date: number) =>
    new Date(Date.UTC(year, month - 1 + offset, date)).toISOString().slice(0, 10)
  return { from: day(-1, 1), to: day(0, 0) }
}
