import { Anchor, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount, formatMoney } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { UnmatchedMoney } from '../../wire.ts'
import { TodayReport } from './today-report.tsx'

const ages = ['days_0_7', 'days_8_30', 'days_31_90', 'days_over_90', 'left'] as const

/** Money that came in and is for nothing yet. */
export default function UnmatchedPage() {
  return (
    <TodayReport<UnmatchedMoney>
      path="/reports/unmatched"
      title={t('receivables.unmatched.title')}
      about={t('receivables.unmatched.about')}
      none={t('receivables.unmatched.none')}
      filters={[{ name: 'currency', label: t('fields.currency') }]}
    >
      {(data) => (
        <>
          <ByAge data={data} />
          <Payments data={data} />
        </>
      )}
    </TodayReport>
  )
}

function ByAge({ data }: { data: UnmatchedMoney }) {
  return (
    <Panel title={t('receivables.unmatched.by_age')}>
      <DataTable
        title={t('receivables.unmatched.by_age')}
        rows={data.totals}
        keyOf={({ currency }) => currency}
        columns={[
          { title: t('fields.currency'), value: ({ currency }) => currency },
          { title: t('reports.count'), align: 'right', value: ({ payments }) => formatCount(payments) },
          ...ages.map((age) => ({
            title: t(`receivables.unmatched.${age}`),
            align: 'right' as const,
            value: (row: UnmatchedMoney['totals'][number]) => formatMoney(row[`${age}_amount`]),
          })),
        ]}
      />
    </Panel>
  )
}

function Payments({ data }: { data: UnmatchedMoney }) {
  return (
    <Paper withBorder>
      <DataTable
        title={t('receivables.unmatched.title')}
        rows={data.rows}
        keyOf={({ collection }) => collection}
        columns={[
          { title: t('receivables.date'), value: ({ payment_date }) => <Time at={payment_date} /> },
          { title: t('receivables.unmatched.days'), align: 'right', value: ({ days }) => formatCount(days) },
          {
            title: t('fields.customer'),
            value: ({ contact, payer_name, phonenumber }) => (
              <>
                <Anchor component={Link} to={`/contacts/${contact}`} fz="sm" underline="always" className="numeric">
                  {phonenumber}
                </Anchor>
                <Text fz="sm" c="dimmed" className="any-break">
                  {payer_name}
                </Text>
              </>
            ),
          },
          { title: t('fields.reference'), value: ({ reference }) => reference },
          {
            title: t('receivables.unmatched.received'),
            align: 'right',
            value: ({ amount, currency }) => formatMoney(amount, currency),
          },
          {
            title: t('receivables.unmatched.left'),
            align: 'right',
            value: ({ left_amount, currency, collection }) => (
              <Anchor component={Link} to={`/collections/${collection}`} fz="sm" underline="always">
                {formatMoney(left_amount, currency)}
              </Anchor>
            ),
          },
        ]}
      />
    </Paper>
  )
}
