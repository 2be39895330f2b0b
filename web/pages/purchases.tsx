import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatWord } from '../format.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import type { Purchase } from '../wire.ts'

export const categories = ['airtime', 'databundle', 'cabletv', 'electricity', 'epin', 'exampin']

/** The list of bill purchases. */
export default function Purchases() {
  const { may } = useSession()
  return (
    <ListPage<Purchase>
      title="Bills"
      about="Airtime, data, electricity, TV and pins that were bought, and the result of each purchase."
      path="/purchases"
      cards
      rowLink={(row) => `/bills/${row.id}`}
      actions={
        <>
          {may('manage_organization') && (
            <Button variant="default" component={Link} to="/bills/providers">
              Providers
            </Button>
          )}
          <Button variant="default" component={Link} to="/bills/catalogue">
            Catalogue
          </Button>
        </>
      }
      empty="Nothing was bought yet."
      poll_ms={5_000}
      filters={[
        { name: 'status', label: 'Status', choices: ['pending', 'success', 'failed'] },
        { name: 'kind', label: 'Kind', choices: categories },
        { name: 'agent_reference', label: 'Reference' },
      ]}
      columns={[
        { title: 'Service', value: (row) => `${formatWord(row.kind)}, ${row.service_type}` },
        { title: 'For', value: (row) => row.account_number || row.phone || '—' },
        { title: 'Amount', align: 'right', value: (row) => <Money amount={row.amount} currency={row.currency} /> },
        { title: 'Status', value: (row) => <Status of={row.status} /> },
        { title: 'Reference', value: (row) => row.agent_reference },
        { title: 'Bought', ordering: 'id', value: (row) => <Time at={row.created} /> },
      ]}
    />
  )
}
