import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Amount } from '../../lib/money.ts'
import { watchCredit } from '../allocations/credit-changes.ts'

/** Adds a refund that begins to the refunded amount of a collection, which the transaction has locked. */
export async function addRefundedAmount(tx: Tx, now: Date, collection: number, amount: Amount): Promise<void> {
  await watchCredit(tx, now, [collection])
  await tx`update collections set refunded = refunded + ${amount} where id = ${collection}`
}

/** Adds refunds that were sent after all, although they had failed. The rows of their payments must be locked. */
export function addRefundedAmounts(
  tx: Tx,
  now: Date,
  sent: readonly { payment: { collection: number | null }; amount: Amount }[],
): Promise<void> {
  return subtractRefundedAmounts(
    tx,
    now,
    sent.map(({ payment, amount }) => ({ payment, amount: -amount })),
  )
}

/** Subtracts refunds that have failed or came back, so that their amounts can be refunded again. */
export async function subtractRefundedAmounts(
  tx: Tx,
  now: Date,
  failed: readonly { payment: { collection: number | null }; amount: Amount }[],
): Promise<void> {
  const refunds = failed.filter(({ payment }) => payment.collection !== null)
  if (refunds.length === 0) return
  const ids = [...new Set(refunds.map(({ payment }) => payment.collection!))]
  await tx`select id from collections where id = any(${ids}::bigint[]) order by id for update`
  await watchCredit(tx, now, ids)
  const r = rows(refunds, { collection: ['bigint', ({ payment }) => payment.collection], amount: 'numeric' })
  await tx`
    update collections c set refunded = c.refunded - total.amount
    from (select collection, sum(amount) as amount from ${r.as('r')} group by collection) total
    where c.id = total.collection`
}
