import { Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatTime, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Plan } from '../../wire.ts'

/** The recurrence of a request with its next dates, and a button that stops it. Empty for a single request. */
export function Repeats({ request }: { request: number }) {
  const { may } = useSession()
  const client = useQueryClient()
  const key = ['/collectionrequests', request, 'plan']
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.get<{ plan: Plan | null }>(`/collectionrequests/${request}/plan`),
    refetchInterval: 15_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  const plan = data?.plan
  if (!plan) return null
  return (
    <Panel
      title={t('requests.plan.title')}
      actions={
        plan.next_dates.length > 0 &&
        may('initiate_collections') && (
          <Confirm
            button={t('requests.plan.stop')}
            title={t('requests.plan.stop_title')}
            danger
            act={() => api.post(`/collectionrequests/${request}/plan/stop`)}
            done={() => client.invalidateQueries({ queryKey: key })}
          >
            {t('requests.plan.stop_text')}
          </Confirm>
        )
      }
    >
      <Facts bare facts={factsOf(plan, request)} />
    </Panel>
  )
}

function factsOf(plan: Plan, request: number) {
  const first =
    plan.collection_request === request ? (
      t('requests.plan.this')
    ) : (
      <Anchor key="first" component={Link} to={`/collectionrequests/${plan.collection_request}`} inherit>
        {t('fields.request_id', { id: plan.collection_request })}
      </Anchor>
    )
  return [
    [t('requests.repeat.frequency'), plan.frequencies.map(formatWord).join(', ')],
    [t('requests.plan.ends'), <Time key="end" at={plan.end_date} />],
    [t('requests.plan.first'), first],
    [t('requests.plan.count'), plan.occurrence_count],
    [t('requests.plan.next'), <NextDates key="next" plan={plan} />],
  ] as const
}

function NextDates({ plan }: { plan: Plan }) {
  if (plan.stopped) return <Trans i18nKey="requests.plan.stopped" components={{ time: <Time at={plan.stopped} /> }} />
  if (plan.next_dates.length === 0) return <>{t('requests.plan.ended')}</>
  return plan.next_dates.map((date) => (
    <Text key={date} fz="sm">
      {formatTime(date)}
    </Text>
  ))
}
