import { formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import type { Service } from '../wire.ts'
import { categories } from './purchases.tsx'

/** The services of bill payments. */
export default function Catalogue() {
  return (
    <>
      <BackLink to="/bills">Bills</BackLink>
      <ListPage<Service>
        title="Catalogue"
        about="The services and prices of bill payments. An operator imports them."
        path="/services"
        rowLink={(row) => `/bills/catalogue/${row.id}`}
        empty="Nothing is on sale yet."
        filters={[{ name: 'category', label: 'Category', choices: categories }]}
        columns={[
          { title: 'Service', value: (row) => row.name },
          { title: 'Code', value: (row) => row.service_type },
          { title: 'Category', value: (row) => formatWord(row.category) },
          { title: 'Country', value: (row) => row.country },
          { title: 'Minimum', align: 'right', value: (row) => formatSum(row.minimum_amount, row.currency) },
          { title: 'Maximum', align: 'right', value: (row) => formatSum(row.maximum_amount, row.currency) },
          { title: 'Status', value: (row) => <Status of={row.enabled ? 'active' : 'inactive'} /> },
        ]}
      />
    </>
  )
}

function formatSum(amount: string | null, currency: string) {
  return amount === null ? '—' : <Money amount={amount} currency={currency} />
}
