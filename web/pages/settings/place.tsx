import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { countryName } from '../../format.ts'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { sessionQuery } from '../../session.tsx'
import { locale, t } from '../../texts/index.ts'
import type { PlaceChoices, Settings } from '../../wire.ts'

/** The time zone of the organization, in which its days begin, and the country of phone numbers without country code. */
export function PlacePanel({ organization, changed }: Pick<Settings, 'organization'> & { changed(): void }) {
  const client = useQueryClient()
  const { time_zone, country } = organization
  const { data } = useQuery({
    queryKey: ['/settings/place'],
    queryFn: () => api.get<PlaceChoices>('/settings/place'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const send = async (values: { time_zone: string; country: string | null }) => {
    await api.put('/settings/place', values)
    // All times are shown in the new time zone.
    await client.invalidateQueries(sessionQuery)
    changed()
  }
  return (
    <Panel
      title={t('settings.place.title')}
      about={t('settings.place.about')}
      actions={
        <FormDialog
          button={t('settings.place.form_title')}
          title={t('settings.place.form_title')}
          submit={t('settings.save')}
          look={{ variant: 'default', size: 'xs' }}
          initial={{ time_zone, country }}
          send={send}
          done={t('settings.place.done')}
          fields={(form) => (
            <>
              <Select
                label={t('settings.place.time_zone')}
                description={t('settings.place.time_zone_about')}
                searchable
                required
                allowDeselect={false}
                data={withValue(data?.time_zones ?? [], time_zone)}
                {...form.getInputProps('time_zone')}
              />
              <Select
                label={t('settings.place.country')}
                description={t('settings.place.country_about')}
                placeholder={t('settings.place.no_country')}
                searchable
                clearable
                clearButtonProps={{ 'aria-label': t('settings.place.no_country') }}
                data={withValue(data?.countries ?? [], country)
                  .map((value) => ({ value, label: countryName(value) }))
                  .sort((a, b) => a.label.localeCompare(b.label, locale))}
                {...form.getInputProps('country')}
              />
            </>
          )}
        />
      }
    >
      <Facts
        bare
        facts={[
          [t('settings.place.time_zone'), time_zone],
          [t('settings.place.country'), country === null ? t('settings.place.no_country') : countryName(country)],
        ]}
      />
    </Panel>
  )
}

/** The choices with the one that is stored, also if this version would not offer it. */
function withValue(choices: readonly string[], value: string | null): string[] {
  return value === null || choices.includes(value) ? [...choices] : [value, ...choices]
}
