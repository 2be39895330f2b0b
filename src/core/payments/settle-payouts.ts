import { column, insert, table } from '../../db/table.ts'
import { type AnyEffect, type Effect, type Query, together, type Work } from '../../db/unit-of-work.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type LearntOrder, lockedOrders, orderUpdates } from '../connections/network-orders.ts'
import { presentSettings } from '../connections/service-state.ts'
import { endedRecipients } from './ended-recipients.ts'
import { latePayouts } from './late-payouts.ts'
import { listPayoutReversals, openStates } from './payments.ts'
import { decidePayout, hasMovedMoney, type PayoutUpdate } from './payout-outcomes.ts'
import { payoutMoney } from './payout-postings.ts'
import { lockedPayments, lockedRecipients, paymentIds, recipientUpdates, serviceTransitions } from './payouts.ts'
import { recipientSms } from './recipient-sms.ts'

/**
 * Settles a payout or refund: stores what was learnt, moves the money, changes the state of the payment, and queues the SMS
 * to the recipient. News of an ended payout changes something only if money has moved since: a reversal, whole or in
 * part, or a payout sent after a reported failure.
 * @throws WriteConflict when two are about the same recipient. SettingsChanged when the word of a connection does not count
 */
export async function settlePayout(work: Work, learnt: LearntOrder): Promise<PayoutUpdate> {
  const { id, payment_recipient } = learnt.order
  const recipient_id = payment_recipient!
  const { payment_id } = await together({
    payment_id: work.load(paymentIds, recipient_id),
    // Two persons need no settings.
    settings: learnt.source === 'operator' ? Promise.resolve() : work.load(presentSettings, learnt.network),
  })
  // In the order of the locks.
  const { payment, recipient, reversals, order } = await together({
    payment: work.load(lockedPayments, payment_id),
    recipient: work.lock(lockedRecipients, recipient_id),
    reversals: work.load(reversedParts, recipient_id),
    order: work.lock(lockedOrders, id),
  })
  const update = decidePayout(recipient, order, learnt, reversals, work.now)
  work.add(orderUpdates, update)
  const { change } = update
  if (!change) return update
  const { before, after, reversal, late } = change
  work.add(recipientUpdates, after)
  for (const part of reversal?.parts ?? []) work.add(payoutReversals, { ...part, recipient: before.id })
  if (late) work.add(latePayouts, { ...late, recipient: before })
  if (hasMovedMoney(change) && !openStates.includes(after.state)) {
    const by_service = await work.load(serviceTransitions, payment.id)
    work.add(endedRecipients, { payment, recipient: after, was_open: openStates.includes(before.state), ...by_service })
  }
  work.add(payoutMoney, { payment, change })
  if (before.state !== 'complete' && after.state === 'complete' && payment.send_sms_message)
    work.add(recipientSms, { payment, recipient: after })
  return update
}

const reversalTable = table('payout_reversals', {
  recipient: column.bigint().key(),
  remote_id: column.text().key(),
  amount: column.numeric(),
  created: column.timestamptz(),
})

/** The ids of the parts of payouts that were reversed before. */
const reversedParts: Query<number, readonly string[]> = {
  async read(tx, recipients) {
    const parts = Map.groupBy(await listPayoutReversals(tx, recipients), ({ recipient }) => recipient)
    return new Map(recipients.map((id) => [id, (parts.get(id) ?? []).map(({ remote_id }) => remote_id)]))
  },
}

/** Parts that came back, each once. */
const payoutReversals: Effect<{ recipient: number; remote_id: string; amount: bigint }> = {
  write(tx, now, parts) {
    tx.send`${insert(reversalTable, parts, { created: truncateToSecond(now) })}`
  },
}

/** The effects of payouts, in the order in which they are written. */
export const payoutEffects: readonly AnyEffect[] = [
  orderUpdates,
  recipientUpdates,
  payoutReversals,
  latePayouts,
  endedRecipients,
  recipientSms,
  payoutMoney,
]
