import { Button, List, Stack, Text } from '@mantine/core'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type List as ListOf } from '../../api.ts'
import { formatCount, formatWord } from '../../format.ts'
import { NO_VALUE } from '../../parts/list/column.ts'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PendingChanges } from '../../parts/pending-change.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { ConsoleConnection } from '../../wire.ts'
import { describeHealth } from './names.ts'

const columns: Column<ConsoleConnection>[] = [
  { name: 'connection', title: t('connections.connection'), value: (row) => row.slug },
  {
    name: 'state',
    title: t('fields.state'),
    status: true,
    value: (row) => <Status state={row.state} noun="connection" />,
    file: (row) => formatWord(row.state, 'connection'),
  },
  {
    name: 'provider',
    title: t('connections.provider'),
    value: (row) => (
      <>
        {row.network}
        <Text fz="xs" c="dimmed">
          {t(row.live ? 'connections.where_live' : 'connections.where_test', {
            environment: row.environment_title,
          })}
        </Text>
      </>
    ),
    file: (row) => row.network,
  },
  {
    name: 'recent',
    title: t('connections.recent'),
    value: (row) => <HealthCell connection={row} />,
    file: (row) => describeHealth(row.health),
  },
  {
    name: 'wallets',
    title: t('connections.wallets'),
    align: 'right',
    value: (row) =>
      row.kind !== 'network' ? '—' : row.serves_all ? t('connections.all_wallets') : formatCount(row.places.length),
  },
  {
    name: 'test',
    title: t('connections.test.title'),
    value: (row) => <TestCell connection={row} />,
    file: describeTest,
    beside: [{ title: t('audit.time'), file: (row) => ({ time: row.tested }) }],
  },
  {
    name: 'owner',
    title: t('connections.owner'),
    value: (row) => (
      <>
        {t(row.own ? 'connections.yours' : 'connections.operators')}
        {row.from_settings && (
          <Text fz="xs" c="dimmed">
            {t('connections.from_settings')}
          </Text>
        )}
      </>
    ),
    file: (row) => t(row.own ? 'connections.yours' : 'connections.operators'),
  },
]

/** The list of connections with their health. */
export default function Connections() {
  return (
    <ListPage<ConsoleConnection>
      title={t('shell.nav.connections')}
      about={t('connections.about')}
      path="/connections"
      rowLink={(row) => `/connections/${row.slug}`}
      primary={<AddButton />}
      actions={
        <Button variant="default" component={Link} to="/go-live" leftSection={<IconChecklist size={16} />}>
          {t('connections.go_live.title')}
        </Button>
      }
      above={
        <>
          <PendingChanges />
          <FirstConnection />
        </>
      }
      empty={t('connections.none')}
      columns={columns}
    />
  )
}

function AddButton({ variant }: { variant?: 'default' }) {
  return (
    <Button variant={variant} component={Link} to="/add-connection" leftSection={<IconPlus size={16} />}>
      {t('connections.add_button')}
    </Button>
  )
}

function HealthCell({ connection: { health } }: { connection: ConsoleConnection }) {
  return (
    <>
      {health && <Status state={health.state} noun="network" />}
      <Text fz="xs" c="dimmed" mt={2}>
        {describeHealth(health)}
      </Text>
      {health && health.alarms.length > 0 && (
        <Text fz="xs" fw={600}>
          {t('connections.needs_attention')}
        </Text>
      )}
    </>
  )
}

function describeTest({ own, passed }: ConsoleConnection): string {
  if (passed !== null) return formatWord(passed ? 'passed' : 'failed')
  return own ? t('connections.not_tested') : NO_VALUE
}

function TestCell({ connection }: { connection: ConsoleConnection }) {
  const { passed, tested } = connection
  if (passed === null) return describeTest(connection)
  return (
    <>
      <Status state={passed ? 'passed' : 'failed'} />
      <Text fz="xs" c="dimmed" mt={2}>
        <Time at={tested} />
      </Text>
    </>
  )
}

/** Explain the first steps while the organization has no connection of its own. */
function FirstConnection() {
  const { data } = useQuery({
    queryKey: ['/connections', { limit: 1_000 }],
    queryFn: () => api.get<ListOf<ConsoleConnection>>('/connections', { limit: 1_000 }),
  })
  if (!data || data.results.some(({ own }) => own)) return null
  return (
    <Panel title={t('connections.first.title')} about={t('connections.first.about')}>
      <Stack>
        <List type="ordered" fz="sm" spacing={4}>
          <List.Item>{t('connections.first.credentials')}</List.Item>
          <List.Item>{t('connections.first.add')}</List.Item>
          <List.Item>{t('connections.first.test')}</List.Item>
          <List.Item>{t('connections.first.activate')}</List.Item>
        </List>
        <div>
          <AddButton variant="default" />
        </div>
      </Stack>
    </Panel>
  )
}
