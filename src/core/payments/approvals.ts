import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { requireOwned } from '../access/organizations.ts'
import { countedKind, forgetMails } from '../approvals/counted.ts'
import { paymentTable as approvedTable } from '../approvals/waiting.ts'
import { subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import { releaseHolds } from '../ledger/holds.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { requireMoneyPermission } from '../spending/approvers.ts'
import { openLimitCheck } from '../spending/limits.ts'
import {
  findPaymentsById,
  listRecipients,
  type PaymentRow,
  type PaymentState,
  paymentTable,
  type RecipientRow,
  toHold,
} from './payments.ts'
import { awaitsApproval, transitionPayments } from './transitions.ts'

/** Cancellation of a payment by a member of its organization. */
interface Cancellation {
  organization: number
  payment: number
  user: number
  reason: string
}

/** Payment with its recipients. */
export type LockedPayment = PaymentRow & { recipients: RecipientRow[] }

/** Approval of payments. One with enough approvals is sent now, or at its start date, and counts against the limits. */
export const paymentApproval = countedKind({
  noun: 'payment',
  table: approvedTable,
  own: 'payments.own',
  approved_already: 'payments.already_approved',
  lock: (tx, _, { id, by }) => lockPayment(tx, by.organization, id),
  closed: (payment: LockedPayment) =>
    awaitsApproval(payment) ? undefined : { state: [getMessage('payments.not_waiting', { state: payment.state })] },
  async approve(tx, { now }, payment, { by }) {
    const errorOf = await openLimitCheck(tx, now, [payment], { payment: payment.id })
    const limit_error = errorOf(payment)
    if (limit_error) throw limit_error
    const later = payment.start_date !== null && payment.start_date > now
    await changeState(tx, now, payment, later ? 'scheduled' : 'approved', by.user!)
    await tx`
      update payment_recipients set due_at = ${later ? payment.start_date : now}, leased_until = null
      where payment = ${payment.id} and state = 'new'`
  },
  async reject(tx, { now }, payment, { by, reason }) {
    await changeState(tx, now, payment, 'rejected', by.user!, reason ?? '')
    await abortRecipients(tx, now, payment)
  },
  read: async (tx, _, { id }) => (await findPaymentsById(tx, [id])).get(id)!,
})

/**
 * Cancels a payment and releases its money to the wallet. No part of it may have been sent yet.
 * @throws NotFound. Forbidden without the permission to initiate payments. Invalid if a part was sent already.
 */
export async function cancelPayment(tx: Tx, now: Date, decision: Cancellation): Promise<void> {
  await requireMoneyPermission(tx, decision, ['initiate_payments'])
  const payment = await lockPayment(tx, decision.organization, decision.payment)
  const nothing_sent = payment.recipients.every((recipient) => recipient.state === 'new')
  if (!nothing_sent || payment.state === 'validated')
    throw new Invalid({ state: [getMessage('payments.not_cancellable', { state: payment.state })] })
  await changeState(tx, now, payment, 'cancelled', decision.user, decision.reason)
  await abortRecipients(tx, now, payment)
  await forgetMails(tx, approvedTable, payment)
}

async function lockPayment(tx: Tx, organization: number | null, id: number): Promise<LockedPayment> {
  const [payment] = await lockPayments(tx, [id])
  if (!payment) throw new NotFound(getMessage('payments.none', { id }))
  return organization === null ? payment : requireOwned(organization, payment)
}

/** Locks payments, and reads their recipients. */
export async function lockPayments(tx: Tx, ids: readonly number[]): Promise<LockedPayment[]> {
  const payments = await tx<PaymentRow[]>`
    select ${paymentTable.columns} from payments where id = any(${ids}::bigint[]) order by id for update`
  const recipients = Map.groupBy(await listRecipients(tx, ids), ({ payment }) => payment)
  return payments.map((payment) => ({ ...payment, recipients: recipients.get(payment.id) ?? [] }))
}

async function changeState(
  tx: Tx,
  now: Date,
  { recipients, ...payment }: LockedPayment,
  to: PaymentState,
  author: number,
  note?: string,
): Promise<void> {
  const phonenumbers = recipients.map((recipient) => recipient.phonenumber)
  await transitionPayments(tx, now, [{ payment, to, author, note, phonenumbers }])
}

/** Ends the recipients of a payment that will not be sent, and releases their holds. */
async function abortRecipients(tx: Tx, now: Date, payment: LockedPayment): Promise<void> {
  await tx`
    update payment_recipients set state = 'aborted', due_at = null, leased_until = null, modified = ${truncateToSecond(now)}
    where payment = ${payment.id}`
  await subtractRefundedAmounts(tx, now, [{ payment, amount: payment.amount }])
  await releaseHolds(
    tx,
    now,
    payment.recipients.map((recipient) => toHold(payment, recipient)),
  )
}
