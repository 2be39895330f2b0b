import { Group, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { sendingQuery } from '../../service-state.ts'
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
