import type { Tx } from '../../db/client.ts'
import { placePayouts } from './payouts.ts'
import type { TransactionRow } from './records.ts'
import type { Clocks, NewRefund, Payout, Placed, RefundRefusal } from './world.ts'

type PlacedRefund = Placed<Payout> | { outcome: 'impossible'; reason: RefundRefusal }

/** Place a refund of a payment. The same key is the same refund. Refunds never exceed the payment. */
export async function placeRefund(
  tx: Tx,
  clocks: Clocks,
  { payment: remote_id, amount, currency, ...refund }: NewRefund & { door: string },
): Promise<PlacedRefund> {
  const [payment] = await tx<TransactionRow[]>`
    select * from simulator_transactions where remote_id = ${remote_id} for update`
  if (payment?.door !== refund.door) return impossible('payment_not_found')
  if (currency !== undefined && currency !== payment.currency) return impossible('wrong_currency')
  const [earlier] = await tx<{ amount: bigint }[]>`
    select amount from simulator_payouts where door = ${refund.door} and reference = ${refund.key}`
  const left = payment.amount - payment.refunded
  const wanted = amount ?? earlier?.amount ?? left
  if (!earlier) {
    if (payment.status === 'reversed') return impossible('payment_reversed')
    if (wanted > left || wanted <= 0n) return impossible('amount_too_large')
  }
  const { receiver: sender, phonenumber } = payment
  const money = { sender, phonenumber, amount: wanted, currency: payment.currency }
  const [placed] = await placePayouts(tx, clocks, [{ ...refund, ...money, kind: 'refund', refund_of: remote_id }])
  if (!placed!.ok) throw placed!.error
  if (!earlier && placed!.value.outcome !== 'conflict')
    await tx`update simulator_transactions set refunded = refunded + ${wanted} where remote_id = ${remote_id}`
  return placed!.value
}

function impossible(reason: RefundRefusal): PlacedRefund {
  return { outcome: 'impossible', reason }
}
