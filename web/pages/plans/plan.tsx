import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney, formatTime, formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest, Plan } from '../../wire.ts'
import { PlanActions } from './actions.tsx'

const SHOWN_REQUESTS = 10

/** Recurring request: its dates, its collected sums, and its requests. */
export default function PlanPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/plans', id],
    queryFn: () => api.get<Plan>(`/plans/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/plans">{t('shell.nav.plans')}</BackLink>
      <PageHead
        title={t('fields.amount_from', {
          amount: formatMoney(data.amount, data.currency),
          phonenumber: data.phonenumber,
        })}
        about={
          <Group component="span" gap="xs" mt={6}>
            <Status state={data.state} noun="plan" /> {t('plans.plan_id', { id: data.id })}
          </Group>
        }
        actions={<PlanActions plan={data} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <PlanFacts plan={data} />
          <Totals plan={data} />
        </Stack>
        <Requests plan={data} />
      </SimpleGrid>
    </>
  )
}

function PlanFacts({ plan }: { plan: Plan }) {
  return (
    <Facts
      title={t('plans.plan')}
      facts={[
        [
          t('fields.customer'),
          <Anchor key="contact" component={Link} to={`/contacts/${plan.contact}`} inherit>
            {plan.customer_name}
          </Anchor>,
        ],
        [t('fields.phone_number'), plan.phonenumber],
        [t('fields.reason'), plan.reason],
        [t('requests.repeat.frequency'), plan.frequencies.map((one) => formatWord(one)).join(', ')],
        [t('requests.details.starts'), <Time key="start" at={plan.start_date} />],
        [t('requests.plan.ends'), <Time key="end" at={plan.end_date} />],
        ...(plan.paused && plan.state === 'paused'
          ? [[t('plans.paused_since'), <Time key="paused" at={plan.paused} />] as const]
          : []),
        [t('requests.plan.next'), <NextDates key="next" plan={plan} />],
      ]}
    />
  )
}

/** The next dates of a plan, or why there are none. */
export function NextDates({ plan }: { plan: Plan }) {
  if (plan.stopped) return <>{t('requests.plan.stopped', { time: formatTime(plan.stopped) })}</>
  if (plan.state === 'paused') return <>{t('plans.none_while_paused')}</>
  if (plan.next_dates.length === 0) return <>{t('requests.plan.ended')}</>
  return plan.next_dates.map((date) => (
    <Text key={date} fz="sm">
      {formatTime(date)}
    </Text>
  ))
}

function Totals({ plan }: { plan: Plan }) {
  const count = (number: number) => <span className="numeric">{formatCount(number)}</span>
  const { data: total } = useQuery({
    queryKey: ['/plans', String(plan.id), 'total'],
    queryFn: () => api.get<{ count: number; amount: string }>(`/plans/${plan.id}/total`),
  })
  return (
    <Facts
      title={t('plans.totals')}
      facts={[
        [
          t('plans.total'),
          total && (
            <>
              <Money amount={total.amount} currency={plan.currency} />
              <Text component="span" display="block" fz="xs" c="dimmed">
                {t('plans.total_of', { count: total.count, number: formatCount(total.count) })}
              </Text>
            </>
          ),
        ],
        [t('plans.collected'), <Money key="collected" amount={plan.collected_amount} currency={plan.currency} />],
        [t('requests.plan.count'), count(plan.occurrence_count)],
        [t('plans.paid_requests'), count(plan.collected_count)],
        [t('plans.open_requests'), count(plan.open_count)],
        [t('plans.failed'), count(plan.failed_count)],
        ...(plan.reversed_count > 0 ? [[formatWord('reversed'), count(plan.reversed_count)] as const] : []),
      ]}
    />
  )
}

/** The newest requests of a plan, and a link to all of them. */
function Requests({ plan }: { plan: Plan }) {
  const query = { plan: plan.id, limit: SHOWN_REQUESTS }
  const { data, error, refetch } = useQuery({
    queryKey: ['/collectionrequests', query],
    queryFn: () => api.get<List<CollectionRequest>>('/collectionrequests', query),
  })
  return (
    <Panel
      title={t('shell.nav.collection_requests')}
      actions={
        <Button variant="default" size="xs" component={Link} to={`/collectionrequests?plan=${plan.id}`}>
          {t('plans.all_requests')}
        </Button>
      }
    >
      {replacesContent(error, data) ? (
        <Problem error={error} retry={refetch} />
      ) : (
        <DataTable<CollectionRequest>
          title={t('shell.nav.collection_requests')}
          rows={data?.results ?? []}
          keyOf={(row) => row.id}
          columns={[
            {
              title: t('fields.request'),
              value: (row) => (
                <Anchor component={Link} to={`/collectionrequests/${row.id}`} inherit>
                  {t('fields.request_id', { id: row.id })}
                </Anchor>
              ),
            },
            { title: t('requests.requested'), value: (row) => <Time at={row.created} /> },
            {
              title: t('fields.status'),
              status: true,
              value: (row) => <Status state={row.status} noun="collectionrequest" />,
            },
          ]}
        />
      )}
    </Panel>
  )
}
