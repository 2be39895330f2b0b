import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notifyProblem } from '../../parts/notify.ts'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import type { KnownBrowser } from '../../wire.ts'
import { deviceName } from './device-name.ts'

const queryKey = ['/account/browsers']

/** The browsers that are not held up when somebody else tries passwords. */
export function BrowsersPanel() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => api.get<{ results: KnownBrowser[] }>('/account/browsers'),
  })
  const refresh = () => client.invalidateQueries({ queryKey })
  return (
    <Panel
      title="Browsers that you have used"
      about="You can sign in with these at any time, also while somebody else is trying passwords. They still ask for yours."
      actions={
        data &&
        data.results.length > 0 && (
          <Confirm
            button="Forget all"
            title="Forget all browsers?"
            act={() => api.delete('/account/browsers')}
            done={refresh}
          >
            You stay signed in. Each browser is known again when you sign in with it.
          </Confirm>
        )
      }
    >
      {replacesContent(error, data) ? <Problem error={error} retry={refetch} /> : !data && <Loading />}
      {data?.results.length === 0 && (
        <Text fz="sm" c="dimmed">
          None is known.
        </Text>
      )}
      <Stack gap="xs">
        {data?.results.map((browser) => (
          <BrowserRow key={browser.id} browser={browser} refresh={refresh} />
        ))}
      </Stack>
    </Panel>
  )
}

function BrowserRow({ browser, refresh }: { browser: KnownBrowser; refresh(): void }) {
  const name = deviceName(browser.user_agent)
  const forget = useMutation({
    mutationFn: () => api.delete(`/account/browsers/${browser.id}`),
    onSuccess: () => {
      notifications.show({ color: 'green', message: `${name} is no longer known.` })
      refresh()
    },
    onError: notifyProblem,
  })
  return (
    <Group justify="space-between">
      <Text fz="sm" fw={browser.current ? 600 : undefined}>
        {name} at {browser.address}
        {browser.current && ', this browser'}
      </Text>
      <Group gap="sm">
        <Text fz="sm" c="dimmed">
          <Time at={browser.last_sign_in} />
        </Text>
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Forget ${name} at ${browser.address}`}
          loading={forget.isPending}
          onClick={() => forget.mutate()}
        >
          Forget
        </Button>
      </Group>
    </Group>
  )
}
