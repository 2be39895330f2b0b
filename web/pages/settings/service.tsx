import { Group, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { maintenanceQuery, sendingQuery } from '../../service-state.ts'

/** Holds everything that would go to networks. The notice above every page releases it. */
export function SendingPanel() {
  const { data, error, refetch } = useQuery(sendingQuery)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return null
  const hold = (values: { reason: string }) => api.put('/sending', { held: true, ...values })
  return (
    <Panel
      title="Sending"
      about="While it is held, nothing new goes to networks and billers. The API accepts everything, and it waits."
    >
      {data.held && <Text fz="sm">It is held. The notice at the top of the page releases it.</Text>}
      {!data.yours && <Text fz="sm">Several organizations are served here, so only an operator may hold it.</Text>}
      {!data.held && data.yours && (
        <Group>
          <FormDialog
            button="Hold sending"
            title="Hold everything that goes to networks and billers?"
            submit="Hold sending"
            look={{ variant: 'default', size: 'xs' }}
            danger
            initial={{ reason: '' }}
            send={hold}
            done="Sending is held."
            fields={(form) => (
              <Textarea label="Why" description="All users see it." maxLength={500} {...form.getInputProps('reason')} />
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
    <Panel
      title="Maintenance"
      about="While it is on, the API and the console answer that the service is away; what was asked for before goes on."
    >
      {data.yours ? (
        <Group>
          <Confirm
            button={data.on ? 'End maintenance' : 'Begin maintenance'}
            title={data.on ? 'Open the service again?' : 'Close the service for a while?'}
            danger={!data.on}
            act={set(!data.on)}
            done={changed}
          >
            {data.on ? 'Calls are answered again within a second.' : 'Calls of the API get 503 until you end it.'}
          </Confirm>
        </Group>
      ) : (
        <Text fz="sm">Several organizations are served here, so only an operator may switch it.</Text>
      )}
    </Panel>
  )
}
