import { Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { maintenanceQuery } from '../../service-state.ts'
import { t } from '../../texts/index.ts'

/** The switch that takes the service offline, away from the daily settings. It works during maintenance. */
export default function MaintenancePage() {
  return (
    <>
      <BackLink to="/settings">{t('shell.nav.settings')}</BackLink>
      <PageHead title={t('settings.maintenance.title')} about={t('settings.maintenance.about')} />
      <MaintenanceSwitch />
    </>
  )
}

/** The button for the managers of the only organization. */
function MaintenanceSwitch() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(maintenanceQuery)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return null
  const changed = () => client.invalidateQueries({ queryKey: maintenanceQuery.queryKey })
  const set = (on: boolean) => () => api.put('/maintenance', { on })
  return (
    <Panel title={t(data.on ? 'settings.maintenance.offline' : 'settings.maintenance.online')}>
      {data.yours ? (
        <Group>
          <Confirm
            button={t(data.on ? 'settings.maintenance.end' : 'settings.maintenance.start')}
            title={t(data.on ? 'settings.maintenance.end_title' : 'settings.maintenance.start_title')}
            danger={!data.on}
            act={set(!data.on)}
            done={changed}
          >
            {t(data.on ? 'settings.maintenance.end_text' : 'settings.maintenance.start_text')}
          </Confirm>
        </Group>
      ) : (
        <Text fz="sm">{t('settings.maintenance.operator')}</Text>
      )}
    </Panel>
  )
}
