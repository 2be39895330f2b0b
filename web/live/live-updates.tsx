import { Group, Paper, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t } from '../texts/index.ts'
import { listReaders } from './list.ts'
import { live, useLiveState } from './stream.ts'
import { createUpdates, INTERRUPTED_MS, SLOW_POLL_MS } from './updates.ts'

/** Keep the data of the pages fresh, and say when updates are slow. */
export function LiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    const toShown = ({ queryHash: hash, queryKey, state }: Query) => ({
      hash,
      key: queryKey,
      data: state.data,
      refresh: listReaders.get(hash) ?? (() => client.invalidateQueries({ queryKey, exact: true })),
    })
    // Data of earlier pages is read when one of them is shown again.
    const shown = () =>
      client
        .getQueryCache()
        .findAll({ predicate: ({ meta }) => meta?.live !== false })
        .map(toShown)
    const updates = createUpdates(shown, () => document.hidden)
    const unfollow = live.follow(updates.listener)
    return () => {
      unfollow()
      updates.close()
    }
  }, [client])
  return <Interrupted />
}

/** Say that the stream is interrupted, once this lasts longer than a restart of the service. */
function Interrupted() {
  const open = useLiveState()
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (open) return
    const timer = window.setTimeout(() => setLate(true), INTERRUPTED_MS)
    return () => window.clearTimeout(timer)
  }, [open])
  return (
    <div role="status">
      {late && !open && (
        <Paper withBorder shadow="sm" px="md" py="xs" mb="md" className="connection">
          <Group gap="xs" wrap="nowrap">
            <IconPlugConnectedX size={18} aria-hidden />
            <Text fz="sm">{t('shell.live_interrupted', { count: SLOW_POLL_MS / 1_000 })}</Text>
          </Group>
        </Paper>
      )}
    </div>
  )
}
