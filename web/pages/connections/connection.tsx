import { Alert, Anchor, List, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, PendingChanges } from '../../parts/pending-change.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { ConsoleConnectionDetail, SettingField } from '../../wire.ts'
import { CallbackAddress } from './callback-address.tsx'
import { connectionQuery, describeCountries, kindNames } from './names.ts'
import { Places } from './places.tsx'
import { initialValues, SettingFields, sentValues } from './setting-fields.tsx'
import { StateButtons } from './state-buttons.tsx'
import { TestConnection } from './test-connection.tsx'

/** One connection: health, wallets, settings, test, and the address to register. */
export default function ConnectionPage() {
  const { slug = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({ ...connectionQuery(slug), refetchInterval: 5_000 })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/connections">Connections</BackLink>
      <PageHead
        title={data.slug}
        about={`${data.network}, ${data.environment_title}: ${data.live ? 'real money' : 'no real money'}.`}
        actions={<StateButtons connection={data} />}
      />
      <Stack>
        <PendingChanges />
        {data.from_settings && data.kind === 'sms' && (
          <Alert color="gray" title="This connection comes from the settings of the service">
            The operator changes it there: SMS_URL, SMS_METHOD, SMS_HEADERS, SMS_BODY and SMS_REPORTS. It carries the
            SMS that no other connection can carry.
          </Alert>
        )}
        {!data.own && !(data.from_settings && data.kind === 'sms') && (
          <Alert color="gray" title="This connection belongs to the operator">
            {data.from_settings
              ? 'The settings UPSTREAM_URL and UPSTREAM_KEY of the service describe it. You see how it works.'
              : 'The operator of the service set it up, and changes it. You see how it works.'}
          </Alert>
        )}
        {data.own && data.state === 'draft' && <BeforeUse connection={data} />}
        <Alarms connection={data} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <Health connection={data} />
            {data.kind === 'network' && (
              <Panel title="Wallets" about="Which wallets use it, and under which number of yours.">
                <Places connection={data} />
              </Panel>
            )}
          </Stack>
          {data.own && (
            <Stack>
              <Panel title="Test" about="Tries the credentials.">
                <TestConnection connection={data} />
              </Panel>
              <Settings connection={data} />
              <Panel title="Address for reports">
                <CallbackAddress connection={data} />
              </Panel>
            </Stack>
          )}
        </SimpleGrid>
      </Stack>
    </>
  )
}

/** What is left to do until a draft can carry money. */
function BeforeUse({ connection: { kind, places, passed, callbacks } }: { connection: ConsoleConnectionDetail }) {
  return (
    <Panel title="Before you activate it" about="A draft is not in use yet.">
      <List listStyleType="none" spacing="xs" center={false} fz="sm">
        {kind === 'network' && <Step done={places.length > 0}>At least one wallet uses it</Step>}
        <Step done={passed === true}>It has passed its test with the settings that it has</Step>
        {callbacks.sends && (
          <Step done={callbacks.reachable}>The provider reaches this service at its public address</Step>
        )}
        <Step done={false}>You activate it</Step>
      </List>
      <Text fz="sm">
        What else is missing for real money is on the{' '}
        <Anchor component={Link} to="/go-live" inherit underline="always">
          go-live checklist
        </Anchor>
        .
      </Text>
    </Panel>
  )
}

function Step({ done, children }: { done: boolean; children: ReactNode }) {
  return (
    <List.Item
      icon={
        <ThemeIcon size={20} radius="xl" color={done ? 'green' : 'gray'} variant="light" aria-hidden>
          {done ? <IconCheck size={13} /> : <IconCircleDashed size={13} />}
        </ThemeIcon>
      }
    >
      {children} {done ? '(done)' : '(to do)'}
    </List.Item>
  )
}

/** What only the owner of the merchant account can repair. */
function Alarms({ connection: { health } }: { connection: ConsoleConnectionDetail }) {
  if (!health || health.alarms.length === 0) return null
  return (
    <Alert color="red" variant="light" title="This connection needs attention">
      {health.alarms.map(({ message, last, count }) => (
        <Text key={message} fz="sm" className="any-break">
          {message} (<Time at={last} />
          {count > 1 && `, ${formatCount(count)} times`})
        </Text>
      ))}
    </Alert>
  )
}

function Health({ connection }: { connection: ConsoleConnectionDetail }) {
  const { kind, state, health, orders, countries, priority } = connection
  const ms = (value: number | null | undefined) =>
    value === null || value === undefined ? '—' : `${formatCount(value)} ms`
  const rate = health?.success_rate
  return (
    <Facts
      title="State and health"
      facts={[
        ['State', <Status key="state" of={state} />],
        ['Calls of the last 15 minutes', formatCount(health?.calls ?? 0)],
        ['Answered', rate === null || rate === undefined ? '—' : `${Math.round(rate * 100)} %`],
        ['Half of them within', ms(health?.p50_ms)],
        ['95 of 100 within', ms(health?.p95_ms)],
        [kindNames[kind].one, health ? <Status key="network" of={health.state} /> : '—'],
        ...(health?.degraded_since
          ? [['Degraded since', <Time key="degraded" at={health.degraded_since} />] as const]
          : []),
        ['Last answer', <Time key="answer" at={health?.last_answer} />],
        ...(orders
          ? ([
              ['Open orders', formatCount(orders.open)],
              ['Orders that need a person', formatCount(orders.attention)],
            ] as const)
          : []),
        ['Countries', describeCountries(countries)],
        ['Priority', formatCount(priority)],
        ['Added', <Time key="created" at={connection.created} />],
      ]}
    />
  )
}

function Settings({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, state, fields, settings, secrets } = connection
  const about =
    state === 'active'
      ? 'New settings are tested before they count. If the test fails, nothing changes.'
      : 'Secrets are encrypted, and nothing shows them again.'
  return (
    <Panel
      title="Settings"
      about={about}
      actions={
        <FormDialog
          button="Change"
          title={`Change the settings of ${slug}`}
          submit={state === 'active' ? 'Test and save' : 'Save'}
          look={{ variant: 'default', size: 'xs' }}
          initial={initialValues(fields, settings)}
          send={(values) => api.put(`/connections/${slug}/settings`, { values: sentValues(fields, values) })}
          done={(answer) => changeMessage(answer, 'The settings are saved.')}
          fields={(form) => <SettingFields fields={fields} form={form} secrets={secrets} />}
        />
      }
    >
      <Facts bare facts={fields.map((field) => [field.title, showSetting(field, connection)] as const)} />
    </Panel>
  )
}

function showSetting({ name, secret }: SettingField, { settings, secrets }: ConsoleConnectionDetail): ReactNode {
  if (secret) return { set: 'Set', 'not set': 'Not set', unreadable: 'Cannot be read' }[secrets[name] ?? 'not set']
  const value = settings[name]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === undefined ? '—' : String(value)
}
