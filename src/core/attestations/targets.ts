import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { findPurchasesById, lockPurchases, type Purchase } from '../bills/purchases.ts'
import { lockRequests } from '../collections/orders.ts'
import type { NetworkOrder } from '../connections/network-order.ts'
import { amount, id, timestamp } from '../fields.ts'
import { lockPayouts } from '../payments/payouts.ts'
import { NotFound } from '../refusals.ts'

/** An order or a bill purchase whose end people may attest. */
export type Target = { order: NetworkOrder; purchase?: undefined } | { order?: undefined; purchase: Purchase }

/** Facts that both kinds have in common. */
export interface TargetFacts {
  id: number
  reference: string
  kind: NetworkOrder['kind'] | 'bill'
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
  if (order) {
    const { id, reference, kind, organization, connection, currency, amount, state, sent } = order
    const is_open = state === 'sent' || state === 'accepted'
    return { id, reference, kind, organization, connection, currency, amount, state, is_open, sent }
  }
  const { id, reference, organization, biller, currency, amount, status, sent, created } = purchase
  return {
    ...{ id, reference, organization, currency, amount, state: status, connection: biller, kind: 'bill' },
    is_open: status === 'pending' && sent !== null,
    // A purchase is sent at once, and `sent` is on the real clock.
    sent: sent && created,
  }
}

/** The order or the purchase with this reference, or the order with this id. @throws NotFound */
export async function findTarget(db: AnyReader, by: string | number, organization?: number): Promise<Target> {
  const [order] = await db<NetworkOrder[]>`
    select * from network_orders where ${typeof by === 'number' ? sql`id = ${by}` : sql`reference = ${by}`}`
  const target = order ? { order } : await findPurchaseTarget(db, by)
  if (!target || (organization !== undefined && factsOf(target).organization !== organization))
    throw new NotFound(getMessage('orders.none', { order: by }))
  return target
}

async function findPurchaseTarget(db: AnyReader, reference: string | number): Promise<Target | undefined> {
  if (typeof reference === 'number') return undefined
  const [found] = await db<{ id: number }[]>`select id from bill_purchases where reference = ${reference}`
  const purchase = found && (await findPurchasesById(db, [found.id])).get(found.id)
  return purchase && { purchase }
}

/**
 * Locks a target in the order of all transactions: the request or the payment first, then the order.
 * @returns it as it is stored now
 */
export async function lockTarget(tx: Tx, { order, purchase }: Target): Promise<Target> {
  if (!order) {
    return { purchase: (await lockPurchases(tx, [purchase.id])).get(purchase.id)! }
  }
  if (order.collection_request !== null) await lockRequests(tx, [order.collection_request])
  else await lockPayouts(tx, [order.payment_recipient!])
  const [locked] = await tx<NetworkOrder[]>`select * from network_orders where id = ${order.id} for update`
  return { order: locked! }
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
export interface OrderFilters {
  organization?: number | undefined
  connection?: string | undefined
  open?: boolean | undefined
  needs_attention?: boolean | undefined
  old: Date
}

/** Lists orders and bill purchases, newest first, at most `limit`. */
export async function listOrders(db: AnyReader, filters: OrderFilters, limit: number): Promise<ListedOrder[]> {
  const { organization, connection, open = false, needs_attention = false, old } = filters
  const narrowed = needs_attention || open
  const orders = await db<ListedOrder[]>`
    select o.id, o.reference, o.kind, o.organization, o.connection, o.phonenumber, o.currency, o.amount, o.state, o.remote_id,
      o.message, o.attention, o.collection_request, r.payment, null::bigint as purchase, o.created, o.sent,
      a.id as waiting_attestation
    from network_orders o left join payment_recipients r on r.id = o.payment_recipient
    left join order_attestations a on a.network_order = o.id and a.state = 'waiting'
    where ${organization === undefined ? sql.always : sql`o.organization = ${organization}`}
      and ${connection === undefined ? sql.always : sql`o.connection = ${connection}`}
      and ${open ? sql`o.due_at is not null and o.state in ('new', 'sent', 'accepted')` : sql.always}
      and ${
        needs_attention
          ? sql`(o.attention is not null or o.due_at is not null and o.state in ('sent', 'accepted') and o.sent <= ${old})`
          : sql.always
      }
    order by o.id desc limit ${limit}`
  const purchases = await db<ListedOrder[]>`
    select null::bigint as id, p.reference, 'bill' as kind, p.organization, p.biller as connection, p.phone as phonenumber,
      p.currency, p.amount, p.status as state, p.remote_id, p.message, p.attention, null::bigint as collection_request,
      null::bigint as payment, p.id as purchase, p.created, case when p.sent is null then null else p.created end as sent,
      a.id as waiting_attestation
    from bill_purchases p left join order_attestations a on a.bill_purchase = p.id and a.state = 'waiting'
    where ${organization === undefined ? sql.always : sql`p.organization = ${organization}`}
      and ${connection === undefined ? sql.always : sql`p.biller = ${connection}`}
      and ${open ? sql`p.due_at is not null` : sql.always}
      and ${
        needs_attention
          ? sql`(p.attention is not null or p.due_at is not null and p.sent is not null and p.created <= ${old})`
          : sql.always
      }
      and ${narrowed || connection !== undefined ? sql.always : sql`p.sent is not null`}
    order by p.id desc limit ${limit}`
  return [...orders, ...purchases]
    .toSorted((one, other) => other.created.getTime() - one.created.getTime())
    .slice(0, limit)
}
