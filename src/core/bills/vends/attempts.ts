import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../../db/client.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import type { Query } from '../../../db/unit-of-work.ts'
import { formatAmount } from '../../../lib/money.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { listOrdersOf, lockOrders, type NetworkOrder } from '../../connections/network-orders.ts'
import { amount, timestamp } from '../../fields.ts'
import { distinctValues } from '../../queues.ts'
import { type ChosenSeller, findSellers, type Seller } from '../choose-seller.ts'
import { lockStoredPurchases, type Purchase, type StoredPurchase } from '../purchases.ts'

/*
 * A purchase is bought at one provider at a time. When one has certainly not sold it, for a reason that is not about
 * the customer, the next one is tried, each once (docs/decisions/0034). Each attempt is an order.
 */

/** Attempt to buy at a provider, as the console and the CLI show it. */
export const AttemptView = z.object({
  attempt: z.int(),
  /** The slug of the connection. */
  connection: z.string(),
  /** Ours towards this provider. */
  reference: z.string(),
  remote_service: z.string().nullable(),
  remote_product: z.string().nullable(),
  cost: amount.nullable(),
  /** The last answer; null before the first one. */
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  remote_id: z.string().nullable(),
  status_queries: z.int(),
  /** Time of sending, on the clock of the service. */
  sent: timestamp.nullable(),
  ended: timestamp.nullable(),
  /** Time when this provider reported the sale, after it had refused. */
  sold_after_all: timestamp.nullable(),
})
export type Attempt = z.output<typeof AttemptView>

/** All attempts of a purchase, the first one first. The last one is the current one. */
export async function listAttempts(db: AnyReader, purchase: Purchase): Promise<Attempt[]> {
  const orders = await listOrdersOf(db, { bill_purchase: purchase.id })
  return orders.map((order) => toAttempt(purchase, order))
}

function toAttempt(purchase: Purchase, order: NetworkOrder): Attempt {
  const { attempt, connection, reference, remote_service, remote_product, cost, message, remote_id, sent } = order
  const same = { attempt, connection, reference, remote_service, remote_product, cost }
  const asked = { message, remote_id, status_queries: order.network_calls, sent }
  if (attempt === purchase.attempt) {
    const { outcome, failure_code: reason, status, modified } = purchase
    return { ...same, outcome, reason, ...asked, ended: status === 'pending' ? null : modified, sold_after_all: null }
  }
  const { code, failure_reason: reason, closed, state, answered } = order
  const sold_after_all = state === 'successful' ? truncateToSecond(answered!) : null
  return { ...same, outcome: code ?? 'failed', reason, ...asked, ended: truncateToSecond(closed!), sold_after_all }
}

/** Chooses the best provider for a purchase that none of its attempts has tried. @param sellers those that sell now */
async function findNextSeller(
  db: Reader,
  purchase: StoredPurchase,
  sellers: readonly Seller[],
): Promise<ChosenSeller | undefined> {
  const tried = await listOrdersOf(db, { bill_purchase: purchase.id })
  const left = sellers.filter(({ slug }) => !tried.some(({ connection }) => connection === slug))
  return left.length === 0 ? undefined : (await findSellers(db, purchase, left))[0]
}

/** The next providers of purchases, among those that sell now. */
export const nextSellers: Query<{ purchase: StoredPurchase; sellers: readonly Seller[] }, ChosenSeller> = {
  async read(tx, wanted) {
    const found = new Map<(typeof wanted)[number], ChosenSeller>()
    for (const one of wanted) {
      const next = await findNextSeller(tx, one.purchase, one.sellers)
      if (next) found.set(one, next)
    }
    return found
  },
}

/**
 * Moves due purchases that were never sent to other providers, if their own cannot be called now. Their references stay:
 * no provider has seen them.
 * @param unable the slugs of the connections that cannot be called
 * @param sellers those that sell now and can be called
 */
export async function replaceUnableSellers(
  tx: Tx,
  now: Date,
  unable: readonly string[],
  sellers: readonly Seller[],
  limit: number,
): Promise<void> {
  if (unable.length === 0 || sellers.length === 0) return
  const due = await tx<{ id: number; bill_purchase: number }[]>`
    select id, bill_purchase from network_orders where ${unsentAt(unable)} and due_at <= ${now} order by due_at limit ${limit}`
  if (due.length === 0) return
  const [purchases, orders] = await Promise.all([
    lockStoredPurchases(
      tx,
      due.map(({ bill_purchase }) => bill_purchase),
    ),
    lockOrders(
      tx,
      due.map(({ id }) => id),
    ),
  ])
  for (const { id, bill_purchase, state, connection } of orders.values()) {
    if (state !== 'new' || !unable.includes(connection)) continue
    const next = await findNextSeller(tx, purchases.get(bill_purchase!)!, sellers)
    if (next)
      await tx`
        update network_orders set connection = ${next.connection}, remote_service = ${next.remote_service},
          remote_product = ${next.remote_product}, cost = ${next.cost === null ? null : formatAmount(next.cost)}
        where id = ${id}`
  }
}

/** Lets vends wait that are due and cannot be sent, because their connection cannot be called and no other one sells them. */
export function postponeUnsent(tx: Tx, now: Date, unable: readonly string[], limit: number): void {
  if (unable.length === 0) return
  tx.send`
    update network_orders set due_at = ${new Date(now.getTime() + UNABLE_WAIT_MS)}
    where id = any(array(
      select id from network_orders where ${unsentAt(unable)} and due_at <= ${now} and leased_until is null
      order by due_at limit ${limit} for update skip locked))`
}

const UNABLE_WAIT_MS = 1_000

/** Finds the time when the next purchase is due that was never sent, at connections that cannot be called; null for none. */
export async function nextUnsentAt(db: Reader, unable: readonly string[]): Promise<Date | null> {
  if (unable.length === 0) return null
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from network_orders where ${unsentAt(unable)} and due_at is not null`
  return row!.due_at
}

/** SQL: condition that an order is a vend at one of these connections that was never sent. */
function unsentAt(slugs: readonly string[]): Fragment {
  return sql`kind = 'vend' and connection = any(${[...slugs]}::text[]) and state = 'new'`
}

/** Lists the connections that have open vends, besides those that are known. */
export async function listGoneBillers(db: Reader, known: readonly string[]): Promise<string[]> {
  const found = await db<{ connection: string }[]>`
    with recursive ${distinctValues('network_orders', ['connection', 'kind'], sql`t.due_at is not null`)}
    select connection from queues where kind = 'vend' and connection <> all(${[...known]}::text[])`
  return found.map(({ connection }) => connection)
}

/** Makes the status query about an open purchase due now. Returns false if it has ended, or waits for an approval. */
export async function checkPurchaseNow(tx: Tx, now: Date, purchase: number): Promise<boolean> {
  const rows = await tx`
    update network_orders set due_at = least(due_at, ${now})
    where bill_purchase = ${purchase} and closed is null and due_at is not null returning id`
  return rows.length > 0
}
