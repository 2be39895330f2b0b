import type { Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { type AnyEffect, type Effect, type Query, together, type Work } from '../../../db/unit-of-work.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { lockedOrders, newOrders, orderIds, orderUpdates } from '../../connections/network-orders.ts'
import { eventIds, recordedEvents } from '../../events/events.ts'
import { endHolds } from '../../ledger/holds.ts'
import { returnPinsToStock } from '../catalogue.ts'
import type { ChosenSeller, Seller } from '../choose-seller.ts'
import { lockStoredPurchases, type Purchase, type StoredPurchase, toHold, toVend } from '../purchases.ts'
import { toBillEventData } from '../results.ts'
import { queueTokens, type TokenSender } from '../token-sms.ts'
import { nextSellers } from './attempts.ts'
import { decideVend, type LearntVend, type VendUpdate } from './outcomes.ts'

/** Notifies the requests that wait for a purchase, in all processes, of an answer. The payload is the purchase id. */
export const SETTLED_CHANNEL = 'bill_settled'

/**
 * Settles an attempt to buy at a provider: stores what was learnt and ends the hold. A refusal that is about the provider
 * and not about the customer moves the purchase to the next provider, if there is one.
 * @param sellers the providers that sell now; none where people have decided the end
 * @throws WriteConflict when two are about the same purchase
 */
export async function settlePurchase(
  work: Work,
  learnt: LearntVend,
  sellers: readonly Seller[] = [],
): Promise<VendUpdate> {
  const { id, organization } = learnt.order
  const { row, order, buyer, event_id } = await together({
    row: work.lock(lockedPurchases, learnt.order.bill_purchase!),
    order: work.lock(lockedOrders, id),
    buyer: work.load(buyers, organization),
    event_id: work.load(eventIds, learnt),
  })
  const update = decideVend(row, order, learnt, work.now)
  const { purchase, after } = update
  if (update.late === 'moved') {
    const { connection, reference } = order
    work.add(attentions, { ...row, attention: getMessage('bills.sold_after_all', { connection, reference }) })
  }
  const next = update.may_move && (await work.find(nextSellers, { purchase: row, sellers }))
  if (next) {
    // The attention is about the purchase, and goes on with it.
    work.add(orderUpdates, { ...update, after: { ...after, attention: null } })
    await moveTo(work, row, next, after.attention)
    return update
  }
  work.add(orderUpdates, update)
  if (!purchase) return update
  work.add(purchaseUpdates, purchase)
  const has_ended = purchase.status !== 'pending'
  if (has_ended) {
    const data = toBillEventData(purchase)
    const author = buyer.service_user
    work.add(tokens, { purchase, buyer })
    work.add(recordedEvents, { id: event_id, organization, type: 'billpayment.status.changed', data, author })
    work.add(purchaseMoney, purchase)
  }
  if (has_ended || purchase.outcome === 'accepted') work.add(notifications, purchase.id)
  return update
}

/** Begins the next attempt, under a reference of its own. */
async function moveTo(work: Work, row: StoredPurchase, next: ChosenSeller, attention: string | null): Promise<void> {
  const moved = { ...row, attempt: row.attempt + 1, outcome: null, modified: truncateToSecond(work.now) }
  work.add(purchaseUpdates, moved)
  work.add(newOrders, toVend(moved, next, await work.load(orderIds, row), work.now))
  if (attention !== null) work.add(attentions, { ...moved, attention })
}

const lockedPurchases: Query<number, StoredPurchase> = { read: lockStoredPurchases }

/** Notifications of the requests that wait for a purchase. */
const notifications: Effect<number> = {
  write(tx, _, purchases) {
    tx.send`select pg_notify(${SETTLED_CHANNEL}, id::text) from unnest(${[...purchases]}::bigint[]) as t(id)`
  },
}

/** Reasons why a person must look at purchases, on their current orders. */
const attentions: Effect<Pick<StoredPurchase, 'id' | 'attempt'> & { attention: string }> = {
  write(tx, _, reasons) {
    const given = rows(reasons, { id: 'bigint', attempt: 'integer', attention: 'text' })
    tx.send`
      update network_orders o set attention = r.attention from ${given.as('r')}
      where o.bill_purchase = r.id and o.attempt = r.attempt`
  },
}

/** Purchases with their changes. */
const purchaseUpdates: Effect<StoredPurchase> = {
  write(tx, _, purchases) {
    const changed = rows(purchases, {
      id: 'bigint',
      organization: 'bigint',
      attempt: 'integer',
      status: 'text',
      outcome: 'text',
      vended: 'json',
      failure_code: 'text',
      modified: 'timestamptz',
    })
    tx.send`
      update bill_purchases t set ${changed.assignments('r', 'id', 'organization')}
      from ${changed.as('r')} where t.id = r.id and t.organization = r.organization`
  },
}

/** The SMS with the tokens of purchases that have ended. */
const tokens: Effect<{ purchase: Purchase; buyer: Buyer }> = {
  write: (tx, now, ended) =>
    queueTokens(
      tx,
      now,
      ended.map(({ purchase }) => purchase),
      new Map(ended.map(({ purchase, buyer }) => [purchase.organization, buyer])),
    ),
}

/** Money of purchases that have ended. */
const purchaseMoney: Effect<Purchase> = { write: settleMoney }

/** The effects of purchases, in the order in which they are written. Wallets are locked last. */
export const purchaseEffects: readonly AnyEffect[] = [
  orderUpdates,
  purchaseUpdates,
  newOrders,
  attentions,
  tokens,
  recordedEvents,
  notifications,
  purchaseMoney,
]

async function settleMoney(tx: Tx, now: Date, ended: readonly Purchase[]): Promise<void> {
  const failed = ended.filter((purchase) => purchase.status === 'failed')
  const sold = ended.filter((purchase) => purchase.status === 'success')
  await endHolds(tx, now, { settled: sold.map(toHold), released: failed.map(toHold) })
  for (const { service_type, details } of failed.toSorted((one, other) => (stockKey(one) < stockKey(other) ? -1 : 1)))
    if (details.pin_value !== undefined)
      await returnPinsToStock(tx, { service_type, pin_value: details.pin_value, count: details.pins ?? 1 })
}

/** The order in which stock is locked. It is the same everywhere, which prevents deadlocks. */
function stockKey({ service_type, details }: Purchase): string {
  return `${service_type}:${details.pin_value ?? ''}`
}

/** Organization of a purchase, for applying answers. Its service user is the author of events. */
type Buyer = TokenSender & { id: number; service_user: number }

/** The organizations of purchases, by id. */
const buyers: Query<number, Buyer> = {
  async read(tx, ids) {
    const found = await tx<Buyer[]>`
      select id, name, service_user, send_bill_tokens from organizations where id = any(${ids}::bigint[])`
    return new Map(found.map((buyer) => [buyer.id, buyer]))
  },
}
