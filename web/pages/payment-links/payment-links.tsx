import { formatMoney, formatWord } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { PaymentLink } from '../../wire.ts'
import { LookButton } from './look.tsx'
import { NewPaymentLink } from './new-payment-link.tsx'

export default function PaymentLinks() {
  const { may } = useSession()
  return (
    <ListPage<PaymentLink>
      title={t('shell.nav.payment_links')}
      about={t('links.about')}
      path="/paymentlinks"
      rowLink={(row) => `/payment-links/${row.id}`}
      primary={may('initiate_collections') && <NewPaymentLink />}
      actions={may('manage_organization') && <LookButton />}
      empty={t('links.none')}
      filters={[
        {
          name: 'state',
          label: t('fields.state'),
          choices: ['active', 'paid', 'closed', 'expired'],
          noun: 'paymentlink',
        },
        { name: 'currency', label: t('fields.currency'), placeholder: t('fields.examples.currency') },
        { name: 'title', label: t('fields.title'), more: true },
      ]}
      bulk={[]}
      columns={[
        { name: 'title', title: t('fields.title'), value: (row) => row.title },
        {
          name: 'amount',
          card: 'amount',
          title: t('fields.amount'),
          align: 'right',
          value: (row) => <span className="numeric">{amountOf(row)}</span>,
          file: (row) => (row.amount === null ? amountOf(row) : { amount: row.amount, currency: row.currency }),
        },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <Status state={row.state} noun="paymentlink" />,
          file: (row) => formatWord(row.state, 'paymentlink'),
        },
        { name: 'use', title: t('links.use'), value: (row) => t(row.single_use ? 'links.once' : 'links.many') },
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

/** The amount of a link in words. */
export function amountOf({ amount, min_amount, max_amount, amounts, currency }: PaymentLink): string {
  if (amount !== null) return formatMoney(amount, currency)
  if (amounts !== null) return amounts.map((one) => formatMoney(one, currency)).join(', ')
  return t('links.range', {
    min: formatMoney(min_amount ?? '0', currency),
    max: formatMoney(max_amount ?? '0', currency),
  })
}
