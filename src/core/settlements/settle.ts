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

/**
 * Settles orders of one kind: stores what was learnt about them, and everything that follows. Charges, payouts with
 * refunds, and purchases lock different rows, so each have a transaction of their own.
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
  const purchases = learnt.flatMap((one) => ('purchase' in one ? one : []))
  const orders = learnt.flatMap((one) => ('order' in one ? one : []))
  const charges = orders.filter(({ order }) => order.kind === 'charge')
  const payouts = orders.filter(({ order }) => order.kind !== 'charge')
  if ([purchases, charges, payouts].filter(({ length }) => length > 0).length > 1)
    throw new Error('Orders of several kinds are settled one kind after the other.')
  if (purchases.length > 0) return { ...NOTHING, late_sales: await settlePurchases(tx, now, purchases, sellers) }
  if (charges.length > 0) return { ...NOTHING, updates: await settleCharges(tx, now, charges) }
  if (payouts.length === 0) return NOTHING
  const [{ updates, late }] = await Promise.all([
    settlePayouts(tx, now, payouts),
    // Charges are checked where their money is entered. Two persons need no settings.
    requirePresentSettings(
      tx,
      payouts.flatMap(({ source, network }) => (source === 'operator' ? [] : [network])),
    ),
  ])
  return { ...NOTHING, updates, late_payouts: late }
}
