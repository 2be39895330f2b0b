import { countryName, formatWord } from '../format.ts'
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
          { name: 'service', title: t('bills.service'), value: (row) => row.name },
          {
            name: 'code',
            title: t('fields.code'),
            value: (row) => <span className="code-text">{row.service_type}</span>,
          },
          { name: 'category', title: t('bills.catalogue.category'), value: (row) => formatWord(row.category) },
          { name: 'country', title: t('fields.country'), value: (row) => countryName(row.country) },
          {
            name: 'minimum',
            title: t('bills.catalogue.minimum'),
            align: 'right',
            value: (row) => formatSum(row.minimum_amount, row.currency),
          },
          {
            name: 'maximum',
            title: t('bills.catalogue.maximum'),
            align: 'right',
            value: (row) => formatSum(row.maximum_amount, row.currency),
          },
          {
            name: 'status',
            title: t('fields.status'),
            status: true,
            value: (row) => <Status state={row.enabled ? 'active' : 'inactive'} />,
          },
        ]}
      />
    </>
  )
}

function formatSum(amount: string | null, currency: string) {
  return amount === null ? '—' : <Money amount={amount} currency={currency} />
}
