import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Panel } from '../../parts/panel.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Checklist } from '../../wire.ts'
import { ChecklistItems, checklistQuery, countOpen } from '../go-live/checklist.tsx'

/** Return the go-live checklist while an item is open, for the managers who operate a live service. */
export function useSetup(): { checklist: Checklist | undefined; isLoading: boolean } {
  const { mode, may } = useSession()
  const { data, isLoading } = useQuery({
    ...checklistQuery,
    enabled: mode === 'live' && may('manage_organization'),
  })
  return { checklist: data?.yours && countOpen(data) > 0 ? data : undefined, isLoading }
}

/** Open items of the checklist, above the figures of a service that collects already. */
export function OpenItems({ checklist }: { checklist: Checklist }) {
  return (
    <Panel
      title={t('connections.go_live.missing', { count: countOpen(checklist) })}
      actions={
        <Anchor component={Link} to="/go-live" fz="sm">
          {t('connections.go_live.view_all')}
        </Anchor>
      }
    >
      <ChecklistItems items={checklist.items.filter(({ state }) => state === 'open')} />
    </Panel>
  )
}
