import type { Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { type AnyEffect, type Effect, type Query, together, type Work } from '../../../db/unit-of-work.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { supersedeAttestations } from '../../connections/superseded-attestations.ts'
import { eventIds, recordedEvents } from '../../events/events.ts'
import { releaseLeases } from '../../leases.ts'
import { endHolds } from '../../ledger/holds.ts'
import { returnPinsToStock } from '../catalogue.ts'
import type { Seller } from '../choose-seller.ts'
import { lockPurchases, type Purchase, toHold } from '../purchases.ts'
import { toBillEventData } from '../results.ts'
import { queueTokens, type TokenSender } from '../token-sms.ts'
import { earlierAttempts, nextSellers, purchaseMoves, soldAfterAll } from './attempts.ts'
import { decideVend, type LearntPurchase } from './outcomes.ts'

/** Notifies the requests that wait for a purchase, in all processes, of an answer. The payload is the purchase id. */
export const SETTLED_CHANNEL = 'bill_settled'

/**
 * Settles a purchase: stores what was learnt and ends the hold. A refusal that is about the provider and not about the
 * customer moves the purchase to the next provider, if there is one.
 * @param sellers the providers that sell now; none where people have decided the end
 * @returns true for a late sale: the purchase has failed or was moved here but was sold later. A person must check it
 * @throws WriteConflict when two are about the same purchase
 */
export async function settlePurchase(
  work: Work,
  learnt: LearntPurchase,
  sellers: readonly Seller[] = [],
): Promise<boolean> {
  const { id, organization } = learnt.purchase
  const { purchase, buyer, event_id } = await together({
    purchase: work.lock(lockedPurchases, id),
    buyer: work.load(buyers, organization),
    event_id: work.load(eventIds, learnt),
  })
  const change = decideVend(purchase, learnt, work.now)
  switch (change.does) {
    case 'nothing':
      return false
    case 'keep':
      if (change.says) work.add(contradictions, { id, says: change.says })
      return change.is_late
    case 'report earlier sale': {
      const attempt = await work.find(earlierAttempts, change.reference)
      if (attempt?.purchase !== id) return false
      work.add(soldAfterAll, attempt)
      return true
    }
    case 'change': {
      const { after, refusal } = change
      const next = refusal && (await work.find(nextSellers, { purchase, sellers }))
      if (refusal && next) work.add(purchaseMoves, { purchase, refusal, next })
      else work.add(purchaseUpdates, after)
      if (next || after.status !== 'pending') work.add(endedAttempts, id)
      if (next) return false
      if (after.status !== 'pending') {
        const data = toBillEventData(after)
        work.add(tokens, { purchase: after, buyer })
        work.add(recordedEvents, {
          id: event_id,
          organization,
          type: 'billpayment.status.changed',
          data,
          author: buyer.service_user,
        })
        work.add(purchaseMoney, after)
      }
      if (after.status !== 'pending' || after.outcome === 'accepted') work.add(notifications, id)
      return false
    }
  }
}

const lockedPurchases: Query<number, Purchase> = { read: lockPurchases }

/** Notifications of the requests that wait for a purchase. */
const notifications: Effect<number> = {
  write(tx, _, purchases) {
    tx.send`select pg_notify(${SETTLED_CHANNEL}, id::text) from unnest(${[...purchases]}::bigint[]) as t(id)`
  },
}

/** Words of a provider that contradict what people have attested: a person must look into it. */
const contradictions: Effect<{ id: number; says: 'successful' | 'failed' }> = {
  write(tx, _, said) {
    for (const { id, says } of said) {
      const attention =
        says === 'successful' ? getMessage('bills.biller_says_sold') : getMessage('bills.biller_says_sold_nothing')
      tx.send`
        update bill_purchases set attention = ${attention} where id = ${id} and attested is not null and attested <> ${says}`
    }
  },
}

/** Purchases whose current attempt has ended. */
const endedAttempts: Effect<number> = { write: (tx, now, ids) => supersedeAttestations(tx, now, 'bill_purchase', ids) }

/** Purchases with their changes. */
const purchaseUpdates: Effect<Purchase> = {
  write(tx, _, purchases) {
    const results = rows(purchases, {
      id: 'bigint',
      organization: 'bigint',
      status: 'text',
      outcome: 'text',
      message: 'text',
      remote_id: 'text',
      vended: 'json',
      charged: 'numeric',
      charged_currency: 'text',
      failure_code: 'text',
      status_queries: 'integer',
      due_at: 'timestamptz',
      modified: 'timestamptz',
    })
    releaseLeases(tx, 'bill_purchases', results, ['id', 'organization'])
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
  purchaseMoves,
  purchaseUpdates,
  contradictions,
  soldAfterAll,
  endedAttempts,
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
