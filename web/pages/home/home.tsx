import { Alert, Anchor, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { PendingChanges } from '../../parts/pending-change.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Overview } from '../../wire.ts'
import { Days } from './days.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Failures, Health, UnassignedNotice, Wallets } from './panels.tsx'

/** An overview of the organization. */
export default function Home() {
  const { organization, mode } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['home'],
    queryFn: () => api.get<Overview>('/home'),
    refetchInterval: 10_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <PageHead title={organization?.name ?? t('shell.nav.home')} about={t('home.about')} />
      <Stack>
        {data.warnings.map((text) => (
          <Alert key={text} color="red" title={t('home.service_warning')}>
            {text}
          </Alert>
        ))}
        <PendingChanges />
        <UnassignedNotice totals={data.unassigned} />
        <LatePayouts late={data.late_payouts} />
        <NotInstructed requests={data.not_instructed} />
        {mode === 'sandbox' && <FirstSteps requests={data.requests} />}
        <Figures overview={data} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Days overview={data} />
          <Failures week={data.week} />
          <Wallets wallets={data.wallets} />
          <Health overview={data} />
        </SimpleGrid>
      </Stack>
    </>
  )
}

/** Payments that a person has to look into. */
function LatePayouts({ late }: { late: Overview['late_payouts'] }) {
  if (late.length === 0) return null
  return (
    <Alert color="orange" title={t('home.late_payouts.title')}>
      {t('home.late_payouts.look')}{' '}
      {late.map(({ payment, currency, amount }, index) => (
        <span key={payment}>
          {index > 0 && ', '}
          <Anchor component={Link} to={`/payments/${payment}`} inherit underline="always">
            {t('home.late_payouts.payment', { id: payment })}
          </Anchor>{' '}
          (<Money amount={amount} currency={currency} />)
        </span>
      ))}
    </Alert>
  )
}

/** Open requests whose customers may not know how to pay. */
function NotInstructed({ requests }: { requests: Overview['not_instructed'] }) {
  if (requests.length === 0) return null
  return (
    <Alert color="orange" title={t('home.not_instructed.title')} role="status">
      {requests.map(({ collection_request, phonenumber, problem }) => (
        <div key={collection_request}>
          <Trans
            i18nKey={problem ? 'home.not_instructed.request_problem' : 'home.not_instructed.request'}
            values={{ id: collection_request, phonenumber, problem }}
            components={{
              a: (
                <Anchor component={Link} to={`/collectionrequests/${collection_request}`} inherit underline="always" />
              ),
            }}
          />
        </div>
      ))}
    </Alert>
  )
}

function Figures({ overview: { now, days, week, requests } }: { overview: Overview }) {
  const today = days.filter(({ day }) => day === now.slice(0, 10))
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <Figure title={t('home.collected_today')}>
        {today.length === 0
          ? '—'
          : today.map(({ currency, amount }) => (
              <div key={currency}>
                <Money amount={amount} currency={currency} />
              </div>
            ))}
      </Figure>
      <Figure title={t('home.success_rate')}>
        {week.ended === 0 ? '—' : `${formatCount(Math.round((1_000 * week.successful) / week.ended) / 10)} %`}
      </Figure>
      <Figure title={t('home.open_requests')}>
        <Anchor component={Link} to="/collectionrequests" inherit c="inherit" underline="hover">
          {formatCount(requests.open)}
        </Anchor>
      </Figure>
    </SimpleGrid>
  )
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap">
        <Text fz="sm" c="dimmed">
          {title}
        </Text>
      </Group>
      <Text fz={26} fw={700} mt={4} component="div" className="numeric" lh={1.25}>
        {children}
      </Text>
    </Paper>
  )
}
