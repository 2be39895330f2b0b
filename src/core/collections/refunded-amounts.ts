import type { Tx } from '../../db/client.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'

/** Counts what is now on its way back against a collection that the transaction has locked. */
export async function addRefundedAmount(tx: Tx, collection: number, amount: Amount): Promise<void> {
  await tx`update collections set refunded = refunded + ${formatAmount(amount)} where id = ${collection}`
}

/** What was on its way back and will not arrive can be given back again. */
export async function subtractRefundedAmounts(
  tx: Tx,
  ended: readonly { payment: { collection: number | null }; amount: Amount }[],
): Promise<void> {
  const refunds = ended.filter(({ payment }) => payment.collection !== null)
  if (refunds.length === 0) return
  await tx`
    update collections c set refunded = c.refunded - r.amount
    from (
      select id, sum(amount) as amount
      from unnest(${refunds.map(({ payment }) => payment.collection!)}::bigint[],
        ${refunds.map(({ amount }) => formatAmount(amount))}::numeric[]) as r(id, amount)
      group by id) r
    where c.id = r.id`
}
