import { Group, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { maintenanceQuery, sendingQuery } from '../../service-state.ts'
import { t } from '../../texts/index.ts'

/** Hold everything that would go to networks. The notice above every page releases it. */
export function SendingPanel() {
  const { data, error, refetch } = useQuery(sendingQuery)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return null
  const hold = (values: { reason: string }) => api.put('/sending', { held: true, ...values })
  return (
    <Panel title={t('settings.sending.title')} about={t('settings.sending.about')}>
      {data.held && <Text fz="sm">{t('settings.sending.held')}</Text>}
      {!data.yours && <Text fz="sm">{t('settings.sending.operator')}</Text>}
      {!data.held && data.yours && (
        <Group>
          <FormDialog
            button={t('settings.sending.hold')}
            title={t('settings.sending.hold_title')}
            submit={t('settings.sending.hold')}
            look={{ variant: 'default', size: 'xs' }}
            danger
            initial={{ reason: '' }}
            send={hold}
            done={t('shell.sending.title')}
            fields={(form) => (
              <Textarea
                label={t('settings.sending.reason')}
                description={t('settings.sending.reason_about')}
                maxLength={500}
                {...form.getInputProps('reason')}
              />
            )}
          />
        </Group>
      )}
    </Panel>
  )
}

/** The maintenance switch. It is available when there is one organization, and works during maintenance. */
export function MaintenancePanel() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(maintenanceQuery)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return null
  const changed = () => client.invalidateQueries({ queryKey: maintenanceQuery.queryKey })
  const set = (on: boolean) => () => api.put('/maintenance', { on })
  return (
    <Panel title={t('settings.maintenance.title')} about={t('settings.maintenance.about')}>
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
