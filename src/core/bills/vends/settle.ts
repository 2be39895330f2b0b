import type { Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { supersedeAttestations } from '../../connections/superseded-attestations.ts'
import { recordEvents } from '../../events/events.ts'
import { releaseLeases } from '../../leases.ts'
import { endHolds } from '../../ledger/holds.ts'
import { WriteConflict } from '../../write-conflict.ts'
import { returnPinsToStock } from '../catalogue.ts'
import type { Seller } from '../choose-seller.ts'
import { lockPurchases, type Purchase, toHold } from '../purchases.ts'
import { toBillEventData } from '../results.ts'
import { queueTokens, type TokenSender } from '../token-sms.ts'
import { findNextSeller, type Move, moveToNextSeller, recordSoldAfterAll } from './attempts.ts'
import { decideVend, type LearntPurchase } from './outcomes.ts'

/** Notifies the requests that wait for a purchase, in all processes, of an answer. The payload is the purchase id. */
export const SETTLED_CHANNEL = 'bill_settled'

/**
 * Settles purchases: stores what was learnt and ends the holds. A refusal that is about the provider and not about the
 * customer moves the purchase to the next provider, if there is one.
 *
 * Statements that need no answer of the database travel together, so that the wallets are locked for one round trip and
 * the commit.
 * @param sellers the providers that sell now; none where people have decided the end
 * @returns the late sales: purchases that failed or were moved here but were sold later. A person must check them.
 * @throws WriteConflict when two are about the same purchase: the second one must see the effect of the first
 */
export async function settlePurchases(
  tx: Tx,
  now: Date,
  learnt: readonly LearntPurchase[],
  sellers: readonly Seller[] = [],
): Promise<number[]> {
  const ids = learnt.map(({ purchase }) => purchase.id)
  if (new Set(ids).size < ids.length) throw new WriteConflict()
  const asked = learnt.map(({ purchase }) => purchase)
  const [locked, buyers] = await Promise.all([lockPurchases(tx, ids), findBuyers(tx, asked)])
  const changed: Purchase[] = []
  const moved: Move[] = []
  const late_sales: number[] = []
  for (const one of learnt) {
    const { id } = one.purchase
    const change = decideVend(locked.get(id), one, now)
    if (change.does === 'report earlier sale') {
      if (await recordSoldAfterAll(tx, now, id, change.reference)) late_sales.push(id)
    } else if (change.does === 'keep') {
      if (change.is_late) late_sales.push(id)
      if (change.says) noteContradiction(tx, id, change.says)
    } else if (change.does === 'change') {
      const { after, refusal } = change
      const purchase = locked.get(id)!
      const next = refusal && (await findNextSeller(tx, purchase, sellers))
      if (refusal && next) moved.push({ purchase, refusal, next })
      else changed.push(after)
    }
  }
  const ended = changed.filter(({ status }) => status !== 'pending')
  await Promise.all([
    moveToNextSeller(tx, now, moved),
    updatePurchases(tx, changed),
    supersedeAttestations(
      tx,
      now,
      'bill_purchase',
      [...ended, ...moved.map(({ purchase }) => purchase)].map(({ id }) => id),
    ),
    queueTokens(tx, now, ended, buyers),
    announce(tx, now, changed, buyers),
    settleMoney(tx, now, ended),
  ])
  return late_sales
}

/** Records the events of ended purchases, and notifies the requests that wait for an answer. */
async function announce(
  tx: Tx,
  now: Date,
  changed: readonly Purchase[],
  buyers: ReadonlyMap<number, Buyer>,
): Promise<void> {
  const events = changed.flatMap((purchase) =>
    purchase.status === 'pending'
      ? []
      : {
          organization: purchase.organization,
          type: 'billpayment.status.changed' as const,
          data: toBillEventData(purchase),
          author: buyers.get(purchase.organization)!.service_user,
        },
  )
  const notified = changed.filter(({ status, outcome }) => status !== 'pending' || outcome === 'accepted')
  await Promise.all([recordEvents(tx, now, events), notifyWaiting(tx, notified)])
}

async function notifyWaiting(tx: Tx, notified: readonly Purchase[]): Promise<void> {
  if (notified.length === 0) return
  await tx`
    select pg_notify(${SETTLED_CHANNEL}, id::text) from unnest(${notified.map((purchase) => purchase.id)}::bigint[]) as t(id)`
}

/** Notes that a provider contradicts what people have attested: a person must look into it. */
function noteContradiction(tx: Tx, id: number, outcome: 'successful' | 'failed'): void {
  const attention =
    outcome === 'successful' ? getMessage('bills.biller_says_sold') : getMessage('bills.biller_says_sold_nothing')
  tx.send`
    update bill_purchases set attention = ${attention} where id = ${id} and attested is not null and attested <> ${outcome}`
}

async function updatePurchases(tx: Tx, purchases: readonly Purchase[]): Promise<void> {
  if (purchases.length === 0) return
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
}

async function settleMoney(tx: Tx, now: Date, ended: readonly Purchase[]): Promise<void> {
  if (ended.length === 0) return
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
type Buyer = TokenSender & { service_user: number }

/** The organizations of these purchases, by id. */
async function findBuyers(tx: Tx, purchases: readonly Pick<Purchase, 'organization'>[]): Promise<Map<number, Buyer>> {
  const ids = [...new Set(purchases.map((purchase) => purchase.organization))]
  const rows = await tx<(Buyer & { id: number })[]>`
    select id, name, service_user, send_bill_tokens from organizations where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}
