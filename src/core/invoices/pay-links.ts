import type { Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Amount } from '../../lib/money.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import type { LinkRow } from '../checkout/payment-link.ts'
import { createPaymentLink, findPaymentLink, isPayable } from '../checkout/payment-links.ts'
import { countryOf } from '../ledger/currencies.ts'
import { type InvoiceRow, type LockedInvoice, openAmount } from './invoice.ts'
import { joinRequest, reasonOf } from './requests.ts'
import { readWaitingMoneyOf } from './waiting-money.ts'

const linkTable = table('invoice_links', { payment_link: column.bigint().key(), invoice: column.bigint() })

/**
 * The payment link for the open amount of an invoice, or for parts of it, which the caller has locked and settled. There is one
 * for each open amount, for one use; the others are closed. Undefined when nothing is to be paid.
 */
export async function openPayLink(tx: Tx, now: Date, invoice: InvoiceRow): Promise<LinkRow | undefined> {
  const open = openAmount(invoice)
  if (open === 0n) return undefined
  const amounts = amountsOf(invoice, open)
  const known = await tx<{ id: number }[]>`
    select l.id from invoice_links i join payment_links l on l.id = i.payment_link
    where i.invoice = ${invoice.id} and l.amount is not distinct from ${amounts.amount}
      and l.min_amount is not distinct from ${amounts.min_amount}
      and l.max_amount is not distinct from ${amounts.max_amount} and not l.closed
    order by l.id desc`
  for (const { id } of known) {
    const link = await findPaymentLink(tx, now, id)
    if (link && isPayable(link)) return link
  }
  await closePayLinks(tx, invoice.id)
  const { organization, author, currency, account, customer } = invoice
  const own_country = countryOf(currency)
  const link = await createPaymentLink(
    tx,
    now,
    { organization, user: author },
    {
      title: reasonOf(invoice),
      description: '',
      currency,
      account,
      single_use: true,
      ...amounts,
      country: account === null ? own_country : (readKnownPhone(customer.phone_number)?.country ?? own_country),
      amounts: null,
      expiry_date: null,
      fields: [],
      success_message: '',
      return_url: null,
      frame_ancestors: [],
    },
  )
  await tx`${insert(linkTable, [{ payment_link: link.id, invoice: invoice.id }], {})}`
  return link
}

/** Returns the amounts that the page of a link takes: the open amount, or any part from the invoice's minimum. */
function amountsOf({ min_part }: InvoiceRow, open: Amount): Pick<LinkRow, 'amount' | 'min_amount' | 'max_amount'> {
  if (min_part === null || min_part >= open) return { amount: open, min_amount: null, max_amount: null }
  return { amount: null, min_amount: min_part, max_amount: open }
}

/** Closes the payment links of an invoice, so that none takes money that nothing asks for. The invoice is locked. */
export async function closePayLinks(tx: Tx, invoice: number): Promise<void> {
  const links = await tx<{ id: number }[]>`
    select payment_link as id from invoice_links where invoice = ${invoice} order by payment_link`
  const ids = links.map(({ id }) => id)
  await tx`select id from payment_links where id = any(${ids}::bigint[]) order by id for update`
  await tx`update payment_links set closed = true where id = any(${ids}::bigint[])`
}

/**
 * Checks if the customer may pay over a link of an invoice now. The caller keeps its lock until the request is stored.
 */
export async function checkPayLink(
  tx: Tx,
  invoice: LockedInvoice,
  link: Pick<LinkRow, 'amount' | 'max_amount'>,
): Promise<'ok' | 'inactive' | 'busy' | 'waiting_money'> {
  const open = openAmount(invoice)
  if (open === 0n || open !== (link.amount ?? link.max_amount)) return 'inactive'
  if (invoice.open_request !== undefined) return 'busy'
  return (await readWaitingMoneyOf(tx, invoice.id)).length === 0 ? 'ok' : 'waiting_money'
}

/** Notes that the requests of a link ask for money of its invoice. */
export async function joinLinkRequests(tx: Tx, now: Date, invoice: number, link: number): Promise<void> {
  const requests = await tx<{ request: number }[]>`
    select v.request from payment_link_visits v
    where v.link = ${link} and not exists (select from invoice_requests i where i.request = v.request)`
  for (const { request } of requests) await joinRequest(tx, now, { invoice, request, source: 'page' })
}
