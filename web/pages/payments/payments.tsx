import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { Payment } from '../../wire.ts'
import { NewPayment } from './new-payment.tsx'

const states = [
  'approval_requested',
  'approval_needed',
  'new',
  'validated',
  'approved',
  'scheduled',
  'processed',
  'processed_with_errors',
  'rejected',
  'cancelled',
]

/** The list of payments. */
export default function Payments() {
  const { may } = useSession()
  return (
    <ListPage<Payment>
      title="Payments"
      about="Money and airtime that you send."
      path="/payments"
      rowLink={(row) => `/payments/${row.id}`}
      actions={may('initiate_payments') && <NewPayment />}
      empty="Nothing was sent yet."
      poll_ms={3_000}
      filters={[
        { name: 'payment_state', label: 'State', choices: states },
        { name: 'phone_number', label: 'Phone number', placeholder: '+256…' },
        { name: 'currency', label: 'Currency', placeholder: 'UGX' },
        { name: 'created_after', label: 'After', kind: 'date' },
        { name: 'created_before', label: 'Before', kind: 'date' },
        { name: 'payment_type', label: 'What', choices: ['money', 'airtime'], more: true },
        { name: 'amount', label: 'Amount', placeholder: '1500', more: true },
        { name: 'first_name', label: 'First name', more: true },
        { name: 'last_name', label: 'Last name', more: true },
        { name: 'remote_transaction_id', label: 'Network’s id', more: true },
        { name: 'network', label: 'Network', placeholder: 'sandbox', more: true },
        { name: 'modified_after', label: 'Changed after', kind: 'date', more: true },
        { name: 'modified_before', label: 'Changed before', kind: 'date', more: true },
      ]}
      columns={[
        { title: 'To', value: describeRecipients },
        {
          title: 'Amount',
          align: 'right',
          ordering: 'amount',
          value: (row) => <Money amount={row.amount} currency={row.currency} />,
        },
        { title: 'State', value: (row) => <Status of={row.state} /> },
        { title: 'Description', value: (row) => row.description },
        { title: 'Made', ordering: 'created', value: (row) => <Time at={row.created} /> },
        { title: 'Id', align: 'right', ordering: 'id', value: (row) => <span className="numeric">{row.id}</span> },
      ]}
    />
  )
}

export function describeRecipients({ phone_nos: phones }: Payment): string {
  return phones.length === 1 ? phones[0]!.phonenumber : `${phones.length} phones`
}
