import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notifyProblem } from '../../parts/notify.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { KnownBrowser } from '../../wire.ts'
import { deviceName } from './device-name.ts'

const queryKey = ['/account/browsers']

/** The browsers that can sign in while others try passwords. */
export function BrowsersPanel() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => api.get<{ results: KnownBrowser[] }>('/account/browsers'),
  })
  const refresh = () => client.invalidateQueries({ queryKey })
  return (
    <Panel
      title={t('account.browsers.title')}
      about={t('account.browsers.about')}
      actions={
        data &&
        data.results.length > 0 && (
          <Confirm
            button={t('account.browsers.forget_all')}
            title={t('account.browsers.forget_all_title')}
            act={() => api.delete('/account/browsers')}
            done={refresh}
          >
            {t('account.browsers.forget_all_text')}
          </Confirm>
        )
      }
    >
      {replacesContent(error, data) ? <Problem error={error} retry={refetch} /> : !data && <Loading />}
      {data?.results.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t('account.browsers.empty')}
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
      notifications.show({ color: 'green', message: t('account.browsers.forgotten', { browser: name }) })
      refresh()
    },
    onError: notifyProblem,
  })
  return (
    <Group justify="space-between" gap="0 md">
      <Text fz="sm" fw={browser.current ? 600 : undefined}>
        {t(browser.current ? 'account.this_browser_at' : 'account.browser_at', {
          browser: name,
          address: browser.address,
        })}
      </Text>
      <Group gap="sm">
        <Text fz="sm" c="dimmed">
          <Time at={browser.last_sign_in} />
        </Text>
        <Button
          variant="default"
          size="compact-xs"
          aria-label={t('account.browsers.forget_named', { browser: name, address: browser.address })}
          loading={forget.isPending}
          onClick={() => forget.mutate()}
        >
          {t('account.browsers.forget')}
        </Button>
      </Group>
    </Group>
  )
}
