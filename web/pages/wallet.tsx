import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api, queryText } from '../api.ts'
import { formatMoney, formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../texts/index.ts'
import type { Transaction, Wallet } from '../wire.ts'

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

/** One wallet with its transactions. */
export default function WalletPage() {
  const { id } = useParams({ strict: false })
  const { type, start_date, end_date }: Record<string, string> = useSearch({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/accounts', id],
    queryFn: () => api.get<Wallet>(`/accounts/${id}`),
    refetchInterval: 5_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/wallets">{t('shell.nav.wallets')}</BackLink>
      <ListPage<Transaction>
        title={data.name}
        about={t('wallets.holds', { money: formatMoney(String(data.balance), data.currency) })}
        path="/transactions"
        csv={false}
        fixed={{ account: data.id }}
        actions={
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={16} />}
            href={`/console/api/transactions${queryText({ account: data.id, type, start_date, end_date, format: 'csv' })}`}
            download
          >
            {t('wallets.statement')}
          </Button>
        }
        above={
          <Suspense fallback={<Skeleton h={CHART_PX} radius="md" />}>
            <BalanceChart wallet={data} />
          </Suspense>
        }
        empty={t('wallets.no_transactions')}
        poll_ms={5_000}
        filters={[
          { name: 'type', label: t('fields.type'), choices: types },
          { name: 'start_date', label: t('fields.from'), kind: 'date' },
          { name: 'end_date', label: t('fields.until'), kind: 'date' },
        ]}
        columns={[
          { title: t('wallets.time'), value: (row) => <Time at={row.created} /> },
          { title: t('fields.type'), value: (row) => formatWord(row.type) },
          { title: t('fields.description'), value: (row) => row.description },
          {
            title: t('fields.amount'),
            align: 'right',
            ordering: 'amount',
            value: (row) => <Money amount={row.amount} currency={row.currency} />,
          },
          {
            title: t('fields.id'),
            align: 'right',
            ordering: 'id',
            value: (row) => <span className="numeric">{row.id}</span>,
          },
        ]}
      />
    </>
  )
}
