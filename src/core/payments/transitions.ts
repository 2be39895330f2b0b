import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Effect } from '../../db/unit-of-work.ts'
import { formatAmount } from '../../lib/money.ts'
import { formatMilliseconds, truncateToSecond } from '../../lib/time.ts'
import { type NewEvent, recordEvents } from '../events/events.ts'
import { type PaymentRow, type PaymentState, shownStartDate } from './payments.ts'

/**
 * The transitions of a payment. Every payment starts as `new` and transitions to its waiting state in the same transaction.
 *
 *     new ─┬─► validated ────────────────────────────────────┬─► processed | processed_with_errors
 *          ├─► scheduled ─┬─► validated | approved (its time)─┤
 *          └─► approval_needed | approval_requested ─┬─► approved
 *                                                    ├─► scheduled
 *                                                    └─► rejected
 *
 * The service sends `validated` and `approved` payments. A payment can become `cancelled` until then. A `processed`
 * payment becomes `processed_with_errors` if a network reverses a payout that was complete, or a part of it. It becomes
 * `processed` again if a network has sent money after it had reported a failure, and nothing else is wrong. If something
 * else is wrong, that it stays `processed_with_errors` is a transition too, because money has moved.
 */
const allowedTransitions: Record<PaymentState, readonly PaymentState[]> = {
  new: ['validated', 'scheduled', 'approval_needed', 'approval_requested', 'cancelled'],
  approval_needed: ['approval_requested', 'approved', 'scheduled', 'rejected', 'cancelled'],
  approval_requested: ['approved', 'scheduled', 'rejected', 'cancelled'],
  scheduled: ['validated', 'approved', 'cancelled'],
  validated: ['processed', 'processed_with_errors'],
  approved: ['processed', 'processed_with_errors', 'cancelled'],
  rejected: [],
  processed: ['processed_with_errors'],
  processed_with_errors: ['processed', 'processed_with_errors'],
  cancelled: [],
}

/** Change of a payment's state. The row must be locked by the transaction. */
export interface PaymentTransition {
  payment: PaymentRow
  to: PaymentState
  author: number
  /** The reason of a rejection or a cancellation. For all other states: the new `last_error` of the payment. */
  note?: string
  /** The numbers of its recipients, for events and notifications. */
  phonenumbers: readonly string[]
}

/**
 * Changes the state of payments. For each payment it updates the row and writes one history row and one
 * `payment.status.changed` event.
 * @throws Error for a transition that is not allowed; that is a bug of the caller.
 */
export async function transitionPayments(
  tx: Tx,
  now: Date,
  transitions: readonly PaymentTransition[],
): Promise<PaymentRow[]> {
  if (transitions.length === 0) return []
  for (const { payment, to } of transitions)
    if (!allowedTransitions[payment.state].includes(to))
      throw new Error(`A payment that is ${payment.state} cannot become ${to} (payment ${payment.id}).`)
  const changed = transitions.map((one) => ({ ...one, payment: applyTransition(one, truncateToSecond(now)) }))
  const updated = changed.map(({ payment }) => payment)
  await Promise.all([updateRows(tx, updated), insertHistory(tx, now, transitions)])
  await recordEvents(
    tx,
    now,
    changed.map(
      ({ payment, phonenumbers, author }): NewEvent => ({
        organization: payment.organization,
        type: 'payment.status.changed',
        data: toPaymentEventData(payment, phonenumbers),
        author,
      }),
    ),
  )
  return updated
}

export const paymentTransitions: Effect<PaymentTransition> = {
  async write(tx, now, transitions) {
    await transitionPayments(tx, now, transitions)
  },
}

/** True if a payment waits for the approval of a second person. */
export function awaitsApproval(payment: { state: PaymentState }): boolean {
  return payment.state === 'approval_needed' || payment.state === 'approval_requested'
}

/**
 * A payment as events and notifications show it (interface 2.8): timestamps with milliseconds, recipients as phone
 * numbers, and `completed` instead of `processed`, as clients expect.
 */
function toPaymentEventData(payment: PaymentRow, phonenumbers: readonly string[]) {
  const time = (timestamp: Date | null) => timestamp && formatMilliseconds(timestamp)
  return {
    id: payment.id,
    organization: payment.organization,
    amount: formatAmount(payment.amount),
    currency: payment.currency,
    payment_type: payment.payment_type,
    metadata: payment.metadata,
    description: payment.description,
    phone_nos: phonenumbers,
    state: payment.state === 'processed' ? 'completed' : payment.state,
    last_error: payment.last_error,
    rejected_reason: payment.rejected_reason,
    rejected_by: payment.rejected_by,
    rejected_time: time(payment.rejected_time),
    cancelled_reason: payment.cancelled_reason,
    cancelled_by: payment.cancelled_by,
    cancelled_time: time(payment.cancelled_time),
    created: time(payment.created),
    author: payment.author,
    modified: time(payment.modified),
    updated_by: payment.updated_by === null ? null : String(payment.updated_by),
    start_date: time(shownStartDate(payment)),
  }
}

function applyTransition({ payment, to, author, note }: PaymentTransition, at: Date): PaymentRow {
  const updated = { ...payment, state: to, modified: at, updated_by: author }
  if (to === 'rejected') return { ...updated, rejected_reason: note ?? '', rejected_by: author, rejected_time: at }
  if (to === 'cancelled') return { ...updated, cancelled_reason: note ?? '', cancelled_by: author, cancelled_time: at }
  const approved = awaitsApproval(payment) && (to === 'approved' || to === 'scheduled')
  if (approved) return { ...updated, approved_by: author, approved_time: at }
  return { ...updated, last_error: note ?? payment.last_error }
}

function updateRows(tx: Tx, payments: readonly PaymentRow[]) {
  const changed = rows(payments, {
    id: 'bigint',
    organization: 'bigint',
    state: 'text',
    approvals: 'integer',
    last_error: 'text',
    approved_by: 'bigint',
    approved_time: 'timestamptz',
    rejected_reason: 'text',
    rejected_by: 'bigint',
    rejected_time: 'timestamptz',
    cancelled_reason: 'text',
    cancelled_by: 'bigint',
    cancelled_time: 'timestamptz',
    modified: 'timestamptz',
    updated_by: 'bigint',
  })
  return tx`
    update payments p set ${changed.assignments('m', 'id', 'organization')} from ${changed.as('m')}
    where p.id = m.id and p.organization = m.organization`
}

const transitionTable = table('payment_transitions', {
  id: column.id(),
  payment: column.bigint(),
  from_state: column.text(),
  to_state: column.text(),
  at: column.timestamptz(),
  author: column.bigint(),
  note: column.text().nullable(),
})

function insertHistory(tx: Tx, now: Date, transitions: readonly PaymentTransition[]) {
  return tx`${insert(transitionTable, transitions, {
    payment: ({ payment }) => payment.id,
    from_state: ({ payment }) => payment.state,
    to_state: ({ to }) => to,
    at: now,
  })}`
}
