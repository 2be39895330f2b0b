import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type ApprovalKind, addApproval, decide, forgetMails, type Proposal } from '../../approvals/decide.ts'
import { paymentTable } from '../../approvals/waiting.ts'
import { Invalid } from '../../refusals.ts'
import { requireWithinApproverLimits } from '../../spending/approver-limits.ts'
import { type LockedPayment, lockPayments, paymentApproval } from '../approvals.ts'
import { awaitsApproval } from '../transitions.ts'
import { type BulkPaymentRow, lockBulkPayment } from './drafts.ts'

/* One decision about all payments of a file that wait for a second person: all of them or none. */

/** Decision of a person about a file of payments. */
export interface FileDecision {
  organization: number
  bulk_payment: number
  user: number
}

/** File with its payments that wait. Its author is the decider where that person has made one of them. */
interface WaitingFile extends Proposal {
  state: BulkPaymentRow['state']
  payments: LockedPayment[]
  /** Payments that the decider has not approved. */
  open: LockedPayment[]
}

/**
 * Approval of a file. For the limits of an approver it counts as one payment, however many groups of rows it has. A
 * rejection releases its money to the wallets.
 */
const fileApproval: ApprovalKind<WaitingFile> = {
  deciders: 'approvers',
  own: 'payments.own',
  lock: (tx, id, by) => lockFile(tx, by.organization!, id, by.user!),
  closed({ state, payments }) {
    if (state === 'creating') return { state: [getMessage('bulk.being_created')] }
    return payments.length > 0 ? undefined : { state: [getMessage('bulk.none_waits')] }
  },
  async approve(tx, now, { organization, open }, decision) {
    if (open.length === 0) throw new Invalid({ state: [getMessage('bulk.approved_already')] })
    for (const [currency, payments] of Map.groupBy(open, (payment) => payment.currency)) {
      const amount = payments.reduce((sum, payment) => sum + payment.amount, 0n)
      await requireWithinApproverLimits(tx, now, decision.by.user!, { organization, currency, amount })
    }
    for (const payment of open) await addApproval(tx, now, paymentApproval, payment, decision)
  },
  async reject(tx, now, { payments }, decision) {
    for (const payment of payments) {
      await paymentApproval.reject(tx, now, payment, decision)
      await forgetMails(tx, paymentTable, payment)
    }
  },
}

/**
 * Approves or rejects the payments of a file that wait for an approval. @returns the ids of the payments
 * @throws as decide. Invalid while payments of the file are created, or if none waits for this user
 */
export async function decideBulkPayment(
  tx: Tx,
  now: Date,
  verdict: 'approve' | 'reject',
  { bulk_payment: id, reason, ...by }: FileDecision & { reason?: string | undefined },
): Promise<number[]> {
  const { payments, open } = await decide(tx, now, fileApproval, { id, verdict, by, reason })
  return (verdict === 'approve' ? open : payments).map((payment) => payment.id)
}

/** @throws NotFound */
async function lockFile(tx: Tx, organization: number, id: number, user: number): Promise<WaitingFile> {
  const { state } = await lockBulkPayment(tx, organization, id)
  const waiting = await tx<{ id: number; is_approved: boolean }[]>`
    select p.id, exists (
        select from payment_approvals a
        where a.payment = p.id and a.organization = p.organization and a."user" = ${user}) as is_approved
    from payments p
    where p.organization = ${organization} and ${paymentTable.waits} and p.id in (
      select r.payment from bulk_payment_rows r where r.organization = ${organization} and r.bulk_payment = ${id})
    order by p.id`
  const locked = await lockPayments(
    tx,
    waiting.map((one) => one.id),
  )
  const payments = locked.filter(awaitsApproval)
  const approved = new Set(waiting.flatMap((one) => (one.is_approved ? one.id : [])))
  return {
    organization,
    state,
    author: payments.find(({ author }) => author === user)?.author ?? null,
    payments,
    open: payments.filter((payment) => !approved.has(payment.id)),
  }
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
