import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { Invoice } from '../../wire.ts'

/** The list of invoices. */
export default function Invoices() {
  const { may } = useSession()
  return (
    <ListPage<Invoice>
      title="Invoices"
      about="What your customers are to pay, with a page, a button to pay, and reminders."
      path="/invoices"
      rowLink={(row) => `/invoices/${row.id}`}
      actions={
        may('initiate_collections') && (
          <Button component={Link} to="/invoices/new" leftSection={<IconPlus size={16} />}>
            New invoice
          </Button>
        )
      }
      empty="There is no invoice yet."
      filters={[
        { name: 'number', label: 'Number', placeholder: 'INV-000012' },
        {
          name: 'state',
          label: 'State',
          choices: ['draft', 'issued', 'paid', 'void'],
        },
        { name: 'overdue', label: 'Overdue', choices: ['true', 'false'] },
        { name: 'phonenumber', label: 'Phone number', placeholder: '+256…', more: true },
        { name: 'total', label: 'Total', more: true },
        { name: 'currency', label: 'Currency', placeholder: 'UGX', more: true },
        { name: 'due_after', label: 'Due after', placeholder: '2030-01-31', more: true },
        { name: 'due_before', label: 'Due before', placeholder: '2030-01-31', more: true },
      ]}
      columns={[
        { title: 'Number', value: (row) => <span className="numeric">{row.number ?? 'Draft'}</span>, ordering: 'id' },
        { title: 'Customer', value: (row) => row.customer_name || row.phonenumber },
        {
          title: 'Total',
          align: 'right',
          ordering: 'amount',
          value: (row) => <span className="numeric">{formatMoney(row.total, row.currency)}</span>,
        },
        {
          title: 'Open',
          align: 'right',
          value: (row) => <span className="numeric">{formatMoney(row.amount_open, row.currency)}</span>,
        },
        { title: 'State', value: (row) => <InvoiceStatus invoice={row} /> },
        { title: 'Due', value: (row) => <span className="numeric">{row.due_date}</span> },
        { title: 'Made', ordering: 'created', value: (row) => <Time at={row.created} /> },
      ]}
    />
  )
}

/** The state of an invoice, and whether it is overdue. */
export function InvoiceStatus({ invoice: { state, overdue } }: { invoice: Pick<Invoice, 'state' | 'overdue'> }) {
  return (
    <Group gap={4} component="span">
      <Status of={state} />
      {overdue && <Status of="overdue" />}
    </Group>
  )
}
