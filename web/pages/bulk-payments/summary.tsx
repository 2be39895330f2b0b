import { Alert, Badge, Group, Progress, Text } from '@mantine/core'
import { formatCount, formatMoney } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail } from '../../wire.ts'

/** Costs of the rows by currency and network, the wallets' coverage, and the progress. */
export function Summary({ bulk }: { bulk: BulkPaymentDetail }) {
  return (
    <Panel title={t('bulk.totals.title')} about={t('bulk.totals.about')}>
      <DataTable
        title={t('bulk.totals.title')}
        rows={bulk.totals}
        keyOf={(row) => `${row.account} ${row.network}`}
        columns={[
          { title: t('fields.wallet'), value: (row) => row.account_name },
          { title: t('fields.network'), value: (row) => row.network },
          { title: t('bulk.rows'), align: 'right', value: (row) => formatCount(row.rows) },
          { title: t('fields.amount'), align: 'right', value: (row) => formatMoney(row.amount, row.currency) },
          { title: t('bulk.totals.fees'), align: 'right', value: (row) => formatMoney(row.fee, row.currency) },
        ]}
      />
      <Funds bulk={bulk} />
      <States bulk={bulk} />
      <Names bulk={bulk} />
    </Panel>
  )
}

function Funds({ bulk: { funds, state } }: { bulk: BulkPaymentDetail }) {
  if (state === 'creating') return null
  return funds.map(({ account, account_name: name, currency, balance, needed }) => {
    const values = { name, balance: formatMoney(balance, currency), needed: formatMoney(needed, currency) }
    return toUnits(balance) >= toUnits(needed) ? (
      <Text key={account} fz="sm">
        {t('bulk.totals.enough', values)}
      </Text>
    ) : (
      <Alert key={account} color="red" role="alert">
        {t('bulk.totals.too_little', values)}
      </Alert>
    )
  })
}

/** The amounts of the service have four decimals, so they compare as whole numbers. */
function toUnits(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

const colors = {
  open: 'gray',
  left_out: 'gray',
  refused: 'red',
  waiting: 'blue',
  paid: 'green',
  failed: 'red',
} as const

function States({ bulk: { states, state, rows } }: { bulk: BulkPaymentDetail }) {
  if (state === 'draft') return null
  const counts = Object.entries(colors).map(([name, color]) => {
    const key = name as keyof typeof colors
    return { name: key, color, count: states[key] ?? 0 }
  })
  return (
    <>
      <Progress.Root size="lg" aria-hidden>
        {counts.map(({ name, color, count }) => (
          <Progress.Section key={name} value={(100 * count) / rows} color={color} />
        ))}
      </Progress.Root>
      <Group gap="xs">
        {counts
          .filter(({ count }) => count > 0)
          .map(({ name, color, count }) => (
            <Badge key={name} variant="dot" color={color} tt="none" fw={500}>
              {t(`bulk.states.${name}`)} {formatCount(count)}
            </Badge>
          ))}
      </Group>
    </>
  )
}

function Names({ bulk: { names } }: { bulk: BulkPaymentDetail }) {
  if (!names) return null
  const { pending = 0, matches = 0, differs = 0, not_registered = 0, unknown = 0 } = names
  const total = pending + matches + differs + not_registered + unknown
  if (pending > 0)
    return (
      <>
        <Text fz="sm" role="status">
          {t('bulk.names.progress', { done: formatCount(total - pending), total: formatCount(total) })}
        </Text>
        <Progress value={(100 * (total - pending)) / total} aria-label={t('bulk.names.title')} />
      </>
    )
  return (
    <Text fz="sm" role="status">
      {t('bulk.names.result', {
        matches: formatCount(matches),
        differs: formatCount(differs),
        not_registered: formatCount(not_registered),
        unknown: formatCount(unknown),
      })}
    </Text>
  )
}
