import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useEndSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { deviceName } from './device-name.ts'

interface OpenSession {
  id: number
  address: string
  user_agent: string
  last_seen: string
  current: boolean
}

/** The sessions of the user, and a button that ends all of them. */
export function SessionsPanel() {
  const leave = useEndSession()
  const [end_keys, setEndKeys] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['/account/sessions'],
    queryFn: () => api.get<{ results: OpenSession[] }>('/account/sessions'),
  })
  return (
    <Panel
      title={t('account.sessions.title')}
      actions={
        <Confirm
          button={t('account.sessions.end_all')}
          title={t('account.sessions.end_all_title')}
          danger
          act={() => api.delete('/account/sessions', { end_keys })}
          done={leave}
        >
          {t('account.sessions.end_all_text')}
          <Checkbox
            mt="md"
            label={t('account.sessions.end_keys')}
            checked={end_keys}
            onChange={(event) => setEndKeys(event.currentTarget.checked)}
          />
        </Confirm>
      }
    >
      {replacesContent(error, data) ? <Problem error={error} retry={refetch} /> : !data && <Loading />}
      <Stack gap="xs">
        {data?.results.map((session) => (
          <Group key={session.id} justify="space-between" gap="0 md">
            <Text fz="sm" fw={session.current ? 600 : undefined}>
              {t(session.current ? 'account.this_browser_at' : 'account.browser_at', {
                browser: deviceName(session.user_agent),
                address: session.address,
              })}
            </Text>
            <Text fz="sm" c="dimmed">
              <Time at={session.last_seen} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}
