import { AreaChart } from '@mantine/charts'
import { Center, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatCompact, formatMoney, formatTime } from '../../format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { Transaction, Wallet } from '../../wire.ts'

const MAX_TRANSACTIONS = 200
const CHART_HEIGHT_PX = 220

/** A chart of the balance after each of the newest transactions. */
export default function BalanceChart({ wallet }: { wallet: Wallet }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/transactions', 'chart', wallet.id],
    queryFn: () =>
      api.get<List<Transaction>>('/transactions', { account: wallet.id, ordering: '-id', limit: MAX_TRANSACTIONS }),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data || data.results.length === 0)
    return (
      <Panel title={t('fields.balance')} about={t('wallets.chart_about')}>
        <Center h={CHART_HEIGHT_PX}>
          {data ? <Text c="dimmed">{t('wallets.no_transactions')}</Text> : <Loading />}
        </Center>
      </Panel>
    )
  const count = data.results.length
  const balance = String(wallet.balance)
  // The newest balance is valid until now, so the line ends now.
  const points = [...balancesOf(balance, data.results), { when: t('wallets.now'), balance: Number(balance) }]
  return (
    <Panel title={t('fields.balance')} about={t('wallets.chart_count', { count })}>
      <AreaChart
        h={CHART_HEIGHT_PX}
        data={points}
        dataKey="when"
        series={[{ name: 'balance', label: t('fields.balance'), color: 'green.7' }]}
        curveType="stepAfter"
        withDots={false}
        valueFormatter={(value) => formatMoney(String(value), wallet.currency)}
        yAxisProps={{ width: 64, domain: ['auto', 'auto'], tickFormatter: formatCompact }}
        xAxisProps={{ minTickGap: 60 }}
      />
    </Panel>
  )
}

/** Calculate the balances backwards from the current one. They are exact; only the drawn line is rounded. */
export function balancesOf(balance: string, newest_first: readonly Pick<Transaction, 'amount' | 'created'>[]) {
  let after = toUnits(balance)
  const points = newest_first.map(({ amount, created }) => {
    const point = { when: formatTime(created), balance: Number(after) / 10_000 }
    after -= toUnits(amount)
    return point
  })
  return points.reverse()
}

/** Parse an amount into ten-thousandths, as the service does. */
function toUnits(amount: string): bigint {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(amount) ?? ['', '', '0']
  const units = BigInt(`${whole}${decimals.padEnd(4, '0')}`)
  return sign === '-' ? -units : units
}
