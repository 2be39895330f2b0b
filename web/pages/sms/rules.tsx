import { Group, Paper, Stack, Switch, Table, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
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
      <BackLink to="/sms">SMS</BackLink>
      <PageHead
        title="Rules of countries"
        about="They count for SMS that people write. Instructions, confirmations and what was bought are sent at any hour."
        actions={data.editable && <RuleForm />}
      />
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
      <Table.ScrollContainer type="native" minWidth={560} tabIndex={0} role="region" aria-label="Rules of countries">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Country</Table.Th>
              <Table.Th>Quiet hours</Table.Th>
              <Table.Th>Consent</Table.Th>
              <Table.Th>Clock</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.map((rule) => (
              <Table.Tr key={rule.country}>
                <Table.Td>{rule.country}</Table.Td>
                <Table.Td>{describeHours(rule)}</Table.Td>
                <Table.Td>{rule.consent_required ? 'Needed' : 'Not needed'}</Table.Td>
                <Table.Td>{rule.time_zone}</Table.Td>
                <Table.Td>
                  {editable && (
                    <Group gap="xs" justify="flex-end" wrap="nowrap">
                      <RuleForm rule={rule} />
                      {rule.is_set && <ResetRule rule={rule} />}
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

function Words({ settings: { words } }: { settings: SmsSettings }) {
  return (
    <Panel title="Words of customers" about="What customers may send. Capitals and accents do not matter.">
      <Facts
        bare
        facts={[
          ['No more such SMS', words.stop.join(', ')],
          ['Such SMS again', words.start.join(', ')],
          ['Help', words.help.join(', ')],
        ]}
      />
    </Panel>
  )
}

function describeHours({ quiet_from, quiet_until }: Rule): string {
  return quiet_from === null ? 'None' : `${quiet_from} to ${quiet_until}`
}

function RuleForm({ rule }: { rule?: Rule }) {
  return (
    <FormDialog
      button={rule ? `Change ${rule.country}` : 'Add a country'}
      title={rule ? `Rules of ${rule.country}` : 'Rules of another country'}
      submit="Save"
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        ...{ country: rule?.country ?? '', time_zone: rule?.time_zone ?? '' },
        ...{ quiet_from: rule?.quiet_from ?? '', quiet_until: rule?.quiet_until ?? '' },
        consent_required: rule?.consent_required ?? false,
      }}
      send={({ country, ...values }) => api.put(`/settings/sms/rules/${encodeURIComponent(country || '-')}`, values)}
      done="The rules count from now on."
      fields={(form) => (
        <>
          {!rule && (
            <TextInput label="Country" description="Its two letters, such as UG." {...form.getInputProps('country')} />
          )}
          <TextInput label="Time zone" description="Such as Africa/Lagos." {...form.getInputProps('time_zone')} />
          <Group grow align="flex-start">
            <TextInput
              label="Quiet from"
              description="Such as 20:00. Empty: no quiet hours."
              {...form.getInputProps('quiet_from')}
            />
            <TextInput label="Quiet until" description="Such as 08:00." {...form.getInputProps('quiet_until')} />
          </Group>
          <Switch
            label="SMS that people write need the consent of the customer"
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
      button={`Reset ${country}`}
      title={`Reset the rules of ${country}?`}
      act={() => api.delete(`/settings/sms/rules/${country}`)}
      done={() => client.invalidateQueries({ queryKey: ['/settings/sms'] })}
    >
      The rules that come with the program count again.
    </Confirm>
  )
}
