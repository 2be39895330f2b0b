import { Alert, Anchor, List, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { formatCount, formatMilliseconds, formatPercent, formatWord } from '../../format.ts'
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
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { ConsoleConnectionDetail, SettingField } from '../../wire.ts'
import { CallbackAddress } from './callback-address.tsx'
import { connectionQuery, describeCountries, kindNames } from './names.ts'
import { Places } from './places.tsx'
import { initialValues, SettingFields, sentValues } from './setting-fields.tsx'
import { StateButtons } from './state-buttons.tsx'
import { TestConnection } from './test-connection.tsx'

/** Connection: health, wallets, settings, test, and the address to register. */
export default function ConnectionPage() {
  const { slug = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(connectionQuery(slug))
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/connections">{t('shell.nav.connections')}</BackLink>
      <PageHead
        audited={['connection', data.id]}
        title={data.slug}
        about={t(data.live ? 'connections.network_live' : 'connections.network_test', {
          network: data.network,
          environment: data.environment_title,
        })}
        actions={<StateButtons connection={data} />}
      />
      <Stack>
        <PendingChanges />
        {data.from_settings && data.kind === 'sms' && (
          <Alert color="gray" title={t('connections.sms_from_settings.title')}>
            {t('connections.sms_from_settings.text')}
          </Alert>
        )}
        {!data.own && !(data.from_settings && data.kind === 'sms') && (
          <Alert color="gray" title={t('connections.of_operator.title')}>
            {t(data.from_settings ? 'connections.of_operator.upstream' : 'connections.of_operator.text')}
          </Alert>
        )}
        {data.own && data.state === 'draft' && <BeforeUse connection={data} />}
        <Alarms connection={data} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <Health connection={data} />
            {data.kind === 'network' && (
              <Panel title={t('connections.wallets')} about={t('connections.wallets_about')}>
                <Places connection={data} />
              </Panel>
            )}
          </Stack>
          {data.own && (
            <Stack>
              <Panel title={t('connections.test.title')} about={t('connections.test.about')}>
                <TestConnection connection={data} />
              </Panel>
              <Settings connection={data} />
              <Panel title={t('connections.callback.title')}>
                <CallbackAddress connection={data} />
              </Panel>
            </Stack>
          )}
        </SimpleGrid>
      </Stack>
    </>
  )
}

/** Missing steps until a draft can carry money. */
function BeforeUse({ connection: { kind, places, passed, callbacks } }: { connection: ConsoleConnectionDetail }) {
  return (
    <Panel title={t('connections.before.title')} about={t('connections.before.about')}>
      <List listStyleType="none" spacing="xs" center={false} fz="sm">
        {kind === 'network' && <Step done={places.length > 0} text={t('connections.before.wallet')} />}
        <Step done={passed === true} text={t('connections.before.tested')} />
        {callbacks.sends && <Step done={callbacks.reachable} text={t('connections.before.reachable')} />}
        <Step done={false} text={t('connections.before.activate')} />
      </List>
      <Text fz="sm">
        <Trans
          i18nKey="connections.before.more"
          components={{ a: <Anchor component={Link} to="/go-live" inherit underline="always" /> }}
        />
      </Text>
    </Panel>
  )
}

function Step({ done, text }: { done: boolean; text: string }) {
  return (
    <List.Item
      icon={
        <ThemeIcon size={20} radius="xl" color={done ? 'green' : 'gray'} variant="light" aria-hidden>
          {done ? <IconCheck size={13} /> : <IconCircleDashed size={13} />}
        </ThemeIcon>
      }
    >
      {t(done ? 'connections.before.done' : 'connections.before.open', { step: text })}
    </List.Item>
  )
}

/** Faults that only the owner of the merchant account can repair. */
function Alarms({ connection: { health } }: { connection: ConsoleConnectionDetail }) {
  if (!health || health.alarms.length === 0) return null
  return (
    <Alert color="red" variant="light" title={t('connections.attention_title')}>
      {health.alarms.map(({ message, last, count }) => (
        <Text key={message} fz="sm" className="any-break">
          {translateMessage(message)} (<Time at={last} />
          {count > 1 && `, ${t('connections.times', { count, number: formatCount(count) })}`})
        </Text>
      ))}
    </Alert>
  )
}

function Health({ connection }: { connection: ConsoleConnectionDetail }) {
  const { kind, state, health, orders, countries, priority } = connection
  const ms = (value: number | null | undefined) =>
    value === null || value === undefined ? '—' : formatMilliseconds(value)
  const rate = health?.success_rate
  return (
    <Facts
      title={t('connections.health.title')}
      facts={[
        [t('fields.state'), <Status key="state" state={state} noun="connection" />],
        [t('connections.health.calls'), formatCount(health?.calls ?? 0)],
        [
          t('connections.health.answered'),
          rate === null || rate === undefined ? '—' : formatPercent(Math.round(rate * 100)),
        ],
        [t('connections.health.median'), ms(health?.p50_ms)],
        [t('connections.health.p95'), ms(health?.p95_ms)],
        [kindNames[kind].one, health ? <Status key="network" state={health.state} noun="network" /> : '—'],
        ...(health?.degraded_since
          ? [[t('connections.health.degraded_since'), <Time key="degraded" at={health.degraded_since} />] as const]
          : []),
        [t('connections.health.last_answer'), <Time key="answer" at={health?.last_answer} />],
        ...(orders
          ? ([
              [t('connections.health.open_orders'), formatCount(orders.open)],
              [t('connections.health.attention'), formatCount(orders.attention)],
            ] as const)
          : []),
        [t('connections.health.countries'), describeCountries(countries)],
        [t('connections.health.priority'), formatCount(priority)],
        [t('fields.created'), <Time key="created" at={connection.created} />],
      ]}
    />
  )
}

function Settings({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, state, fields, settings, secrets } = connection
  const about = state === 'active' ? t('connections.settings.about_active') : t('connections.settings.about')
  return (
    <Panel
      title={t('connections.settings.title')}
      about={about}
      actions={
        <FormDialog
          button={t('connections.settings.change')}
          title={t('connections.settings.change_title', { slug })}
          submit={t(state === 'active' ? 'connections.settings.test_and_save' : 'connections.settings.save')}
          look={{ variant: 'default', size: 'xs' }}
          initial={initialValues(fields, settings)}
          send={(values) => api.put(`/connections/${slug}/settings`, { values: sentValues(fields, values) })}
          done={(answer) => changeMessage(answer, t('connections.settings.saved'))}
          fields={(form) => <SettingFields fields={fields} form={form} secrets={secrets} />}
        />
      }
    >
      <Facts bare facts={fields.map((field) => [field.title, showSetting(field, connection)] as const)} />
    </Panel>
  )
}

const secretStates = {
  set: t('connections.settings.set'),
  'not set': t('connections.settings.not_set'),
  unreadable: t('connections.settings.unreadable'),
} as const

function showSetting({ name, secret }: SettingField, { settings, secrets }: ConsoleConnectionDetail): ReactNode {
  if (secret) return secretStates[secrets[name] ?? 'not set']
  const value = settings[name]
  if (typeof value === 'boolean') return formatWord(value ? 'yes' : 'no')
  return value === undefined ? '—' : String(value)
}
