import type { Tx } from '../../db/client.ts'
import type { Seller } from '../bills/choose-seller.ts'
import type { LearntPurchase } from '../bills/vends/outcomes.ts'
import { settlePurchases } from '../bills/vends/settle.ts'
import { settleCharges } from '../collections/charges/settle.ts'
import type { LearntOrder, OrderUpdate } from '../connections/network-orders.ts'
import { requirePresentSettings } from '../connections/service-state.ts'
import type { LatePayout } from '../payments/late-payouts.ts'
import { settlePayouts } from '../payments/settle-payouts.ts'

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
export type LearntAny = LearntOrder | LearntPurchase

/** Changes by what was learnt. */
export interface Settlement {
  /** The orders before and after, in the order given. */
  updates: readonly OrderUpdate[]
  /** Payouts that were sent after a failure. A person must look into them. */
  late_payouts: readonly LatePayout[]
  /** Purchases that were sold after they had failed or moved on. A person must look into them. */
  late_sales: readonly number[]
}

const NOTHING: Settlement = { updates: [], late_payouts: [], late_sales: [] }

/** Orders that lock the same kinds of rows, so that one transaction may settle them. Payouts include refunds. */
export type SettlementGroup = 'charge' | 'payout' | 'purchase'

/** Returns the group of an order of a network, or of a purchase. */
export function groupOf(learnt: LearntAny): SettlementGroup {
  if ('purchase' in learnt) return 'purchase'
  return learnt.order.kind === 'charge' ? 'charge' : 'payout'
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
  const purchases = learnt.flatMap((one) => ('purchase' in one ? one : []))
  if (purchases.length > 0) return { ...NOTHING, late_sales: await settlePurchases(tx, now, purchases, sellers) }
  const orders = learnt.flatMap((one) => ('order' in one ? one : []))
  const [first] = orders
  if (!first) return NOTHING
  if (groupOf(first) === 'charge') return { ...NOTHING, updates: await settleCharges(tx, now, orders) }
  const [{ updates, late }] = await Promise.all([
    settlePayouts(tx, now, orders),
    // Charges are checked where their money is entered. Two persons need no settings.
    requirePresentSettings(
      tx,
      orders.flatMap(({ source, network }) => (source === 'operator' ? [] : [network])),
    ),
  ])
  return { ...NOTHING, updates, late_payouts: late }
}
