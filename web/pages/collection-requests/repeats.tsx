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
      title="Repeated"
      actions={
        plan.next_dates.length > 0 &&
        may('initiate_collections') && (
          <Confirm
            button="Stop repeating"
            title="Stop repeating this request?"
            danger
            act={() => api.post(`/collectionrequests/${request}/plan/stop`)}
            done={() => client.invalidateQueries({ queryKey: key })}
          >
            The customer is not asked again. The requests that were made already stay as they are.
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
      'This one'
    ) : (
      <Anchor key="first" component={Link} to={`/collectionrequests/${plan.collection_request}`} inherit>
        Request {plan.collection_request}
      </Anchor>
    )
  return [
    ['How often', formatWord(plan.frequencies.join(', '))],
    ['Until', <Time key="end" at={plan.end_date} />],
    ['First', first],
    ['Made so far', plan.occurrence_count],
    ['Next', <NextDates key="next" plan={plan} />],
  ] as const
}

function NextDates({ plan }: { plan: Plan }) {
  if (plan.stopped)
    return (
      <>
        None: stopped on <Time at={plan.stopped} />
      </>
    )
  if (plan.next_dates.length === 0) return <>None: it is at its end</>
  return plan.next_dates.map((date) => (
    <Text key={date} fz="sm">
      {formatTime(date)}
    </Text>
  ))
}
