import type { Tx } from '../../db/client.ts'
import { addRefundedAmounts, subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import { endHolds } from '../ledger/holds.ts'
import { type NetworkFee, toNetworkFeeTransfers } from '../ledger/network-fees.ts'
import { type PaymentRow, toHold } from './payments.ts'
import type { PayoutChange } from './payout-outcomes.ts'

/**
 * Moves the money of payouts that have ended or whose money has moved since. A refund that comes back can be refunded
 * again. The charges of networks are booked, too. The rows must be locked, because this locks the accounts.
 * @param payments the payments of the recipients, by id
 */
export async function moveMoneyOfPayouts(
  tx: Tx,
  now: Date,
  payments: ReadonlyMap<number, PaymentRow>,
  changes: readonly PayoutChange[],
): Promise<void> {
  const paymentOf = ({ before }: PayoutChange) => payments.get(before.payment)!
  const retaken = changes.filter(({ money }) => money === 'retake')
  await addRefundedAmounts(
    tx,
    now,
    retaken.map((change) => ({ payment: paymentOf(change), amount: change.before.amount })),
  )
  await subtractRefundedAmounts(
    tx,
    now,
    changes.flatMap((change) => {
      const amount = returnedAmount(change)
      return amount === 0n ? [] : [{ payment: paymentOf(change), amount }]
    }),
  )
  const holds = (money: PayoutChange['money']) =>
    changes.filter((change) => change.money === money).map((change) => toHold(paymentOf(change), change.before))
  await endHolds(tx, now, {
    settled: holds('settle'),
    released: holds('release'),
    retaken: holds('retake'),
    reversed: changes.flatMap((change) => {
      const { before, reversal } = change
      return reversal ? [{ ...reversal, hold: toHold(paymentOf(change), before) }] : []
    }),
    further: await toNetworkFeeTransfers(
      tx,
      now,
      changes.flatMap((change) => toNetworkFee(paymentOf(change), change)),
    ),
  })
}

/** Returns the network's charge for a payout that it has sent. */
function toNetworkFee({ currency, author }: PaymentRow, { before, after, network_fee }: PayoutChange): NetworkFee[] {
  if (!network_fee || after.state !== 'complete') return []
  return [{ subject: `recipient:${before.id}`, connection: before.connection, currency, author, amount: network_fee }]
}

/** Computes the amount that goes back to the source of a payout. */
function returnedAmount({ before, money, reversal }: PayoutChange): bigint {
  if (money === 'release') return before.amount
  return reversal ? reversal.parts.reduce((sum, { amount }) => sum + amount, reversal.rest) : 0n
}
