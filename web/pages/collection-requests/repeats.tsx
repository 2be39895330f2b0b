import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { Plan } from '../../wire.ts'
import { PlanActions } from '../plans/actions.tsx'
import { NextDates } from '../plans/plan.tsx'

/** The plan of a request with its next dates, and buttons that change it. Empty for a single request. */
export function Repeats({ request }: { request: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/collectionrequests', request, 'plan'],
    queryFn: () => api.get<{ plan: Plan | null }>(`/collectionrequests/${request}/plan`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  const plan = data?.plan
  if (!plan) return null
  return (
    <Panel
      title={t('requests.plan.title')}
      actions={
        <Group gap="xs">
          <PlanActions plan={plan} size="xs" />
        </Group>
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
    [
      t('plans.plan'),
      <Anchor key="plan" component={Link} to={`/plans/${plan.id}`} inherit>
        {t('plans.plan_id', { id: plan.id })}
      </Anchor>,
    ],
    [t('fields.state'), <Status key="state" state={plan.state} noun="plan" />],
    [t('requests.repeat.frequency'), plan.frequencies.map((one) => formatWord(one)).join(', ')],
    [t('requests.plan.ends'), <Time key="end" at={plan.end_date} />],
    [t('requests.plan.first'), first],
    [t('requests.plan.count'), plan.occurrence_count],
    [t('requests.plan.next'), <NextDates key="next" plan={plan} />],
  ] as const
}
