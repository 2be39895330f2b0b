import type { Effect } from '../../db/unit-of-work.ts'
import { addRefundedAmounts, subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import { endHolds, type Hold } from '../ledger/holds.ts'
import { type NetworkFee, toNetworkFeeTransfers } from '../ledger/network-fees.ts'
import { type PaymentRow, toHold } from './payments.ts'
import type { PayoutChange } from './payout-outcomes.ts'

/** A payout that has changed, with its payment. */
export interface ChangedPayout {
  payment: PaymentRow
  change: PayoutChange
}

/**
 * Money of payouts that have ended or whose money has moved since. A refund that comes back can be refunded again. The
 * charges of networks are booked, too. The rows must be locked, because this locks the accounts.
 */
export const payoutMoney: Effect<ChangedPayout> = {
  async write(tx, now, changed) {
    const amounts = changed.map(({ payment, change }) => ({ payment, amount: returnedAmount(change) }))
    const returned = amounts.filter(({ amount }) => amount !== 0n)
    const with_money = (money: PayoutChange['money']) => changed.filter(({ change }) => change.money === money)
    await addRefundedAmounts(
      tx,
      now,
      with_money('retake').map(({ payment, change }) => ({ payment, amount: change.before.amount })),
    )
    await subtractRefundedAmounts(tx, now, returned)
    const holds = (money: PayoutChange['money']) => with_money(money).map(toHoldOf)
    await endHolds(tx, now, {
      settled: holds('settle'),
      released: holds('release'),
      retaken: holds('retake'),
      reversed: changed.flatMap((one) => {
        const { reversal } = one.change
        return reversal ? [{ ...reversal, hold: toHoldOf(one) }] : []
      }),
      further: await toNetworkFeeTransfers(tx, now, changed.flatMap(toNetworkFee)),
    })
  },
}

function toHoldOf({ payment, change }: ChangedPayout): Hold {
  return toHold(payment, change.before)
}

/** Returns the network's charge for a payout that it has sent. */
function toNetworkFee({ payment, change }: ChangedPayout): NetworkFee[] {
  const { currency, author } = payment
  const { before, after, network_fee } = change
  if (!network_fee || after.state !== 'complete') return []
  return [{ subject: `recipient:${before.id}`, connection: before.connection, currency, author, amount: network_fee }]
}

/** Computes the amount that goes back to the source of a payout. */
function returnedAmount({ before, money, reversal }: PayoutChange): bigint {
  if (money === 'release') return before.amount
  return reversal ? reversal.parts.reduce((sum, { amount }) => sum + amount, reversal.rest) : 0n
}
