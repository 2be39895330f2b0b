import { Group, Paper, Stack, Switch, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { countryName } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { locale, t } from '../../texts/index.ts'
import type { SmsSettings } from '../../wire.ts'
import { smsSettingsQuery } from './query.ts'

type Rule = SmsSettings['rules'][number]

/** Quiet hours and consent by country, and the words that customers send. */
export default function RulesPage() {
  const { data, error, refetch } = useQuery(smsSettingsQuery)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/sms">{t('shell.nav.sms')}</BackLink>
      <PageHead title={t('sms.rules.title')} about={t('sms.rules.about')} actions={data.editable && <RuleForm />} />
      <Stack>
        <Rules settings={data} />
        <Words settings={data} />
      </Stack>
    </>
  )
}

function Rules({ settings: { rules, editable } }: { settings: SmsSettings }) {
  return (
    <Paper withBorder p="lg">
      <DataTable
        title={t('sms.rules.title')}
        rows={rules.toSorted((a, b) => countryName(a.country).localeCompare(countryName(b.country), locale))}
        keyOf={({ country }) => country}
        columns={[
          { title: t('fields.country'), value: ({ country }) => countryName(country) },
          { title: t('sms.rules.quiet_hours'), value: describeHours },
          {
            title: t('sms.rules.consent'),
            value: (rule) => t(rule.consent_required ? 'sms.rules.required' : 'sms.rules.not_required'),
          },
          { title: t('sms.rules.time_zone'), value: (rule) => rule.time_zone },
          ...(editable ? [{ title: t('users.actions'), value: (rule: Rule) => <RuleActions rule={rule} /> }] : []),
        ]}
      />
    </Paper>
  )
}

function RuleActions({ rule }: { rule: Rule }) {
  return (
    <Group gap="xs">
      <RuleForm rule={rule} />
      {rule.is_set && <ResetRule rule={rule} />}
    </Group>
  )
}

function Words({ settings: { words } }: { settings: SmsSettings }) {
  return (
    <Panel title={t('sms.rules.words')} about={t('sms.rules.words_about')}>
      <Facts
        bare
        facts={[
          [t('sms.rules.stop'), words.stop.join(', ')],
          [t('sms.rules.start'), words.start.join(', ')],
          [t('sms.rules.help'), words.help.join(', ')],
        ]}
      />
    </Panel>
  )
}

function describeHours({ quiet_from, quiet_until }: Rule): string {
  return quiet_from === null
    ? t('sms.rules.no_hours')
    : t('sms.rules.hours', { from: quiet_from, until: quiet_until ?? '' })
}

function RuleForm({ rule }: { rule?: Rule }) {
  return (
    <FormDialog
      button={rule ? t('settings.change') : t('sms.rules.add')}
      title={rule ? t('sms.rules.form_title', { country: countryName(rule.country) }) : t('sms.rules.add_title')}
      submit={t('fields.save')}
      look={
        rule
          ? {
              variant: 'default',
              size: 'xs',
              'aria-label': t('sms.rules.change', { country: countryName(rule.country) }),
            }
          : { variant: 'default' }
      }
      initial={{
        country: rule?.country ?? '',
        time_zone: rule?.time_zone ?? '',
        quiet_from: rule?.quiet_from ?? '',
        quiet_until: rule?.quiet_until ?? '',
        consent_required: rule?.consent_required ?? false,
      }}
      send={({ country, ...values }) => api.put(`/settings/sms/rules/${encodeURIComponent(country || '-')}`, values)}
      done={t('sms.applies')}
      fields={(form) => (
        <>
          {!rule && (
            <TextInput
              label={t('fields.country')}
              description={t('sms.rules.country_about')}
              {...form.getInputProps('country')}
            />
          )}
          <TextInput
            label={t('sms.rules.time_zone')}
            description={t('sms.rules.time_zone_about')}
            {...form.getInputProps('time_zone')}
          />
          <FieldRow>
            <TextInput
              label={t('sms.rules.quiet_from')}
              description={t('sms.rules.quiet_from_about')}
              {...form.getInputProps('quiet_from')}
            />
            <TextInput
              label={t('sms.rules.quiet_until')}
              description={t('sms.rules.quiet_until_about')}
              {...form.getInputProps('quiet_until')}
            />
          </FieldRow>
          <Switch
            label={t('sms.rules.consent_switch')}
            {...form.getInputProps('consent_required', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}

function ResetRule({ rule: { country } }: { rule: Rule }) {
  const client = useQueryClient()
  return (
    <Confirm
      button={t('sms.rules.reset', { country: countryName(country) })}
      title={t('sms.rules.reset_title', { country: countryName(country) })}
      act={() => api.delete(`/settings/sms/rules/${country}`)}
      done={() => client.invalidateQueries({ queryKey: ['/settings/sms'] })}
    >
      {t('sms.rules.reset_text')}
    </Confirm>
  )
}
