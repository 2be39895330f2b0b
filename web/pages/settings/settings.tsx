import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PendingChanges } from '../../parts/pending-change.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import type { Settings } from '../../wire.ts'
import { AcceptanceUrlPanel } from './acceptance-url.tsx'
import { ApprovalPanel } from './approval.tsx'
import { FeesPanel } from './fees.tsx'
import { LimitsPanel } from './limits.tsx'
import { OrganizationPanel } from './organization.tsx'
import { SecondFactorRulePanel } from './second-factor.tsx'

/** The settings of the organization. */
export default function SettingsPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['/settings'], queryFn: () => api.get<Settings>('/settings') })
  return (
    <>
      <PageHead title="Settings" about="What holds for the organization as a whole." />
      <Stack maw={860}>
        <PendingChanges />
        <Problem error={error} retry={refetch} />
        {data ? <Panels settings={data} changed={refetch} /> : !error && <Loading />}
        <MaintenancePanel />
      </Stack>
    </>
  )
}

function Panels({ settings, changed }: { settings: Settings; changed(): void }) {
  const { organization, alone, fees, approval, limits, second_factor_required, hook } = settings
  return (
    <>
      <OrganizationPanel organization={organization} />
      <ApprovalPanel rules={approval} changed={changed} />
      <LimitsPanel limits={limits} changed={changed} />
      <SecondFactorRulePanel required={second_factor_required} changed={changed} />
      <AcceptanceUrlPanel hook={hook} changed={changed} />
      <FeesPanel fees={fees} alone={alone} changed={changed} />
    </>
  )
}

/** The maintenance switch. It is available when there is one organization, and works during maintenance. */
function MaintenancePanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/maintenance'],
    queryFn: () => api.get<{ on: boolean; yours: boolean }>('/maintenance'),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
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
