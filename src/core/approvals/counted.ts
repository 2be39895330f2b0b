import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage, type MessageKey } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { Invalid } from '../refusals.ts'
import { requireWithinApproverLimits } from '../spending/approver-limits.ts'
import type { ApprovalKind, Decision, DecisionContext, Proposal } from './proposals.ts'
import type { ApprovedTable } from './waiting.ts'

/* Kinds of proposals that may need several approvals, up to the limits of each approver. */

interface CountedProposal extends Proposal {
  id: number
  author: number
  currency: string
  amount: Amount
  approvals: number
  approvals_required: number
}

/** Parts that all counted kinds have in common: no operator decides, nothing expires, and a job mails approvers. */
type Common = 'deciders' | 'withdrawal' | 'expired' | 'requireOperator' | 'notice'

interface Counted<P extends CountedProposal, Result> extends Omit<ApprovalKind<P, DecisionContext, Result>, Common> {
  table: ApprovedTable
  /** Refusal of a second approval by one person. */
  approved_already: MessageKey
}

export interface CountedKind<P extends CountedProposal, Result> extends ApprovalKind<P, DecisionContext, Result> {
  /**
   * Add the approval of a person who may decide. A proposal with enough approvals takes effect. Approvers who have lost
   * the permission no longer count.
   * @throws Invalid if this person has approved it already, or if its effect is refused
   */
  addApproval(tx: Tx, context: DecisionContext, proposal: P, decision: Decision): Promise<void>
}

/** Declare a kind whose approvals are counted. `approve` is the effect of enough approvals. */
export function countedKind<P extends CountedProposal, Result>(declared: Counted<P, Result>): CountedKind<P, Result> {
  const { table, approved_already, approve, reject } = declared
  const addApproval: CountedKind<P, Result>['addApproval'] = async (tx, context, proposal, decision) => {
    const approvals = await insertApproval(tx, context.now, { table, approved_already }, proposal, decision)
    if (approvals < proposal.approvals_required) return
    await approve(tx, context, { ...proposal, approvals }, decision)
    await forgetMails(tx, table, proposal)
  }
  return {
    ...declared,
    deciders: 'approvers',
    withdrawal: null,
    expired: null,
    requireOperator: null,
    notice: null,
    addApproval,
    async approve(tx, context, proposal, decision) {
      await requireWithinApproverLimits(tx, context.now, decision.by.user!, proposal)
      await addApproval(tx, context, proposal, decision)
    },
    async reject(tx, context, proposal, decision) {
      await reject(tx, context, proposal, decision)
      await forgetMails(tx, table, proposal)
    },
  }
}

/** Store an approval, and the number of those that count if it is not enough. @returns the number */
async function insertApproval(
  tx: Tx,
  now: Date,
  { table, approved_already }: { table: ApprovedTable; approved_already: MessageKey },
  { id, organization, approvals_required }: CountedProposal,
  { by }: Decision,
): Promise<number> {
  const approved = sql.identifier(table.approvals)
  const [added] = await tx`
    insert into ${approved} (organization, ${sql.identifier(table.key)}, "user", approved)
    values (${organization}, ${id}, ${by.user}, ${now}) on conflict do nothing returning organization`
  if (!added) throw new Invalid({ [table.state]: [getMessage(approved_already)] })
  const [counted] = await tx<{ approvals: number }[]>`
    select count(*)::integer as approvals from ${approved} a
    join memberships m on m.organization = a.organization and m."user" = a."user"
    where a.${sql.identifier(table.key)} = ${id} and a.organization = ${organization}
      and 'approve_payments' = any(m.permissions)`
  const { approvals } = counted!
  if (approvals < approvals_required)
    await tx`
      update ${sql.identifier(table.name)} set approvals = ${approvals} where id = ${id} and organization = ${organization}`
  return approvals
}

/** Forget who has got a mail about a proposal, which waits no longer. */
export async function forgetMails(
  tx: Tx,
  { notices, key }: ApprovedTable,
  { id, organization }: { id: number; organization: number },
): Promise<void> {
  await tx`
    delete from ${sql.identifier(notices)} where ${sql.identifier(key)} = ${id} and organization = ${organization}`
}
