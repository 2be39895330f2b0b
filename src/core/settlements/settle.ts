import type { Tx } from '../../db/client.ts'
import { settleCharges } from '../collections/charges/settle.ts'
import type { LearntOrder, OrderUpdate } from '../connections/network-orders.ts'
import { requirePresentSettings } from '../connections/service-state.ts'
import type { LatePayout } from '../payments/late-payouts.ts'
import { settlePayouts } from '../payments/settle-payouts.ts'

/*
 * An order is settled here: whatever is learnt about it, from whichever source.
 *
 *     reply ─────────┐                                              ┌─► order, its answers, attestations
 *     status query ──┤              decide (pure)                   ├─► request, payment
 *     callback ──────┼─► settle ──► charges/outcomes.ts ──► write ──┼─► wallets, collections, fees
 *     statement ─────┤              payout-outcomes.ts              ├─► events, SMS
 *     two persons ───┘              order-outcomes.ts               └─► late payouts, for a person
 *
 * The table of cases is in docs/networks.md.
 */

/** Changes by what was learnt. */
export interface Settlement {
  /** The orders before and after, in the order given. */
  updates: readonly OrderUpdate[]
  /** Payouts that were sent after a failure. A person must look into them. */
  late_payouts: readonly LatePayout[]
}

/**
 * Settles orders of one kind: stores what was learnt about them, and everything that follows. Charges on one side,
 * payouts and refunds on the other lock different rows, so each has a transaction of its own.
 * @throws WriteConflict when they must be settled again, in parts. SettingsChanged, NotInService when the word of a
 *   connection does not count
 */
export async function settle(tx: Tx, now: Date, learnt: readonly LearntOrder[]): Promise<Settlement> {
  if (learnt.length === 0) return { updates: [], late_payouts: [] }
  const charges = learnt.filter(({ order }) => order.kind === 'charge')
  if (charges.length === learnt.length) return { updates: await settleCharges(tx, now, learnt), late_payouts: [] }
  if (charges.length > 0) throw new Error('Charges are not settled together with payouts.')
  const [{ updates, late }] = await Promise.all([
    settlePayouts(tx, now, learnt),
    // Charges are checked where their money is entered. Two persons need no settings.
    requirePresentSettings(
      tx,
      learnt.flatMap(({ source, network }) => (source === 'operator' ? [] : [network])),
    ),
  ])
  return { updates, late_payouts: late }
}
