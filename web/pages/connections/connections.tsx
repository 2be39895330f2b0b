import { Button, List, Stack, Text } from '@mantine/core'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type List as ListOf } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PendingChanges } from '../../parts/pending-change.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { ConsoleConnection } from '../../wire.ts'
import { describeHealth } from './names.ts'

/** The list of connections with their health. */
export default function Connections() {
  return (
    <ListPage<ConsoleConnection>
      title="Connections"
      about="Your accounts at mobile-money networks, SMS providers and bill providers."
      path="/connections"
      csv={false}
      rowLink={(row) => `/connections/${row.slug}`}
      actions={
        <>
          <Button variant="default" component={Link} to="/go-live" leftSection={<IconChecklist size={16} />}>
            Go-live checklist
          </Button>
          <AddButton />
        </>
      }
      above={
        <>
          <PendingChanges />
          <FirstConnection />
        </>
      }
      empty="There is none yet."
      poll_ms={5_000}
      columns={[
        { title: 'Connection', value: (row) => row.slug },
        { title: 'State', value: (row) => <Status of={row.state} /> },
        {
          title: 'Provider',
          value: (row) => (
            <>
              {row.network}
              <Text fz="xs" c="dimmed">
                {row.environment_title}, {row.live ? 'real money' : 'no real money'}
              </Text>
            </>
          ),
        },
        { title: 'Last 15 minutes', value: (row) => <HealthCell connection={row} /> },
        {
          title: 'Wallets',
          align: 'right',
          value: (row) => (row.kind !== 'network' ? '—' : row.serves_all ? 'All' : formatCount(row.places.length)),
        },
        { title: 'Test', value: (row) => <TestCell connection={row} /> },
        {
          title: 'Whose',
          value: (row) => (
            <>
              {row.own ? 'Yours' : 'The operator’s'}
              {row.from_settings && (
                <Text fz="xs" c="dimmed">
                  From the settings
                </Text>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

function AddButton() {
  return (
    <Button component={Link} to="/add-connection" leftSection={<IconPlus size={16} />}>
      Add connection
    </Button>
  )
}

function HealthCell({ connection: { health } }: { connection: ConsoleConnection }) {
  return (
    <>
      {health && <Status of={health.state} />}
      <Text fz="xs" c="dimmed" mt={2}>
        {describeHealth(health)}
      </Text>
      {health && health.alarms.length > 0 && (
        <Text fz="xs" fw={600}>
          Needs attention
        </Text>
      )}
    </>
  )
}

function TestCell({ connection: { own, passed, tested } }: { connection: ConsoleConnection }) {
  if (passed === null) return own ? 'Not tested' : '—'
  return (
    <>
      <Status of={passed ? 'passed' : 'failed'} />
      <Text fz="xs" c="dimmed" mt={2}>
        <Time at={tested} />
      </Text>
    </>
  )
}

/** Explains what to do while the organization has no connection of its own. */
function FirstConnection() {
  const { data } = useQuery({
    queryKey: ['/connections', { limit: 1_000 }],
    queryFn: () => api.get<ListOf<ConsoleConnection>>('/connections', { limit: 1_000 }),
  })
  if (!data || data.results.some(({ own }) => own)) return null
  return (
    <Panel
      title="Connect your first network"
      about="A connection is your merchant account at a network, such as a till or a short code."
    >
      <Stack>
        <List type="ordered" fz="sm" spacing={4}>
          <List.Item>Get the credentials of your merchant account from the portal of the network.</List.Item>
          <List.Item>
            Add a connection: choose the network, enter the credentials, and say which wallet uses it.
          </List.Item>
          <List.Item>Test it. The test moves no money.</List.Item>
          <List.Item>Activate it. From then on requests and payments go over it.</List.Item>
        </List>
        <div>
          <AddButton />
        </div>
      </Stack>
    </Panel>
  )
}
