import { Alert, Group, Loader, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { formatMoney, formatWord } from '../format.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Facts } from '../parts/facts.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import type { Fee, Settings } from '../wire.ts'
import { ApprovalPanel } from './settings/approval.tsx'
import { HookPanel } from './settings/hook.tsx'

/** What holds for the organization as a whole. */
export default function SettingsPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['/settings'], queryFn: () => api.get<Settings>('/settings') })
  return (
    <>
      <PageHead title="Settings" about="What holds for the organization as a whole." />
      <Stack maw={860}>
        <Problem error={error} retry={refetch} />
        {data ? <Panels settings={data} changed={refetch} /> : !error && <Loader aria-label="Loading" />}
        <MaintenancePanel />
      </Stack>
    </>
  )
}

function Panels({ settings, changed }: { settings: Settings; changed(): void }) {
  const { organization, fees, approval, hook } = settings
  return (
    <>
      <Facts
        title="Organization"
        facts={[
          ['Name', organization.name],
          ['Id', organization.id],
          ['Since', <Time key="created" at={organization.created} />],
        ]}
      />
      <ApprovalPanel rules={approval} changed={changed} />
      <HookPanel hook={hook} changed={changed} />
      <FeesPanel fees={fees} />
    </>
  )
}

function FeesPanel({ fees }: { fees: Fee[] }) {
  return (
    <Panel title="Fees" about="What you are charged. An operator sets them.">
      {fees.length === 0 ? (
        <Text fz="sm">Nothing costs anything.</Text>
      ) : (
        <Table.ScrollContainer type="native" minWidth={560} tabIndex={0} role="region" aria-label="Fees">
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>For</Table.Th>
                <Table.Th>Network</Table.Th>
                <Table.Th>Fee</Table.Th>
                <Table.Th>Bounds</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fees.map((fee) => (
                <Table.Tr key={fee.id}>
                  <Table.Td>
                    {formatWord(fee.kind)} in {fee.currency}
                  </Table.Td>
                  <Table.Td>{fee.network ?? 'All'}</Table.Td>
                  <Table.Td>
                    {formatMoney(fee.fixed, fee.currency)} and {formatMoney(fee.percent)} %
                  </Table.Td>
                  <Table.Td>
                    at least {formatMoney(fee.least)}
                    {fee.most !== null && `, at most ${formatMoney(fee.most)}`}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  )
}

/** It is at hand only where one organization is served; and it works while the rest of the console is closed. */
function MaintenancePanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/maintenance'],
    queryFn: () => api.get<{ on: boolean; yours: boolean }>('/maintenance'),
  })
  if (error) return <Problem error={error} retry={refetch} />
  if (!data) return null
  const set = (on: boolean) => () => api.put('/maintenance', { on })
  return (
    <Panel
      title="Maintenance"
      about="While it is on, the API and the console answer that the service is away; what was asked for before goes on."
    >
      {data.on && <Alert color="orange" title="Maintenance is on." />}
      {data.yours ? (
        <Group>
          <Confirm
            button={data.on ? 'End maintenance' : 'Begin maintenance'}
            title={data.on ? 'Open the service again?' : 'Close the service for a while?'}
            danger={!data.on}
            act={set(!data.on)}
            done={refetch}
          >
            {data.on ? 'Everybody is served again within a second.' : 'Whoever calls the API is sent away with 503.'}
          </Confirm>
        </Group>
      ) : (
        <Text fz="sm">Several organizations are served here, so only an operator may switch it.</Text>
      )}
    </Panel>
  )
}
