import { Text } from '@mantine/core'
import { formatMoney } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import type { ColumnCell } from '../../parts/list/column.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPayment } from '../../wire.ts'
import { Progress } from './progress.tsx'
import { Upload } from './upload.tsx'

/** The list of files of payments. */
export default function BulkPayments() {
  const { may } = useSession()
  return (
    <>
      <BackLink to="/payments">{t('shell.nav.payments')}</BackLink>
      <ListPage<BulkPayment>
        title={t('bulk.title')}
        about={t('bulk.about')}
        path="/bulk-payments"
        rowLink={(row) => `/bulk-payments/${row.id}`}
        primary={may('initiate_payments') && <Upload />}
        empty={t('bulk.none')}
        columns={[
          { title: t('bulk.file'), value: (row) => row.file_name },
          { title: t('fields.description'), value: (row) => row.description },
          {
            title: t('fields.amount'),
            align: 'right',
            value: ({ rows, sums }) => <Part rows={rows} sums={sums} of="amount" />,
            file: ({ sums }) => describe(sums, 'amount'),
            beside: [{ title: t('bulk.rows'), file: ({ rows }) => rows }],
          },
          {
            title: t('bulk.show.paid'),
            align: 'right',
            value: ({ paid_rows, sums }) => <Part rows={paid_rows} sums={sums} of="paid" />,
            file: ({ sums }) => describe(sums, 'paid'),
          },
          {
            title: t('bulk.show.failed'),
            align: 'right',
            value: ({ failed_rows, sums }) => <Part rows={failed_rows} sums={sums} of="failed" />,
            file: ({ sums }) => describe(sums, 'failed'),
          },
          {
            title: t('fields.state'),
            status: true,
            value: (row) => <Progress bulk={row} />,
            file: ({ progress }) => t(`bulk.progress.${progress}`),
          },
          { title: t('bulk.by'), value: (row) => row.author_name },
          {
            title: t('fields.created'),
            ordering: 'id',
            value: (row) => <Time at={row.created} />,
            file: (row) => ({ time: row.created }),
          },
        ]}
      />
    </>
  )
}

type Sum = BulkPayment['sums'][number]

/** Sums of the currencies, below each other. */
function Sums({ sums, of }: { sums: readonly Sum[]; of: 'amount' | 'paid' | 'failed' }) {
  return sums.map((sum) => (
    <div key={sum.currency}>
      <Money amount={sum[of]} currency={sum.currency} />
    </div>
  ))
}

/** The sums in a cell of a file: a number in one currency, else a text. */
function describe(sums: readonly Sum[], of: 'amount' | 'paid' | 'failed'): ColumnCell {
  const [only, ...others] = sums
  if (only && others.length === 0) return { amount: only[of], currency: only.currency }
  return sums.map((sum) => formatMoney(sum[of], sum.currency)).join('; ')
}

/** Sums, and the number of their rows. */
function Part({ rows, sums, of }: { rows: number; sums: readonly Sum[]; of: 'amount' | 'paid' | 'failed' }) {
  if (rows === 0) return '—'
  return (
    <>
      <Sums sums={sums} of={of} />
      <Text fz="xs" c="dimmed">
        {t('bulk.row_count', { count: rows })}
      </Text>
    </>
  )
}
