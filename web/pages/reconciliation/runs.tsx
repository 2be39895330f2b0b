import { formatCount, formatDay } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { ReconciliationRun } from '../../wire.ts'
import { CompareStatement } from './compare-statement.tsx'

/** The statements of networks that were compared with the ledger. */
export default function Runs() {
  const { may } = useSession()
  return (
    <ListPage<ReconciliationRun>
      title={t('shell.nav.reconciliation')}
      about={t('reconciliation.about')}
      path="/reconciliations"
      rowLink={(row) => `/reconciliation/${row.id}`}
      empty={t('reconciliation.none')}
      primary={may('initiate_payments') && <CompareStatement />}
      columns={[
        { title: t('reconciliation.statement'), value: (row) => row.file_name },
        { title: t('reconciliation.connection'), value: (row) => row.connection },
        { title: t('reconciliation.period'), value: (row) => periodOf(row) },
        {
          title: t('reconciliation.lines'),
          align: 'right',
          value: (row) => formatCount(row.lines),
          file: (row) => row.lines,
        },
        {
          title: t('reconciliation.differences'),
          align: 'right',
          value: (row) => formatCount(row.differences),
          file: (row) => row.differences,
        },
        {
          title: t('reconciliation.open'),
          align: 'right',
          value: (row) => formatCount(row.open),
          file: (row) => row.open,
        },
        { title: t('reconciliation.by'), value: (row) => row.author_name },
        {
          title: t('fields.created'),
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
      ]}
    />
  )
}

/** The days that a statement covers. */
export function periodOf({ period_from, period_to }: ReconciliationRun): string {
  const [from, to] = [formatDay(period_from), formatDay(period_to)]
  return from === to ? from : t('reconciliation.days', { from, to })
}
