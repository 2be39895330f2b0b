import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AN_OPERATOR as OPERATOR } from '../../../src/core/books/causes.ts'
import { t } from '../../texts/index.ts'
import type { WalletTransaction } from '../../wire.ts'

/** Author that the service names for an entry without a user. */
const AN_OPERATOR: typeof OPERATOR = 'an operator'

type Cause = WalletTransaction['cause']

/** Return the pages about the cause of a transaction, with the texts of their links. */
function pagesOf({ object, id, purpose, collection_request, invoice, refunded_collection }: Cause) {
  const links: { to: string; text: string }[] = []
  if (id === null) return links
  if (object === 'collection') links.push({ to: `/collections/${id}`, text: t('fields.collection_id', { id }) })
  if (object === 'payment') {
    const text = purpose === 'payment' ? t('fields.payment_id', { id }) : t('wallets.refund_id', { id })
    links.push({ to: `/payments/${id}`, text })
  }
  if (object === 'purchase') links.push({ to: `/bills/${id}`, text: t('wallets.purchase_id', { id }) })
  if (collection_request !== null) {
    const text = t('fields.request_id', { id: collection_request })
    links.push({ to: `/collectionrequests/${collection_request}`, text })
  }
  if (invoice !== null) links.push({ to: `/invoices/${invoice}`, text: t('wallets.invoice_id', { id: invoice }) })
  if (refunded_collection !== null) {
    const text = t('fields.collection_id', { id: refunded_collection })
    links.push({ to: `/collections/${refunded_collection}`, text })
  }
  return links
}

/**
 * Cause of a transaction: the description of a manual entry, or else links. They lead to the collection or payment, its
 * request and its invoice.
 */
export function CauseLinks({ cause, description }: { cause: Cause; description: string }) {
  const { object, is_fee } = cause
  if (object === 'none') return <Text fz="sm">{description}</Text>
  return (
    <>
      {is_fee && (
        <Text fz="xs" c="dimmed">
          {t('fields.fee')}
        </Text>
      )}
      {pagesOf(cause).map(({ to, text }) => (
        <Anchor key={to} component={Link} to={to} display="block" fz="sm">
          {text}
        </Anchor>
      ))}
    </>
  )
}

/** The other side of a transaction: its name, its phone number, and the reference of the network; for an entry by hand its author. */
export function Counterparty({ cause: { name, phonenumber, remote_id, entered_by } }: { cause: Cause }) {
  if (entered_by !== null)
    return (
      <Text fz="sm">
        {entered_by === AN_OPERATOR ? t('wallets.entered_by_operator') : t('wallets.entered_by', { name: entered_by })}
      </Text>
    )
  return (
    <>
      {name !== '' && <Text fz="sm">{name}</Text>}
      <Text fz={name === '' ? 'sm' : 'xs'} c={name === '' ? undefined : 'dimmed'} className="numeric">
        {phonenumber}
      </Text>
      {remote_id !== '' && (
        <Text fz="xs" c="dimmed" ff="monospace" className="any-break">
          {remote_id}
        </Text>
      )}
    </>
  )
}
