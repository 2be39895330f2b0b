import type { Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type LearntOrder, lockOrders, type OrderUpdate, writeOrders } from '../connections/network-orders.ts'
import { WriteConflict } from '../write-conflict.ts'
import { type LatePayout, recordLatePayouts } from './late-payouts.ts'
import { listPayoutReversals, listRecipients, openStates, type PaymentRow, type RecipientRow } from './payments.ts'
import { decidePayout, hasMovedMoney, type PayoutChange } from './payout-outcomes.ts'
import { moveMoneyOfPayouts } from './payout-postings.ts'
import { lockPayments, lockRecipients, toServiceTransitions, updateRecipients } from './payouts.ts'
import { queueRecipientSms } from './recipient-sms.ts'
import { transitionPayments } from './transitions.ts'

/** Changes of payouts. `late`: payouts that were sent after a failure. A person must look into them. */
export interface SettledPayouts {
  updates: readonly OrderUpdate[]
  late: readonly LatePayout[]
}

/**
 * Settles payouts and refunds: stores what was learnt, moves the money, changes the states of payments, and queues the SMS to
 * recipients. News of an ended payout changes something only if money has moved since: a reversal, whole or in part, or
 * a payout sent after a reported failure.
 * @throws WriteConflict when two are about the same recipient: the second one must see the effect of the first
 */
export async function settlePayouts(tx: Tx, now: Date, learnt: readonly LearntOrder[]): Promise<SettledPayouts> {
  const ids = [...new Set(learnt.map(({ order }) => order.payment_recipient!))]
  if (ids.length < learnt.length) throw new WriteConflict()
  const payments = new Map((await lockPayments(tx, ids)).map((payment) => [payment.id, payment]))
  // Sent together, and carried out in this order: the recipients are locked before their orders.
  const [locked, reversals, orders] = await Promise.all([
    lockRecipients(tx, ids),
    listPayoutReversals(tx, ids),
    lockOrders(
      tx,
      learnt.map(({ order }) => order.id),
    ),
  ])
  const recipients = new Map(locked.map((recipient) => [recipient.id, recipient]))
  const updates = learnt.map((one) => {
    const recipient = recipients.get(one.order.payment_recipient!)!
    const taken_before = reversals.flatMap((part) => (part.recipient === recipient.id ? [part.remote_id] : []))
    return decidePayout(recipient, orders.get(one.order.id)!, one, taken_before, now)
  })
  const changes = updates.flatMap(({ change }) => change ?? [])
  writeOrders(tx, now, updates)
  await updateRecipients(
    tx,
    now,
    changes.map(({ after }) => after),
  )
  await insertReversals(tx, now, changes)
  const late = await recordLatePayouts(
    tx,
    now,
    changes.flatMap(({ before, late }) => (late ? [{ ...late, recipient: before }] : [])),
  )
  await endPayments(tx, now, payments, changes)
  await moveMoneyOfPayouts(tx, now, payments, changes)
  await queueRecipientSms(tx, now, payments, changes)
  return { updates, late }
}

const reversalTable = table('payout_reversals', {
  recipient: column.bigint().key(),
  remote_id: column.text().key(),
  amount: column.numeric(),
  created: column.timestamptz(),
})

/** Writes the parts that came back, each once. */
async function insertReversals(tx: Tx, now: Date, changes: readonly PayoutChange[]): Promise<void> {
  const parts = changes.flatMap(({ before, reversal }) =>
    (reversal?.parts ?? []).map((part) => ({ ...part, recipient: before.id })),
  )
  if (parts.length === 0) return
  await tx`${insert(reversalTable, parts, { created: truncateToSecond(now) })}`
}

/**
 * Ends the payments that have no open recipient left. A payment that has ended before changes its state, or keeps it with
 * another error, when money of one of its recipients has moved since.
 */
async function endPayments(
  tx: Tx,
  now: Date,
  payments: ReadonlyMap<number, PaymentRow>,
  changes: readonly PayoutChange[],
): Promise<void> {
  const ended_recipients = changes.filter((change) => hasMovedMoney(change) && !openStates.includes(change.after.state))
  const affected = [...new Set(ended_recipients.map(({ after }) => after.payment))].map((id) => payments.get(id)!)
  if (affected.length === 0) return
  const all = Map.groupBy(
    await listRecipients(
      tx,
      affected.map((payment) => payment.id),
    ),
    (recipient) => recipient.payment,
  )
  const ending = affected.filter(({ id }) => !all.get(id)!.some(({ state }) => openStates.includes(state)))
  const incomplete = ({ id }: PaymentRow) => all.get(id)!.findLast(isIncomplete)
  const transitions = await toServiceTransitions(tx, ending, (payment) =>
    incomplete(payment) ? 'processed_with_errors' : 'processed',
  )
  const noteOf = (payment: PaymentRow) => {
    const newest = ended_recipients.findLast(({ after }) => after.payment === payment.id)!.after
    return (hasEnded(payment) ? newest : incomplete(payment))?.last_error ?? undefined
  }
  await transitionPayments(
    tx,
    now,
    transitions.map((transition) => ({ ...transition, note: noteOf(transition.payment) })),
  )
}

function hasEnded({ state }: PaymentRow): boolean {
  return state === 'processed' || state === 'processed_with_errors'
}

/** True if a recipient that has ended does not have all of the money. */
function isIncomplete({ state, reversed_in_parts }: RecipientRow): boolean {
  return state === 'error' || reversed_in_parts > 0n
}
