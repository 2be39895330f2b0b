import type { Tx } from '../../db/client.ts'
import { workTogether } from '../../db/unit-of-work.ts'
import type { Seller } from '../bills/choose-seller.ts'
import type { LearntVend } from '../bills/vends/outcomes.ts'
import { purchaseEffects, settlePurchase } from '../bills/vends/settle.ts'
import { chargeEffects, settleCharge } from '../collections/charges/settle.ts'
import type { LearntOrder, OrderAnswer, OrderUpdate, VendNews } from '../connections/network-orders.ts'
import type { LatePayout } from '../payments/late-payouts.ts'
import { payoutEffects, settlePayout } from '../payments/settle-payouts.ts'

/*
 * An order is settled here: whatever is learnt about a charge, a payout, a refund or the vend of a bill, from
 * whichever source.
 *
 *     reply ─────────┐                                                  ┌─► order, its answers, attestations
 *     status query ──┤              decide, without a database          ├─► request, payment, purchase
 *     callback ──────┼─► settle ──► order-outcomes.ts, and for     ─────┼─► wallets, collections, holds, fees
 *     statement ─────┤              its kind: charges/outcomes.ts,      ├─► events, SMS
 *     two persons ───┘              payout-outcomes.ts or               └─► late money, for a person
 *                                   vends/outcomes.ts
 *
 * The table of cases is in docs/networks.md. Money that names an order, and was reported by itself, comes in by
 * collections/incoming-payments.ts, which settles the order by the same decisions.
 */

/** News about an order of ours. */
export type LearntAny = LearntOrder | LearntVend

/** Changes by what was learnt. */
export interface Settlement {
  /** The orders before and after, in the order given. */
  updates: readonly OrderUpdate<OrderAnswer | VendNews>[]
  /** Payouts that were sent after a failure. A person must look into them. */
  late_payouts: readonly Pick<LatePayout, 'id' | 'payment' | 'amount' | 'booked'>[]
  /** Purchases that were sold after they had failed or moved on. A person must look into them. */
  late_sales: readonly number[]
}

/** Orders that lock the same kinds of rows, so that one transaction may settle them. Payouts include refunds. */
export type SettlementGroup = 'charge' | 'payout' | 'purchase'

/** Returns the group of an order. */
export function groupOf({ order: { kind } }: LearntAny): SettlementGroup {
  if (kind === 'vend') return 'purchase'
  return kind === 'charge' ? 'charge' : 'payout'
}

/**
 * Settles orders of one group: stores what was learnt about them, and everything that follows.
 * @param sellers the bill providers that sell now, for a purchase that its own provider refuses
 * @throws WriteConflict when they must be settled again, in parts. SettingsChanged, NotInService when the word of a
 *   connection does not count
 */
export async function settle(
  tx: Tx,
  now: Date,
  learnt: readonly LearntAny[],
  sellers: readonly Seller[] = [],
): Promise<Settlement> {
  if (new Set(learnt.map(groupOf)).size > 1)
    throw new Error('Orders of several kinds are settled one kind after the other.')
  const of = <One extends LearntAny>(group: SettlementGroup) => learnt.filter((one) => groupOf(one) === group) as One[]
  const purchases = of<LearntVend>('purchase')
  const charges = of<LearntOrder>('charge')
  const payouts = of<LearntOrder>('payout')
  const bought = await workTogether({ tx, now, effects: purchaseEffects }, purchases, (work, one) =>
    settlePurchase(work, one, sellers),
  )
  const paid_in = await workTogether({ tx, now, effects: chargeEffects }, charges, settleCharge)
  const paid_out = await workTogether({ tx, now, effects: payoutEffects }, payouts, settlePayout)
  return {
    updates: [...bought, ...paid_in, ...paid_out],
    late_payouts: paid_out.flatMap(({ change }) =>
      change?.late ? [{ ...change.late, id: change.before.id, payment: change.before.payment }] : [],
    ),
    late_sales: bought.flatMap(({ late, before }) => (late ? [before.bill_purchase!] : [])),
  }
}
