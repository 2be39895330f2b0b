import { Text } from '@mantine/core'
import { formatWord } from '../../format.ts'
import { searchFilter } from '../../parts/filters.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { PaymentSummary } from '../../wire.ts'
import { paymentActions } from './bulk.ts'
import { describeRecipients } from './describe-recipients.ts'
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

const EXAMPLE_NETWORK = 'sandbox'
const EXAMPLE_CURRENCY = 'UGX'

export default function Payments() {
  const { may } = useSession()
  return (
    <ListPage<PaymentSummary>
      title={t('shell.nav.payments')}
      about={t('payments.about')}
      path="/payments"
      source="/payment-summaries"
      rowLink={(row) => `/payments/${row.id}`}
      primary={may('initiate_payments') && <NewPayment />}
      empty={t('payments.none')}
      bulk={paymentActions(may('approve_payments'))}
      filters={[
        searchFilter(t('parts.search.payments')),
        { name: 'payment_state', label: t('fields.state'), choices: states, noun: 'payment' },
        { name: 'days', label: t('fields.created'), kind: 'days' },
        { name: 'payment_type', label: t('fields.type'), choices: ['money', 'airtime'], more: true },
        { name: 'amount', label: t('fields.amount'), placeholder: '1500', more: true },
        { name: 'currency', label: t('fields.currency'), placeholder: EXAMPLE_CURRENCY, more: true },
        { name: 'phone_number', label: t('fields.phone_number'), placeholder: '+256…', more: true },
        { name: 'remote_transaction_id', label: t('payments.network_id'), more: true },
        { name: 'network', label: t('fields.network'), placeholder: EXAMPLE_NETWORK, more: true },
        { name: 'modified_after', label: t('payments.changed_after'), kind: 'date', more: true },
        { name: 'modified_before', label: t('payments.changed_before'), kind: 'date', more: true },
      ]}
      columns={[
        {
          name: 'to',
          title: t('fields.to'),
          value: (row) => <To payment={row} />,
          file: (row) => row.contact_name || (row.recipients === 1 ? null : describeRecipients(row)),
          beside: [{ title: t('fields.phone_number'), file: (row) => (row.recipients === 1 ? row.phonenumber : null) }],
        },
        {
          name: 'amount',
          card: 'amount',
          title: t('fields.amount'),
          align: 'right',
          ordering: 'amount',
          value: (row) => <Money amount={row.amount} currency={row.currency} />,
          file: (row) => row,
        },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <Status state={row.state} noun="payment" />,
          file: (row) => formatWord(row.state, 'payment'),
        },
        { name: 'description', title: t('fields.description'), value: (row) => row.description },
        {
          name: 'created',
          card: 'note',
          title: t('fields.created'),
          ordering: 'created',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
        {
          name: 'id',
          title: t('fields.id'),
          align: 'right',
          ordering: 'id',
          value: (row) => <span className="numeric">{row.id}</span>,
          file: (row) => row.id,
        },
      ]}
    />
  )
}

/** The phone with the name of its contact, or how many phones there are. */
function To({ payment }: { payment: PaymentSummary }) {
  return (
    <>
      {describeRecipients(payment)}
      {payment.contact_name && (
        <Text component="span" display="block" fz="xs" c="dimmed">
          {payment.contact_name}
        </Text>
      )}
    </>
  )
}
