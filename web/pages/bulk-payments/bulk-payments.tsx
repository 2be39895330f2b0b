import { formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPayment } from '../../wire.ts'
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
        actions={may('initiate_payments') && <Upload />}
        empty={t('bulk.none')}
        columns={[
          { title: t('bulk.file'), value: (row) => row.file_name },
          { title: t('fields.description'), value: (row) => row.description },
          {
            title: t('bulk.rows'),
            align: 'right',
            value: (row) => <span className="numeric">{row.rows}</span>,
            file: (row) => row.rows,
          },
          {
            title: t('fields.state'),
            status: true,
            value: (row) => <Status state={row.state} noun="bulkpayment" />,
            file: (row) => formatWord(row.state, 'bulkpayment'),
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
