import { formatMoney } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { PaymentLink } from '../../wire.ts'
import { LookButton } from './look.tsx'
import { NewPaymentLink } from './new-payment-link.tsx'

/** The list of payment links. */
export default function PaymentLinks() {
  const { may } = useSession()
  return (
    <ListPage<PaymentLink>
      title="Payment links"
      about="Pages on which customers type their phone number and pay."
      path="/paymentlinks"
      rowLink={(row) => `/payment-links/${row.id}`}
      actions={
        <>
          {may('manage_organization') && <LookButton />}
          {may('initiate_collections') && <NewPaymentLink />}
        </>
      }
      empty="There is no payment link yet."
      filters={[
        { name: 'state', label: 'State', choices: ['active', 'paid', 'closed', 'expired'] },
        { name: 'currency', label: 'Currency', placeholder: 'UGX' },
        { name: 'title', label: 'Title', more: true },
      ]}
      columns={[
        { title: 'Title', value: (row) => row.title },
        { title: 'Amount', align: 'right', value: (row) => <span className="numeric">{amountOf(row)}</span> },
        { title: 'State', value: (row) => <Status of={row.state} /> },
        { title: 'Use', value: (row) => (row.single_use ? 'Once' : 'Many times') },
        { title: 'Made', ordering: 'created', value: (row) => <Time at={row.created} /> },
        { title: 'Id', align: 'right', ordering: 'id', value: (row) => <span className="numeric">{row.id}</span> },
      ]}
    />
  )
}

/** The amount of a link in words. */
export function amountOf({ amount, min_amount, max_amount, amounts, currency }: PaymentLink): string {
  if (amount !== null) return formatMoney(amount, currency)
  if (amounts !== null) return amounts.map((one) => formatMoney(one, currency)).join(', ')
  return `${formatMoney(min_amount ?? '0', currency)} to ${formatMoney(max_amount ?? '0', currency)}`
}
