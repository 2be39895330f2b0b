import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { Permission } from '../access/api-keys.ts'
import { subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import { releaseHolds } from '../ledger/holds.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'
import { requireWithinApproverLimits } from '../spending/approver-limits.ts'
import { requireMoneyPermission, requireWaitIsOver } from '../spending/approvers.ts'
import { openLimitCheck } from '../spending/limits.ts'
import {
  listRecipients,
  type PaymentRow,
  type PaymentState,
  paymentColumns,
  type RecipientRow,
  toHold,
} from './payments.ts'
import { awaitsApproval, transitionPayments } from './transitions.ts'

/** The decision of a person about a payment of an organization. */
export interface Decision {
  organization: number
  payment: number
  /** The person who decides. Must be a member of this organization with the permission. */
  user: number
}

/**
 * Approves a payment that waits for an approval. If it needs more approvals, it goes on waiting. Otherwise the service
 * sends it now, or at its start date, and it counts against the limits from now on.
 * @throws NotFound. Forbidden if the user initiated the payment, lacks the permission or the second factor that the
 *   organization demands, is a new approver who still waits, or passes a limit of this approver. Invalid if the payment
 *   does not wait for an approval, if the user has approved it already, or if it passes a limit.
 */
export async function approvePayment(tx: Tx, now: Date, decision: Decision): Promise<PaymentRow> {
  const { payment, recipients } = await lockForDecision(tx, decision)
  await requireWaitIsOver(tx, now, decision)
  await requireWithinApproverLimits(tx, now, decision.user, payment)
  const approvals = await addApproval(tx, now, decision)
  if (approvals < payment.approvals_required) return { ...payment, approvals }
  const errorOf = await openLimitCheck(tx, now, [{ ...payment, recipients }], { payment: payment.id })
  const limit_error = errorOf({ ...payment, recipients })
  if (limit_error) throw limit_error
  const later = payment.start_date !== null && payment.start_date > now
  const approved = { ...payment, approvals }
  const updated = await changeState(tx, now, approved, recipients, later ? 'scheduled' : 'approved', decision.user)
  await tx`
    update payment_recipients set due_at = ${later ? payment.start_date : now}, leased_until = null
    where payment = ${payment.id} and state = 'new'`
  return updated
}

/**
 * Records the approval of a person.
 * @returns the number of approvers who still have the permission; the others no longer count
 * @throws Invalid if this person has approved it already
 */
async function addApproval(tx: Tx, now: Date, { organization, payment, user }: Decision): Promise<number> {
  const [added] = await tx`
    insert into payment_approvals (organization, payment, "user", approved)
    values (${organization}, ${payment}, ${user}, ${now}) on conflict do nothing returning payment`
  if (!added) throw new Invalid({ state: [getMessage('payments.already_approved')] })
  const [updated] = await tx<{ approvals: number }[]>`
    update payments set approvals = (
      select count(*) from payment_approvals a join memberships m on m.organization = a.organization and m."user" = a."user"
      where a.payment = ${payment} and a.organization = ${organization} and 'approve_payments' = any(m.permissions))
    where id = ${payment} and organization = ${organization} returning approvals`
  return updated!.approvals
}

/**
 * Rejects a payment that waits for an approval and releases its money to the wallet. A new approver need not wait.
 * @throws as approvePayment
 */
export async function rejectPayment(tx: Tx, now: Date, decision: Decision & { reason: string }): Promise<PaymentRow> {
  const { payment, recipients } = await lockForDecision(tx, decision)
  const updated = await changeState(tx, now, payment, recipients, 'rejected', decision.user, decision.reason)
  await abortRecipients(tx, now, payment, recipients)
  return updated
}

/**
 * Cancels a payment and releases its money to the wallet. No part of it may have been sent yet.
 * @throws NotFound. Forbidden without the permission to initiate payments. Invalid if a part was sent already.
 */
export async function cancelPayment(tx: Tx, now: Date, decision: Decision & { reason: string }): Promise<PaymentRow> {
  await requirePermission(tx, decision, 'initiate_payments')
  const { payment, recipients } = await lockPayment(tx, decision)
  const nothing_sent = recipients.every((recipient) => recipient.state === 'new')
  if (!nothing_sent || payment.state === 'validated')
    throw new Invalid({ state: [getMessage('payments.not_cancellable', { state: payment.state })] })
  const updated = await changeState(tx, now, payment, recipients, 'cancelled', decision.user, decision.reason)
  await abortRecipients(tx, now, payment, recipients)
  return updated
}

interface LockedPayment {
  payment: PaymentRow
  recipients: RecipientRow[]
}

async function lockForDecision(tx: Tx, decision: Decision): Promise<LockedPayment> {
  await requirePermission(tx, decision, 'approve_payments')
  const locked = await lockPayment(tx, decision)
  if (!awaitsApproval(locked.payment))
    throw new Invalid({ state: [getMessage('payments.not_waiting', { state: locked.payment.state })] })
  if (locked.payment.author === decision.user) throw new Forbidden(getMessage('payments.own'))
  return locked
}

async function lockPayment(tx: Tx, { organization, payment: id }: Decision): Promise<LockedPayment> {
  const [payment] = await tx<PaymentRow[]>`select ${paymentColumns()} from payments where id = ${id} for update`
  if (payment?.organization !== organization) throw new NotFound(getMessage('payments.none', { id }))
  return { payment, recipients: await listRecipients(tx, [id]) }
}

async function requirePermission(tx: Tx, decision: Decision, permission: Permission): Promise<void> {
  await requireMoneyPermission(tx, decision, [permission])
}

async function changeState(
  tx: Tx,
  now: Date,
  payment: PaymentRow,
  recipients: readonly RecipientRow[],
  to: PaymentState,
  author: number,
  note?: string,
): Promise<PaymentRow> {
  const phonenumbers = recipients.map((recipient) => recipient.phonenumber)
  await tx`delete from approval_notices where payment = ${payment.id} and organization = ${payment.organization}`
  const [updated] = await transitionPayments(tx, now, [{ payment, to, author, note, phonenumbers }])
  return updated!
}

/** Ends the recipients of a payment that will not be sent, and releases their holds. */
async function abortRecipients(
  tx: Tx,
  now: Date,
  payment: PaymentRow,
  recipients: readonly RecipientRow[],
): Promise<void> {
  await tx`
    update payment_recipients set state = 'aborted', due_at = null, leased_until = null, modified = ${truncateToSecond(now)}
    where payment = ${payment.id}`
  await subtractRefundedAmounts(tx, now, [{ payment, amount: payment.amount }])
  await releaseHolds(
    tx,
    now,
    recipients.map((recipient) => toHold(payment, recipient)),
  )
}
