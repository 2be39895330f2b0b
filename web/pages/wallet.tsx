import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../api.ts'
import { formatMoney, formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { FileMenu } from '../parts/files/file-menu.tsx'
import { type Column, ListPage } from '../parts/list-page.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Wallet, WalletTransaction } from '../wire.ts'
import { CauseLinks, Counterparty } from './wallets/cause.tsx'
import { FundWallet, RenameWallet, useIsOperator } from './wallets/dialogs.tsx'

/** The chart library is larger than the rest of the console, so it loads after the numbers are shown. */
const BalanceChart = lazy(() => import('./wallets/balance-chart.tsx'))

/** The height of the chart's panel, so that the list below does not move. */
const CHART_PX = 324

const types = [
  'mobile_collection',
  'mobile_payment',
  'airtime_topup',
  'bill_payment',
  'service_charge',
  'admin_funds_update',
]

const columns: Column<WalletTransaction>[] = [
  { name: 'time', title: t('wallets.time'), value: (row) => <Time at={row.created} /> },
  { name: 'type', card: 'note', title: t('fields.type'), value: (row) => formatWord(row.type) },
  {
    name: 'counterparty',
    title: t('wallets.counterparty'),
    value: (row) => <Counterparty cause={row.cause} />,
  },
  {
    name: 'caused_by',
    title: t('wallets.caused_by'),
    value: (row) => <CauseLinks cause={row.cause} description={row.description} />,
  },
  {
    name: 'amount',
    card: 'amount',
    title: t('fields.amount'),
    align: 'right',
    ordering: 'amount',
    value: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    name: 'balance',
    title: t('wallets.balance_after'),
    align: 'right',
    value: (row) => (row.balance === null ? '—' : <Money amount={row.balance} currency={row.currency} />),
  },
  {
    name: 'id',
    title: t('fields.id'),
    align: 'right',
    ordering: 'id',
    value: (row) => <span className="numeric">{row.id}</span>,
  },
]

/** Wallet with its transactions. */
export default function WalletPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/accounts', id],
    queryFn: () => api.get<Wallet>(`/accounts/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/wallets">{t('shell.nav.wallets')}</BackLink>
      <ListPage<WalletTransaction>
        title={data.name}
        audited={['account', data.id]}
        about={<Balances wallet={data} />}
        path={`/wallets/${data.id}/transactions`}
        csv={false}
        actions={<Actions wallet={data} />}
        above={
          <Suspense fallback={<Skeleton h={CHART_PX} radius="md" />}>
            <BalanceChart wallet={data} />
          </Suspense>
        }
        empty={t('wallets.no_transactions')}
        filters={[
          { name: 'type', label: t('fields.type'), choices: types },
          { name: 'days', label: t('wallets.time'), kind: 'days' },
        ]}
        columns={columns}
      />
    </>
  )
}

/** The forms of the operator and the managers, and the statement of the days in the filter. */
function Actions({ wallet }: { wallet: Wallet }) {
  const { days }: Record<string, string> = useSearch({ strict: false })
  const { may } = useSession()
  const operates = useIsOperator()
  return (
    <>
      {operates && wallet.status === 'active' && <FundWallet wallet={wallet} />}
      {may('manage_organization') && <RenameWallet wallet={wallet} />}
      <FileMenu path={`/wallets/${wallet.id}/statement`} query={{ days }} name={`statement-${wallet.id}`} />
    </>
  )
}

/** The balance of a wallet, and the money that is on hold. */
function Balances({ wallet: { id, balance, currency } }: { wallet: Wallet }) {
  const { data } = useQuery({
    queryKey: ['/accounts', String(id), 'held'],
    queryFn: () => api.get<{ held: string }>(`/wallets/${id}/held`),
  })
  return (
    <>
      {t('wallets.holds', { money: formatMoney(String(balance), currency) })}
      {data && (
        <Text component="span" display="block" inherit>
          {t('wallets.held', { money: formatMoney(data.held, currency) })}
        </Text>
      )}
    </>
  )
}
