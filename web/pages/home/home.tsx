import { Alert, Anchor, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatDate } from '../../format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { PendingChanges } from '../../parts/pending-change.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { Figures, Overview } from '../../wire.ts'
import { ApprovalsPanel } from '../approvals/approvals-panel.tsx'
import { ChecklistPanel } from '../go-live/checklist.tsx'
import { NeedsAttention } from './attention.tsx'
import { CollectedChart, Networks, RateChart } from './charts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Failures, Health, UnassignedNotice, Wallets } from './panels.tsx'
import { PeriodPicker, useChoice, useFigures } from './period.tsx'
import { OpenItems, useSetup } from './setup.tsx'
import { CurrencyPicker, currenciesOf, Tiles } from './tiles.tsx'

/** Overview of the organization: present tasks, and the figures of a period. */
export default function Home() {
  const { organization, mode, may } = useSession()
  const choice = useChoice()
  const figures = useFigures(choice)
  const { data, error, refetch } = useQuery({
    queryKey: ['home'],
    queryFn: () => api.get<Overview>('/home'),
  })
  const setup = useSetup()
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data || setup.isLoading) return <Loading />
  const checklist = setup.checklist
  // A service that has collected money shows it, even while a new item is open.
  // An approver sees the payments themselves, in a panel of their own.
  const attention = data.attention.filter(({ kind }) => kind !== 'approvals' || !may('approve_payments'))
  const isSetup = checklist !== undefined && data.requests.successful === 0
  return (
    <>
      <PageHead
        title={organization?.name ?? t('shell.nav.home')}
        about={isSetup ? t('connections.go_live.about') : figures.data && <Compared figures={figures.data} />}
        actions={!isSetup && <PeriodPicker choice={choice} shown={figures.data?.current} />}
      />
      <Stack>
        {data.warnings.map((text) => (
          <Alert key={text} color="red" title={t('home.service_warning')}>
            {translateMessage(text)}
          </Alert>
        ))}
        <ApprovalsPanel />
        <PendingChanges />
        <UnassignedNotice totals={data.unassigned} />
        <LatePayouts late={data.late_payouts} />
        <NotInstructed requests={data.not_instructed} />
        {attention.length > 0 && <NeedsAttention attention={attention} />}
        {checklist && (isSetup ? <ChecklistPanel checklist={checklist} /> : <OpenItems checklist={checklist} />)}
        {/* Its commands are for those who connect a program. */}
        {mode === 'sandbox' && may('manage_organization') && <FirstSteps />}
        {!isSetup && (
          <>
            <Problem error={figures.error} retry={figures.refetch} />
            {figures.data && <Report figures={figures.data} open={data.requests.open} />}
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {attention.length === 0 && <NeedsAttention attention={attention} />}
              <Wallets wallets={data.wallets} />
              <Health overview={data} />
            </SimpleGrid>
          </>
        )}
      </Stack>
    </>
  )
}

/** Shown days, the days compared with them, and their time zone. */
function Compared({ figures: { current, before, zone } }: { figures: Figures }) {
  const days = ({ from, to }: { from: string; to: string }) =>
    from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`
  return <>{t('home.compared', { current: days(current), before: days(before), zone })}</>
}

/** The figures of the period. */
function Report({ figures, open }: { figures: Figures; open: number }) {
  const currencies = currenciesOf(figures)
  const [chosen, setChosen] = useState<string>()
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : currencies[0]
  return (
    <>
      <CurrencyPicker currencies={currencies} value={currency} onChange={setChosen} />
      <Tiles figures={figures} currency={currency} open={open} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <CollectedChart figures={figures} currency={currency} />
        <RateChart figures={figures} />
        <Networks current={figures.current} before={figures.before} />
        <Failures failures={figures.current.failures} />
      </SimpleGrid>
    </>
  )
}

/** Payments that a person must check. */
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
