import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { Allocation, ContactDetails, Invoice, PaymentLink } from '../../wire.ts'

/** Target of an allocation, by the number and the name that people know, with a link to its page. */
export function TargetLink({ allocation }: { allocation: Allocation }) {
  const { invoice, payment_link, contact } = allocation
  const { data } = useQuery({
    queryKey: ['allocation-target', invoice, payment_link, contact],
    queryFn: () => nameTarget(allocation),
  })
  return (
    <Anchor component={Link} to={pathOf(allocation)} inherit underline="always">
      {data ?? '…'}
    </Anchor>
  )
}

function pathOf({ invoice, payment_link, contact }: Allocation): string {
  if (invoice !== null) return `/invoices/${invoice}`
  return payment_link !== null ? `/payment-links/${payment_link}` : `/contacts/${contact}`
}

async function nameTarget({ invoice, payment_link, contact }: Allocation): Promise<string> {
  if (invoice !== null) {
    const { number, customer_name } = await api.get<Invoice>(`/invoices/${invoice}`)
    return [number, customer_name].filter(Boolean).join(', ')
  }
  if (payment_link !== null) return (await api.get<PaymentLink>(`/paymentlinks/${payment_link}`)).title
  const { first_name, last_name } = await api.get<ContactDetails>(`/contacts/${contact}`)
  return t('matching.credit_of', { name: `${first_name} ${last_name}` })
}
