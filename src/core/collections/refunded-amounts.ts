import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Amount } from '../../lib/money.ts'

/** Counts what is now on its way back against a collection that the transaction has locked. */
export async function addRefundedAmount(tx: Tx, collection: number, amount: Amount): Promise<void> {
  await tx`update collections set refunded = refunded + ${amount} where id = ${collection}`
}

/** What was on its way back and will not arrive can be given back again. */
export async function subtractRefundedAmounts(
  tx: Tx,
  ended: readonly { payment: { collection: number | null }; amount: Amount }[],
): Promise<void> {
  const refunds = ended.filter(({ payment }) => payment.collection !== null)
  if (refunds.length === 0) return
  const r = rows(refunds, { collection: ['bigint', ({ payment }) => payment.collection], amount: 'numeric' })
  await tx`
    update collections c set refunded = c.refunded - total.amount
    from (select collection, sum(amount) as amount from ${r.as('r')} group by collection) total
    where c.id = total.collection`
}
