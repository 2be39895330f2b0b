import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { ApprovalKind, DecisionContext, Proposal } from '../../approvals/proposals.ts'
import { paymentTable } from '../../approvals/waiting.ts'
import { Invalid } from '../../refusals.ts'
import { requireWithinApproverLimits } from '../../spending/approver-limits.ts'
import { type LockedPayment, lockPayments, paymentApproval } from '../approvals.ts'
import { awaitsApproval } from '../transitions.ts'
import { type BulkPaymentRow, lockBulkPayment } from './drafts.ts'
import { readBulkPayment } from './read.ts'
import type { BulkPaymentDetail } from './row.ts'

/* One decision about all payments of a file that wait for a second person: all of them or none. */

/** File with its payments that wait. Its author is the decider where that person has made one of them. */
interface WaitingFile extends Proposal {
  state: BulkPaymentRow['state']
  payments: LockedPayment[]
  /** Payments that the decider has not approved. */
  open: LockedPayment[]
}

/** Ids of the payments that a decision concerns, and the file after it. */
export interface DecidedFile {
  payments: number[]
  detail: BulkPaymentDetail
}

/**
 * Approval of a file. For the limits of an approver it counts as one payment, however many groups of rows it has. A
 * rejection releases its money to the wallets.
 */
export const fileApproval: ApprovalKind<WaitingFile, DecisionContext, DecidedFile> = {
  noun: 'bulk payment',
  deciders: 'approvers',
  own: 'payments.own',
  withdrawal: null,
  expired: null,
  requireOperator: null,
  notice: null,
  lock: (tx, _, { id, by }) => lockFile(tx, by.organization!, id, by.user!),
  closed({ state, payments }) {
    if (state === 'creating') return { state: [getMessage('bulk.being_created')] }
    return payments.length > 0 ? undefined : { state: [getMessage('bulk.none_waits')] }
  },
  async approve(tx, context, { organization, open }, decision) {
    if (open.length === 0) throw new Invalid({ state: [getMessage('bulk.approved_already')] })
    for (const [currency, payments] of Map.groupBy(open, (payment) => payment.currency)) {
      const amount = payments.reduce((sum, payment) => sum + payment.amount, 0n)
      await requireWithinApproverLimits(tx, context.now, decision.by.user!, { organization, currency, amount })
    }
    for (const payment of open) await paymentApproval.addApproval(tx, context, payment, decision)
  },
  async reject(tx, context, { payments }, decision) {
    for (const payment of payments) await paymentApproval.reject(tx, context, payment, decision)
  },
  async read(tx, _, { organization, open, payments }, { id, verdict }) {
    const decided = (verdict === 'approve' ? open : payments).map((payment) => payment.id)
    return { payments: decided, detail: await readBulkPayment(tx, organization, id) }
  },
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
