import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { Amount } from '../../../lib/money.ts'
import { Forbidden, Invalid } from '../../refusals.ts'
import { requireWithinApproverLimits } from '../../spending/approver-limits.ts'
import { requireMoneyPermission } from '../../spending/approvers.ts'
import { approvePayment, rejectPayment } from '../approvals.ts'
import { lockBulkPayment } from './drafts.ts'

/* One decision about all payments of a file that wait for a second person: all of them or none. */

/** Decision of a person about a file of payments. */
export interface FileDecision {
  organization: number
  bulk_payment: number
  user: number
}

interface WaitingPaymentOfFile {
  id: number
  author: number
  currency: string
  amount: Amount
  /** True if this user has approved it. */
  is_approved: boolean
}

/**
 * Approves the payments of a file that wait for an approval. For the limits of the approver the file counts as one
 * payment, however many groups of rows it has.
 * @returns the ids of the approved payments
 * @throws as approvePayment. Invalid while payments of the file are created, or if none waits for this user
 */
export async function approveBulkPayment(tx: Tx, now: Date, decision: FileDecision): Promise<number[]> {
  const { organization, user } = decision
  const waiting = await lockWaiting(tx, decision)
  const open = waiting.filter(({ is_approved }) => !is_approved)
  if (open.length === 0) throw new Invalid({ state: [getMessage('bulk.approved_already')] })
  for (const [currency, payments] of Map.groupBy(open, (payment) => payment.currency)) {
    const amount = payments.reduce((sum, payment) => sum + payment.amount, 0n)
    await requireWithinApproverLimits(tx, now, user, { organization, currency, amount })
  }
  for (const { id } of open) await approvePayment(tx, now, { organization, payment: id, user })
  return open.map(({ id }) => id)
}

/**
 * Rejects the payments of a file that wait for an approval, and releases their money to the wallets.
 * @returns the ids of the rejected payments
 * @throws as approveBulkPayment
 */
export async function rejectBulkPayment(
  tx: Tx,
  now: Date,
  decision: FileDecision & { reason: string },
): Promise<number[]> {
  const { organization, user, reason } = decision
  const waiting = await lockWaiting(tx, decision)
  for (const { id } of waiting) await rejectPayment(tx, now, { organization, payment: id, user, reason })
  return waiting.map(({ id }) => id)
}

/** Locks a file and finds its payments that wait. @throws NotFound, Forbidden, Invalid */
async function lockWaiting(
  tx: Tx,
  { organization, bulk_payment, user }: FileDecision,
): Promise<WaitingPaymentOfFile[]> {
  await requireMoneyPermission(tx, { organization, user }, ['approve_payments'])
  const file = await lockBulkPayment(tx, organization, bulk_payment)
  if (file.state === 'creating') throw new Invalid({ state: [getMessage('bulk.being_created')] })
  const waiting = await tx<WaitingPaymentOfFile[]>`
    select p.id, p.author, p.currency, p.amount, exists (
        select from payment_approvals a
        where a.payment = p.id and a.organization = p.organization and a."user" = ${user}) as is_approved
    from payments p
    where p.organization = ${organization} and p.state in ('approval_needed', 'approval_requested') and p.id in (
      select r.payment from bulk_payment_rows r where r.organization = ${organization} and r.bulk_payment = ${bulk_payment})
    order by p.id`
  if (waiting.length === 0) throw new Invalid({ state: [getMessage('bulk.none_waits')] })
  if (waiting.some(({ author }) => author === user)) throw new Forbidden(getMessage('payments.own'))
  return [...waiting]
}

/** Refuses a decision about a single payment of a file. @throws Invalid that names the file */
export async function requireNoFile(tx: Tx, organization: number, payment: number): Promise<void> {
  const [row] = await tx<{ bulk_payment: number }[]>`
    select bulk_payment from bulk_payment_rows where organization = ${organization} and payment = ${payment} limit 1`
  if (row)
    throw new Invalid({
      state: [getMessage('bulk.decide_whole', { id: row.bulk_payment })],
    })
}
