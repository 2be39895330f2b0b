import { List, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiError, api } from '../api.ts'
import { formatTime, formatWord } from '../format.ts'
import { t } from '../texts/index.ts'
import { FieldRow } from './fields/field-row.tsx'

/** Interval at which a request repeats, and its last day (YYYY-MM-DD); both are empty for a single request. */
export interface Repetition {
  frequency: string
  until: string
}

const choices = [
  { value: '', label: t('requests.repeat.once') },
  ...['daily', 'weekly', 'monthly', 'yearly'].map((value) => ({ value, label: formatWord(value) })),
]

/** The recurrence until the end of a day of the organization; undefined for a single request. */
export function settingsOf({ frequency, until }: Repetition): { frequency: string; end_date: string } | undefined {
  if (!frequency || !until) return undefined
  return { frequency, end_date: until }
}

/** The fields for the recurrence, with a preview of the dates. */
export function RepeatFields({ value, onChange }: { value: Repetition; onChange(value: Repetition): void }) {
  return (
    <>
      <FieldRow>
        <Select
          label={t('requests.repeat.frequency')}
          data={choices}
          allowDeselect={false}
          value={value.frequency}
          onChange={(frequency) => onChange({ ...value, frequency: frequency ?? '' })}
        />
        {value.frequency !== '' && (
          <TextInput
            label={t('requests.repeat.end_date')}
            type="date"
            required
            value={value.until}
            onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
          />
        )}
      </FieldRow>
      <Dates settings={settingsOf(value)} />
    </>
  )
}

function Dates({ settings }: { settings: ReturnType<typeof settingsOf> }) {
  const subscription_settings = JSON.stringify(settings)
  const { data, error } = useQuery({
    queryKey: ['plans preview', subscription_settings],
    queryFn: () => api.get<{ dates: string[]; more: boolean }>('/plans/preview', { subscription_settings }),
    enabled: settings !== undefined,
  })
  if (!settings) return null
  if (error) {
    const faults = error instanceof ApiError ? error.fields.subscription_settings?.join(' ') : undefined
    return (
      <Text fz="sm" c="var(--mantine-color-error)" role="alert">
        {faults ?? error.message}
      </Text>
    )
  }
  return (
    <Text fz="sm" c="dimmed" component="div" aria-live="polite">
      {data && (
        <>
          {t('requests.repeat.dates')}
          <List size="sm" c="dimmed">
            {data.dates.map((date) => (
              <List.Item key={date}>{formatTime(date)}</List.Item>
            ))}
            {data.more && <List.Item>{t('requests.repeat.more')}</List.Item>}
          </List>
        </>
      )}
    </Text>
  )
}
