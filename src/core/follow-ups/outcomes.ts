import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import type { CollectionRequest } from '../collections/collection-request.ts'
import { creditReference, feeReference, isStandIn } from '../collections/collections.ts'
import { amount, id } from '../fields.ts'
import { findInvoiceOfRequest } from '../invoices/invoices.ts'
import { whyNotRetryable } from './retries.ts'

/** Outcome of a request, and the next steps a person can take. */
export const RequestOutcome = z.object({
  /** The money that the customer paid for it; null while there is none. */
  money: z
    .object({
      collection: id,
      amount,
      currency: z.string(),
      /** Fee that the organization was charged, and credits after that. Null until it is credited. */
      fee: amount.nullable(),
      net: amount.nullable(),
      /** Amount that can still be refunded. */
      left: amount,
      /** The slug of the connection, and the network's own id of the payment. */
      connection: z.string(),
      remote_transaction_id: z.string(),
      /** True if the id is our reference of the order: the network has not told its own. */
      is_stand_in: z.boolean(),
    })
    .nullable(),
  /** Reason for a failed or expired request: a code of the console's figures, or the words of the network. */
  reason: z.string().nullable(),
  /** Invoice that it asks money for. Then the money is requested there and not here. */
  invoice: id.nullable(),
  /** Reason why it cannot be tried again, nor a link be sent; null when it can. */
  not_retryable: z.string().nullable(),
})
export type RequestOutcome = z.output<typeof RequestOutcome>

export async function readOutcome(db: Reader, now: Date, request: CollectionRequest): Promise<RequestOutcome> {
  const { collection, account } = request
  const [money, reason, invoice, not_retryable] = await Promise.all([
    collection === null ? null : readMoney(db, collection),
    readReason(db, request),
    findInvoiceOfRequest(db, request.id),
    account === null ? null : whyNotRetryable(db, now, { ...request, account }),
  ])
  return { money, reason, invoice: invoice ?? null, not_retryable }
}

/** Reason of the last order, or of the request itself if it failed without an order. */
async function readReason(db: Reader, { id: request, status, error_message }: CollectionRequest) {
  if (status === 'expired') return 'expired'
  if (status !== 'failed') return null
  const [order] = await db<{ failure_reason: string | null }[]>`
    select failure_reason from network_orders where collection_request = ${request} order by attempt desc limit 1`
  return order?.failure_reason ?? error_message ?? 'failed'
}

async function readMoney(db: Reader, collection: number): Promise<RequestOutcome['money']> {
  const [found] = await db<NonNullable<RequestOutcome['money']>[]>`
    select c.id as collection, c.amount, c.currency, c.connection, c.remote_transaction_id, ${isStandIn('c')} as is_stand_in,
      greatest(c.amount - c.refunded - c.reversed_in_parts, 0) as "left",
      case when credit.id is not null then coalesce(fee.amount, 0) end as fee,
      credit.amount - coalesce(fee.amount, 0) as net
    from collections c
    left join transfers credit on credit.reference = ${creditReference(collection)}
    left join transfers fee on fee.reference = ${feeReference(collection)}
    where c.id = ${collection}`
  return found ?? null
}
