import { Anchor, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount, formatDate, formatMoney } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { t } from '../../texts/index.ts'
import type { Ageing } from '../../wire.ts'
import { TodayReport } from './today-report.tsx'

const ages = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90', 'open'] as const

/** Debts of customers, by the time overdue. */
export default function AgeingPage() {
  return (
    <TodayReport<Ageing>
      path="/reports/ageing"
      title={t('receivables.ageing.title')}
      about={t('receivables.ageing.about')}
      none={t('receivables.ageing.none')}
      filters={[
        { name: 'tag', label: t('receivables.ageing.tag') },
        { name: 'currency', label: t('fields.currency') },
      ]}
    >
      {(data) => <Customers data={data} />}
    </TodayReport>
  )
}

type Row = Ageing['rows'][number] | Ageing['totals'][number]

/** The rows of a page, and the totals of all pages. */
function Customers({ data }: { data: Ageing }) {
  return (
    <Paper withBorder>
      <DataTable<Row>
        title={t('receivables.ageing.title')}
        rows={[...data.rows, ...data.totals]}
        keyOf={(row) => `${'contact' in row ? row.contact : 'total'} ${row.currency}`}
        columns={[
          { title: t('fields.customer'), value: (row) => <Customer row={row} /> },
          {
            title: t('receivables.ageing.oldest'),
            value: (row) => ('contact' in row ? formatDate(row.oldest_due_date) : null),
          },
          { title: t('receivables.invoices'), align: 'right', value: (row) => formatCount(row.invoices) },
          ...ages.map((age) => ({
            title: t(`receivables.ageing.${age}`),
            align: 'right' as const,
            value: (row: Row) => formatMoney(row[`${age}_amount`], age === 'open' ? row.currency : undefined),
          })),
        ]}
      />
    </Paper>
  )
}

function Customer({ row }: { row: Row }) {
  if (!('contact' in row)) return <strong>{t('receivables.page_total', { currency: row.currency })}</strong>
  const { contact, customer_number, customer_name, phonenumber, tags } = row
  return (
    <>
      <Anchor
        component={Link}
        to={`/contacts/${contact}/statement?currency=${row.currency}`}
        fz="sm"
        underline="always"
      >
        {customer_name || phonenumber || customer_number || contact}
      </Anchor>
      <Text fz="sm" c="dimmed" className="any-break">
        {[customer_number, ...tags].filter(Boolean).join(', ')}
      </Text>
    </>
  )
}
