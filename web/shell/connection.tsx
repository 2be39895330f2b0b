import { Button, Group, Paper, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isOutage } from '../api.ts'
import { t } from '../texts/index.ts'

/** Warn that the shown data may be old, while the service is unreachable or fails. */
export function ConnectionNotice() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  const message = useSyncExternalStore(
    subscribe,
    () => cache.findAll({ type: 'active' }).find(isOutdated)?.state.error?.message,
  )
  return (
    <div role="status">
      {message && (
        <Paper withBorder shadow="sm" px="md" py="xs" mb="md" className="connection">
          <Group justify="space-between" gap="xs">
            <Group gap="xs" wrap="nowrap">
              <IconCloudOff size={18} aria-hidden />
              <Text fz="sm">{t('shell.outdated', { problem: message })}</Text>
            </Group>
            <Button size="xs" variant="default" onClick={() => client.refetchQueries({ predicate: isOutdated })}>
              {t('parts.try_again')}
            </Button>
          </Group>
        </Paper>
      )}
    </div>
  )
}

/** Return true if the last refresh of any shown data failed. */
function isOutdated({ state: { data, error } }: Query): boolean {
  return data !== undefined && isOutage(error)
}
