import { formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { t } from '../texts/index.ts'
import type { Service } from '../wire.ts'
import { categories } from './purchases.tsx'

/** The services of bill payments. */
export default function Catalogue() {
  return (
    <>
      <BackLink to="/bills">{t('shell.nav.bills')}</BackLink>
      <ListPage<Service>
        title={t('bills.catalogue.title')}
        about={t('bills.catalogue.about')}
        path="/services"
        rowLink={(row) => `/bills/catalogue/${row.id}`}
        empty={t('bills.catalogue.none')}
        filters={[{ name: 'category', label: t('bills.catalogue.category'), choices: categories }]}
        columns={[
          { title: t('bills.service'), value: (row) => row.name },
          { title: t('fields.code'), value: (row) => row.service_type },
          { title: t('bills.catalogue.category'), value: (row) => formatWord(row.category) },
          { title: t('fields.country'), value: (row) => row.country },
          {
            title: t('bills.catalogue.minimum'),
            align: 'right',
            value: (row) => formatSum(row.minimum_amount, row.currency),
          },
          {
            title: t('bills.catalogue.maximum'),
            align: 'right',
            value: (row) => formatSum(row.maximum_amount, row.currency),
          },
          { title: t('fields.status'), value: (row) => <Status of={row.enabled ? 'active' : 'inactive'} /> },
        ]}
      />
    </>
  )
}

function formatSum(amount: string | null, currency: string) {
  return amount === null ? '—' : <Money amount={amount} currency={currency} />
}
