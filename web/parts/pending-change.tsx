import { Alert, Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type List } from '../api.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { ControlChange } from '../wire.ts'

/** The answer of a change that waits for a second manager; undefined or something else if it was made at once. */
export interface PendingAnswer {
  pending?: ControlChange
}

/** Return the message after a change: it is made, or it waits for a second manager. */
export function changeMessage(answer: unknown, made: string): string {
  return isPending(answer) ? t('parts.pending_change') : made
}

export function isPending(answer: unknown): boolean {
  return (answer as PendingAnswer | undefined)?.pending !== undefined
}

/** Announce the result of a change. */
export function notifyChange(answer: unknown, made: string): void {
  notifications.show({ color: isPending(answer) ? 'yellow' : 'green', message: changeMessage(answer, made) })
}

/** Tell managers that changes wait for a second manager. */
export function PendingChanges() {
  const { may } = useSession()
  const { data } = useQuery({
    queryKey: ['/control-changes', 'pending'],
    queryFn: () => api.get<List<ControlChange>>('/control-changes', { state: 'pending', limit: 1 }),
    enabled: may('manage_organization'),
  })
  if (!data || data.count === 0) return null
  return (
    <Alert color="yellow" title={t('parts.pending_changes', { count: data.count })}>
      {data.results[0]?.description}{' '}
      <Anchor component={Link} to="/changes" inherit>
        {t('parts.review_changes', { count: data.count })}
      </Anchor>
    </Alert>
  )
}
