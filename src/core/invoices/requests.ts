import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { only } from '../../lib/batches/batch.ts'
import type { Amount } from '../../lib/money.ts'
import type { Phone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { mayBePaid } from '../checkout/visits.ts'
import type { CollectionRequest } from '../collections/collection-request.ts'
import { type ChargeNetwork, toNewCollectionRequest } from '../collections/new-request.ts'
import { createCollectionRequests } from '../collections/requests.ts'
import type { NoNetwork } from '../connections/destinations.ts'
import type { DuplicateKeyClaim } from '../idempotency.ts'
import { type InvoiceRow, invoiceNumber, type RequestSource } from './invoice.ts'

/** A prompt is answered within minutes. Instructions by SMS need more time. */
const EXPIRY = { prompt: '1 hour', instructions: '12 hours' }

/** The key under which the metadata of a request names its invoice. */
export const INVOICE_KEY = 'invoice'

/** Network that may be asked; `can_prompt`: true if it sends prompts. */
type InvoiceNetwork = (ChargeNetwork & { can_prompt: boolean }) | NoNetwork

/** Chooses the network that is asked for an amount of an invoice, or the reason why there is none. */
export type ChooseNetwork = (
  db: Reader,
  invoice: InvoiceRow,
  request: { amount: Amount; phonenumber: string },
) => Promise<InvoiceNetwork>

/**
 * Finds the request of an invoice that may still be paid. It is open, has an order without a known end, or the network
 * says it was paid and the money is not matched to it. Then no other request may be made. The caller has locked the
 * invoice.
 */
export async function findOpenRequest(db: Reader, invoice: number): Promise<number | undefined> {
  const paid_unmatched = sql`(r.status not in ('successful', 'reversed') and exists (
    select from network_orders o where o.collection_request = r.id and o.state = 'successful'))`
  const [row] = await db<{ id: number }[]>`
    select r.id from invoice_requests i join collection_requests r on r.id = i.request
    where i.invoice = ${invoice} and (${mayBePaid()} or ${paid_unmatched}) order by r.id limit 1`
  return row?.id
}

/**
 * Makes a collection request for money of an invoice. The caller has locked it, and no other request may still be paid.
 * @throws Invalid, Forbidden, Duplicate
 */
export async function requestMoney(
  tx: Tx,
  now: Date,
  invoice: InvoiceRow,
  input: {
    amount: Amount
    phone: Phone
    network: InvoiceNetwork
    source: RequestSource
    author: number
    claim?: DuplicateKeyClaim | undefined
  },
): Promise<CollectionRequest> {
  const { amount, phone, network, source, author, claim } = input
  const { currency, account, organization } = invoice
  const body = {
    phonenumber: phone,
    amount,
    currency,
    account: account ?? undefined,
    reason: reasonOf(invoice),
    metadata: { [INVOICE_KEY]: invoice.id },
    send_instructions: true,
    max_attempts: 0,
    expiry_date: 'can_prompt' in network && network.can_prompt ? EXPIRY.prompt : EXPIRY.instructions,
    ...NOT_GIVEN,
  }
  const request = toNewCollectionRequest(body, { now, organization, author, network, ...(claim && { claim }) })
  const made = only(await createCollectionRequests(tx, now, [request]))
  await joinRequest(tx, now, { invoice: invoice.id, request: made.id, source })
  return made
}

const NOT_GIVEN = {
  first_name: undefined,
  last_name: undefined,
  start_date: undefined,
  success_message: undefined,
  instructions: undefined,
  retry_interval_minutes: undefined,
  subscription_settings: undefined,
}

/** The reason of requests. Networks show about 20 characters. */
export function reasonOf(invoice: Pick<InvoiceRow, 'number'>): string {
  return `Invoice ${invoiceNumber(invoice)}`
}

const requestTable = table('invoice_requests', {
  request: column.bigint().key(),
  invoice: column.bigint(),
  source: column.text<RequestSource>(),
  created: column.timestamptz(),
})

/** Says that a request asks for money of an invoice. */
export async function joinRequest(tx: Tx, now: Date, join: Omit<Row<typeof requestTable>, 'created'>): Promise<void> {
  await tx`${insert(requestTable, [join], { created: truncateToSecond(now) })}`
}
