import type { Tx } from '../../db/client.ts'
import { formatAmount } from '../../lib/money.ts'
import { formatMilliseconds, truncateToSecond } from '../../lib/time.ts'
import { type NewEvent, recordEvents } from '../events/events.ts'
import type { PaymentRow, PaymentState } from './payments.ts'

/**
 * The moves of a payment. Every payment is made `new`; in the same transaction it goes where it has to wait.
 *
 *     new ─┬─► validated ────────────────────────────────────┬─► processed | processed_with_errors
 *          ├─► scheduled ─┬─► validated | approved (its time)─┤
 *          └─► approval_needed | approval_requested ─┬─► approved
 *                                                    ├─► scheduled
 *                                                    └─► rejected
 *
 * `validated` and `approved` payments are being sent. Until then each can become `cancelled`. A `processed` payment becomes
 * `processed_with_errors` when a network takes back what had arrived.
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
  processed_with_errors: [],
  cancelled: [],
}

/** One change of a payment's state. The row must be locked by the transaction. */
export interface PaymentTransition {
  payment: PaymentRow
  to: PaymentState
  author: number
  /** Why, for a rejection or a cancellation; else what the payment's `last_error` becomes. */
  note?: string
  /** The numbers of its recipients, as notifications tell them. */
  phonenumbers: readonly string[]
}

/**
 * Changes the state of payments: the rows, one history row and one `payment.status.changed` event each.
 * @throws Error on a move that there is not, which is a bug of the caller.
 */
export async function transitionPayments(
  tx: Tx,
  now: Date,
  moves: readonly PaymentTransition[],
): Promise<PaymentRow[]> {
  if (moves.length === 0) return []
  for (const { payment, to } of moves)
    if (!allowedTransitions[payment.state].includes(to))
      throw new Error(`A payment that is ${payment.state} cannot become ${to} (payment ${payment.id}).`)
  const moved = moves.map((move) => applyTransition(move, truncateToSecond(now)))
  await Promise.all([updateRows(tx, moved), insertHistory(tx, now, moves)])
  await recordEvents(
    tx,
    now,
    moved.map(
      (row, index): NewEvent => ({
        organization: row.organization,
        type: 'payment.status.changed',
        data: toPaymentEventData(row, moves[index]!.phonenumbers),
        author: moves[index]!.author,
      }),
    ),
  )
  return moved
}

/** Whether a payment waits for the approval of a second person. */
export function awaitsApproval(payment: { state: PaymentState }): boolean {
  return payment.state === 'approval_needed' || payment.state === 'approval_requested'
}

/**
 * A payment as events and notifications show it (interface 2.8): moments with milliseconds, recipients by their numbers,
 * and the end that clients know, `completed`.
 */
function toPaymentEventData(payment: PaymentRow, phonenumbers: readonly string[]) {
  const time = (moment: Date | null) => moment && formatMilliseconds(moment)
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
    start_date: time(payment.start_date),
  }
}

function applyTransition({ payment, to, author, note }: PaymentTransition, at: Date): PaymentRow {
  const moved = { ...payment, state: to, modified: at, updated_by: author }
  if (to === 'rejected') return { ...moved, rejected_reason: note ?? '', rejected_by: author, rejected_time: at }
  if (to === 'cancelled') return { ...moved, cancelled_reason: note ?? '', cancelled_by: author, cancelled_time: at }
  const approved = awaitsApproval(payment) && (to === 'approved' || to === 'scheduled')
  if (approved) return { ...moved, approved_by: author, approved_time: at }
  return { ...moved, last_error: note ?? payment.last_error }
}

function updateRows(tx: Tx, rows: readonly PaymentRow[]) {
  const text = (moment: Date | null) => moment?.toISOString() ?? null
  return tx`
    update payments p set state = m.state, last_error = m.last_error, approved_by = m.approved_by,
      approved_time = m.approved_time::timestamptz, rejected_reason = m.rejected_reason, rejected_by = m.rejected_by,
      rejected_time = m.rejected_time::timestamptz, cancelled_reason = m.cancelled_reason,
      cancelled_by = m.cancelled_by, cancelled_time = m.cancelled_time::timestamptz,
      modified = m.modified::timestamptz, updated_by = m.updated_by
    from unnest(${rows.map((r) => r.id)}::bigint[], ${rows.map((r) => r.state)}::text[],
      ${rows.map((r) => r.last_error)}::text[], ${rows.map((r) => r.approved_by)}::bigint[],
      ${rows.map((r) => text(r.approved_time))}::text[], ${rows.map((r) => r.rejected_reason)}::text[],
      ${rows.map((r) => r.rejected_by)}::bigint[], ${rows.map((r) => text(r.rejected_time))}::text[],
      ${rows.map((r) => r.cancelled_reason)}::text[], ${rows.map((r) => r.cancelled_by)}::bigint[],
      ${rows.map((r) => text(r.cancelled_time))}::text[], ${rows.map((r) => text(r.modified))}::text[],
      ${rows.map((r) => r.updated_by)}::bigint[])
      as m(id, state, last_error, approved_by, approved_time, rejected_reason, rejected_by, rejected_time,
        cancelled_reason, cancelled_by, cancelled_time, modified, updated_by)
    where p.id = m.id`
}

function insertHistory(tx: Tx, now: Date, moves: readonly PaymentTransition[]) {
  return tx`
    insert into payment_transitions (payment, from_state, to_state, at, author, note)
    select m.payment, m.from_state, m.to_state, ${now}, m.author, m.note
    from unnest(${moves.map((m) => m.payment.id)}::bigint[], ${moves.map((m) => m.payment.state)}::text[],
      ${moves.map((m) => m.to)}::text[], ${moves.map((m) => m.author)}::bigint[],
      ${moves.map((m) => m.note ?? null)}::text[]) as m(payment, from_state, to_state, author, note)`
}
