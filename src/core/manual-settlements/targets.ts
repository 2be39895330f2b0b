import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { findPurchasesById, lockStoredPurchases, type Purchase } from '../bills/purchases.ts'
import { lockRequests } from '../collections/orders.ts'
import type { MoneyKind, NetworkOrder } from '../connections/network-order.ts'
import { amount, id, timestamp } from '../fields.ts'
import { lockPayouts } from '../payments/payouts.ts'
import { NotFound } from '../refusals.ts'

/** An order whose end people may attest; of a vend with its purchase. */
export interface Target {
  order: NetworkOrder
  purchase?: Purchase
}

/** Facts that both kinds have in common. */
interface TargetFacts {
  id: number
  reference: string
  kind: MoneyKind | 'bill'
  organization: number
  connection: string
  currency: string
  amount: NetworkOrder['amount']
  state: string
  /** True if it is sent and has no end. */
  is_open: boolean
  /** Time when it was sent last, on the clock of the service; null if it was not. */
  sent: Date | null
}

export function factsOf({ order, purchase }: Target): TargetFacts {
  const { id, reference, kind, organization, connection, currency, amount, state, sent } = order
  const is_open = state === 'sent' || state === 'accepted'
  return {
    id: purchase?.id ?? id,
    reference,
    kind: kind === 'vend' ? 'bill' : kind,
    organization,
    connection,
    currency,
    amount,
    state: purchase?.status ?? state,
    is_open,
    sent,
  }
}

/** The order with this reference, or the order to a network with this id. @throws NotFound */
export async function findTarget(db: AnyReader, by: string | number, organization?: number): Promise<Target> {
  const [order] = await db<NetworkOrder[]>`
    select * from network_orders where ${typeof by === 'number' ? sql`id = ${by} and kind <> 'vend'` : sql`reference = ${by}`}`
  if (!order || (organization !== undefined && order.organization !== organization))
    throw new NotFound(getMessage('orders.none', { order: by }))
  return withPurchase(db, order)
}

async function withPurchase(db: AnyReader, order: NetworkOrder): Promise<Target> {
  const { bill_purchase } = order
  if (bill_purchase === null) return { order }
  return { order, purchase: (await findPurchasesById(db, [bill_purchase])).get(bill_purchase)! }
}

/**
 * Locks a target in the order of all transactions: the request, the payment or the purchase first, then the order.
 * @returns it as it is stored now
 */
export async function lockTarget(tx: Tx, { order }: Target): Promise<Target> {
  if (order.bill_purchase !== null) await lockStoredPurchases(tx, [order.bill_purchase])
  else if (order.collection_request !== null) await lockRequests(tx, [order.collection_request])
  else await lockPayouts(tx, [order.payment_recipient!])
  const [locked] = await tx<NetworkOrder[]>`select * from network_orders where id = ${order.id} for update`
  return withPurchase(tx, locked!)
}

/** Finds the owner of the account at the network or provider; null for the operator. */
export async function ownerOf(db: Reader, target: Target): Promise<number | null> {
  const [connection] = await db<{ organization: number | null }[]>`
    select organization from connections where slug = ${factsOf(target).connection}`
  return connection?.organization ?? null
}

/** Order or purchase in the list of cases that a person may have to look at. */
export const ListedOrder = z.object({
  /** The id of the order; null for a bill purchase. */
  id: id.nullable(),
  reference: z.string(),
  kind: z.enum(['charge', 'payout', 'refund', 'bill']),
  organization: id,
  connection: z.string(),
  phonenumber: z.string(),
  currency: z.string(),
  amount,
  state: z.string(),
  remote_id: z.string().nullable(),
  message: z.string().nullable(),
  /** Reason why a person must look at it. */
  attention: z.string().nullable(),
  collection_request: id.nullable(),
  payment: id.nullable(),
  purchase: id.nullable(),
  created: timestamp,
  sent: timestamp.nullable(),
  /** The attestation that waits for a second person. */
  waiting_attestation: id.nullable(),
})
export type ListedOrder = z.output<typeof ListedOrder>

/** Filters of the list of orders. `old`: `needs_attention` includes open ones sent before this time. */
interface OrderFilters {
  organization?: number | undefined
  connection?: string | undefined
  open?: boolean | undefined
  needs_attention?: boolean | undefined
  old: Date
}

/** Lists orders and bill purchases, newest first, at most `limit`. */
export async function listOrders(db: AnyReader, filters: OrderFilters, limit: number): Promise<ListedOrder[]> {
  const { organization, connection, open = false, needs_attention = false, old } = filters
  const narrowed = needs_attention || open || connection !== undefined
  const orders = await db<ListedOrder[]>`
    select case when p.id is null then o.id end as id, o.reference, case o.kind when 'vend' then 'bill' else o.kind end as kind,
      o.organization, o.connection, o.phonenumber, o.currency, o.amount, coalesce(p.status, o.state) as state, o.remote_id,
      o.message, o.attention, o.collection_request, r.payment, p.id as purchase, coalesce(p.created, o.created) as created,
      o.sent, a.id as waiting_attestation
    from network_orders o left join payment_recipients r on r.id = o.payment_recipient
    left join bill_purchases p on p.id = o.bill_purchase
    left join order_attestations a on a.network_order = o.id and a.state = 'waiting'
    where ${organization === undefined ? sql.always : sql`o.organization = ${organization}`}
      and ${connection === undefined ? sql.always : sql`o.connection = ${connection}`}
      and ${open ? sql`o.due_at is not null and o.state in ('new', 'sent', 'accepted')` : sql.always}
      and ${
        needs_attention
          ? sql`(o.attention is not null or o.due_at is not null and o.state in ('sent', 'accepted') and o.sent <= ${old})`
          : sql.always
      }
      and (p.attempt is null or p.attempt = o.attempt and ${narrowed ? sql.always : sql`o.sent is not null`})
    order by o.id desc limit ${limit}`
  return orders.toSorted((one, other) => other.created.getTime() - one.created.getTime())
}
