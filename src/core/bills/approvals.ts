import { z } from 'zod'
import type { AnyReader, Reader } from '../../db/client.ts'
import { workTogether } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { requireOwned } from '../access/organizations.ts'
import { countedKind } from '../approvals/counted.ts'
import {
  approverNames,
  countWaiting,
  purchaseTable,
  type QueueOf,
  type WaitingCounts,
  waitingFields,
  waitingFor,
} from '../approvals/waiting.ts'
import { listOrdersOf } from '../connections/network-orders.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { requireWithinLimits } from './limits.ts'
import { costOf, type Offer } from './offers.ts'
import { awaitsApproval, findPurchasesById, lockPurchases, type Purchase } from './purchases.ts'
import { serviceName } from './service-names.ts'
import { purchaseEffects, settlePurchase } from './vends/settle.ts'

/*
 * Purchases obey the approval rules of payments: airtime and pins are as good as cash. One that waits is pending and not due,
 * so nothing sends it; the last approval makes it due in the transaction that counts it.
 */

/** Approval of purchases. One with enough approvals is sent, and counts against the limits from now on. */
export const purchaseApproval = countedKind({
  noun: 'purchase',
  table: purchaseTable,
  own: 'bills.user_made_purchase',
  approved_already: 'bills.you_already_approved',
  async lock(tx, _, { id, by: { organization } }) {
    const purchase = (await lockPurchases(tx, [id])).get(id)
    if (!purchase) throw new NotFound(getMessage('bills.no_purchase', { purchase: id }))
    return organization === null ? purchase : requireOwned(organization, purchase)
  },
  closed: (purchase: Purchase) =>
    awaitsApproval(purchase)
      ? undefined
      : { status: [getMessage('bills.purchase_not_waiting', { status: purchase.status })] },
  async approve(tx, { now }, purchase, { by }) {
    await requireWithinLimits(tx, now, purchase)
    await requireSamePrice(tx, purchase)
    await tx`
      update bill_purchases set approvals = ${purchase.approvals}, updated_by = ${by.user}
      where id = ${purchase.id} and organization = ${purchase.organization}`
    tx.send`update network_orders set due_at = ${now} where reference = ${purchase.reference}`
  },
  /** Its money is back in the wallet. */
  async reject(tx, { now }, purchase, { by, reason }) {
    const order = (await listOrdersOf(tx, { bill_purchase: purchase.id })).at(-1)!
    const answer = { outcome: 'failed', reason: 'declined', message: `It was not approved: ${reason}` } as const
    const refused = { order, source: 'operator', answer } as const
    await workTogether({ tx, now, effects: purchaseEffects }, [refused], settlePurchase)
    await tx`update bill_purchases set updated_by = ${by.user} where id = ${purchase.id}`
  },
  read: async (tx, _, { id }) => (await findPurchasesById(tx, [id])).get(id)!,
})

/**
 * Requires that the provider of a purchase does not take more than the buyer pays: its price may have risen since the purchase was
 * made. @throws Invalid
 */
async function requireSamePrice(
  db: Reader,
  { biller, remote_service, remote_product, ...purchase }: Purchase,
): Promise<void> {
  const { amount, details } = purchase
  const offers = await db<Pick<Offer, 'price' | 'commission_percent' | 'off_sale'>[]>`
    select price, commission_percent::text as commission_percent, off_sale from bill_offers
    where connection = ${biller} and remote_service = ${remote_service} and remote_product is not distinct from ${remote_product}`
  const is_dearer = offers.some((offer) => offer.off_sale !== null || costOf(offer, amount, details.pins) > amount)
  if (is_dearer) throw new Invalid({ status: [getMessage('bills.price_has_risen')] })
}

/** A purchase that waits for approvals, as the queue of a user shows it. */
export const WaitingPurchase = z.object({
  ...waitingFields,
  kind: z.string(),
  service_name: z.string(),
  account_number: z.string(),
  phone: z.string(),
})
export type WaitingPurchase = z.output<typeof WaitingPurchase>

export function countWaitingPurchases(db: AnyReader, now: Date, queue: QueueOf): Promise<WaitingCounts> {
  return countWaiting(db, waitingFor(now, queue, purchaseTable))
}

/** The purchases that wait for approvals: those for this user first, the oldest first. At most `limit`. */
export async function listWaitingPurchases(
  db: AnyReader,
  now: Date,
  queue: QueueOf,
  limit: number,
): Promise<WaitingPurchase[]> {
  const found = await db<WaitingPurchase[]>`
    select w.id, w.kind, ${serviceName('w')} as service_name, w.account_number, w.phone, w.amount, w.fee, w.currency, w.created, w.author,
      u.name as author_name, w.approvals_required, w.obstacle,
      ${approverNames(purchaseTable)} as approved_by_names
    from ${waitingFor(now, queue, purchaseTable)} w join users u on u.id = w.author
    order by w.obstacle is not null, w.id limit ${limit}`
  return [...found]
}
