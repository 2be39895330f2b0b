import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { ConsoleConnectionDetail, TestResult } from '../../wire.ts'
import { TestResults } from './test-connection.tsx'

/** `addresses`: those that the network wants registered one by one, where it does. */
interface Addresses {
  address: string
  addresses: { name: string; address: string }[]
}

function listOf({ address, addresses }: Addresses) {
  return addresses.length > 0 ? addresses : [{ name: t('connections.callback.url'), address }]
}

/** The address at which the network reports, to copy or to register. */
export function CallbackAddress({ connection: { slug, network, callbacks } }: { connection: ConsoleConnectionDetail }) {
  const show = useMutation({
    mutationFn: () => api.post<Addresses>(`/connections/${slug}/callback-address`),
  })
  const register = useMutation({
    mutationFn: () =>
      api.post<{ passed: boolean; results: TestResult[] }>(`/connections/${slug}/callback-address/register`),
  })
  if (!callbacks.sends) return <Text fz="sm">{t('connections.callback.none', { network })}</Text>
  return (
    <Stack>
      <Text fz="sm">{t('connections.callback.about', { network })}</Text>
      {!callbacks.reachable && (
        <Alert color="yellow" title={t('connections.callback.unreachable')}>
          {t('connections.callback.unreachable_text', { network })}
        </Alert>
      )}
      {show.data && listOf(show.data).map(({ name, address }) => <CopyField key={name} label={name} value={address} />)}
      <Problem error={show.error ?? register.error} />
      {register.data && <TestResults results={register.data.results} passed={register.data.passed} />}
      <Group gap="xs">
        {!show.data && (
          <Button variant="default" loading={show.isPending} onClick={() => show.mutate()}>
            {t('connections.callback.show')}
          </Button>
        )}
        {callbacks.can_register && callbacks.reachable && (
          <Button variant="default" loading={register.isPending} onClick={() => register.mutate()}>
            {t('connections.callback.register', { network })}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
