import { Group, Select, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { Figures } from '../../wire.ts'

const names = ['today', '7_days', '30_days', 'month', 'custom'] as const satisfies Figures['period'][]

/** Period of the page. It is in the address, so that the view can be shared. */
export interface Choice {
  period: Figures['period']
  from?: string
  to?: string
}

export function useChoice(): Choice {
  const { period, from, to }: Record<string, string> = useSearch({ strict: false })
  return { period: names.find((name) => name === period) ?? '7_days', from, to }
}

/** Time after which figures are read again without an event: the service may have answered with some that it kept. */
const AGAIN_MS = 60_000

/** The figures of a period and of the one before. Those of the period shown before stay until they are there. */
export function useFigures({ period, from, to }: Choice) {
  return useQuery({
    queryKey: ['home', 'figures', period, from, to],
    queryFn: () => api.get<Figures>('/home/figures', period === 'custom' ? { period, from, to } : { period }),
    enabled: period !== 'custom' || Boolean(from && to),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  })
}

/** The choice of the period. @param shown the days that are shown now, with which an own choice begins */
export function PeriodPicker({ choice, shown }: { choice: Choice; shown: { from: string; to: string } | undefined }) {
  const navigate = useNavigate()
  const set = (search: Choice) => navigate({ to: '.', search: search as never, replace: true })
  const { period, from, to } = choice
  return (
    <Group gap="xs" align="flex-end">
      <Select
        aria-label={t('home.period.label')}
        allowDeselect={false}
        checkIconPosition="right"
        w={170}
        data={names.map((name) => ({ value: name, label: t(`home.period.${name}`) }))}
        value={period}
        onChange={(name) =>
          set(
            name === 'custom'
              ? { period: name, ...(shown && { from: shown.from, to: shown.to }) }
              : { period: name as Choice['period'] },
          )
        }
      />
      {period === 'custom' && (
        <>
          <TextInput
            type="date"
            aria-label={t('home.period.from')}
            value={from ?? ''}
            max={to}
            onChange={(event) => set({ ...choice, from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label={t('home.period.to')}
            value={to ?? ''}
            min={from}
            onChange={(event) => set({ ...choice, to: event.currentTarget.value })}
          />
        </>
      )}
    </Group>
  )
}
