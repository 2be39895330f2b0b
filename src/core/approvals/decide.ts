import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage, type MessageKey } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { type ActionContext, authorOf } from '../access/action.ts'
import { type FieldErrors, Forbidden, Invalid } from '../refusals.ts'
import { requireWithinApproverLimits } from '../spending/approver-limits.ts'
import { requireManager, requireMoneyPermission, requireWaitIsOver } from '../spending/approvers.ts'
import type { ApprovedTable } from './waiting.ts'

/*
 * Maker-checker: one person proposes what moves money or weakens control, and other persons decide.
 *
 *     waiting ─┬─► approved    it takes effect, once as many persons have approved it as it needs
 *              ├─► rejected    by another person
 *              ├─► withdrawn   by its author
 *              └─► closed      by itself: it has expired, or a network has answered before
 *
 * Each kind stores its proposals in a table of its own: a payment is one itself. Here stands who may decide, and in which
 * order that is checked: the proposal is locked, waits, and is not the decider's own.
 */

export type Verdict = 'approve' | 'reject' | 'withdraw'

/** Person who decides. */
export interface Decider {
  /** Null for an operator, who decides in all organizations. */
  organization: number | null
  /** Null for an operator. */
  user: number | null
  name?: string | undefined
}

export interface Decision {
  id: number
  verdict: Verdict
  by: Decider
  /** Explanation, for the author. */
  reason?: string | null | undefined
}

/** Returns the person who decides by an action: a user, or the user in whose name an operator acts. */
export function deciderOf(context: ActionContext): Decider {
  return { organization: context.actor.organization, user: authorOf(context), name: context.actor.name }
}

/** Proposal, as the row of its kind has it. */
export interface Proposal {
  organization: number
  /** Null: an operator. */
  author: number | null
}

/** Rules of one kind of proposal, and its effects. */
export interface ApprovalKind<P extends Proposal> {
  /** Locks a proposal, in the order of all transactions. @throws NotFound, Forbidden if it is of another organization */
  lock(tx: Tx, id: number, by: Decider): Promise<P>
  /** Returns why a proposal does not wait; undefined if it does. */
  closed(proposal: P): FieldErrors | undefined
  /** Refusal of authors who decide about their own proposals. */
  own: MessageKey
  /** Refusal of others who withdraw it. Missing where nobody withdraws. */
  not_own?: MessageKey
  /** Approvers have the permission to approve payments and a second factor where it is required. */
  deciders: 'approvers' | 'managers'
  /** Refuses an operator. Missing where no operator decides. @throws Forbidden */
  requireOperator?(tx: Tx, proposal: P, by: Decider): Promise<void>
  /** Refuses an approval that belongs to the operator. @throws Forbidden */
  requireUser?(tx: Tx, proposal: P): Promise<void>
  approve(tx: Tx, now: Date, proposal: P, decision: Decision): Promise<void>
  /** Ends a proposal that is rejected or withdrawn. */
  reject(tx: Tx, now: Date, proposal: P, decision: Decision): Promise<void>
}

/** Proposal that may need several approvals, up to the limits of each approver. */
export interface CountedProposal extends Proposal {
  id: number
  author: number
  currency: string
  amount: Amount
  approvals: number
  approvals_required: number
}

export interface CountedKind<P extends CountedProposal> extends ApprovalKind<P> {
  table: ApprovedTable
  /** Refusal of a second approval by one person. */
  approved_already: MessageKey
}

/**
 * Decides about a proposal. It takes effect when it has enough approvals. @returns it as it was before
 * @throws NotFound. Forbidden to its author, unless it is withdrawn, and to persons without the permission. An approval
 *   is also refused to a new approver who still waits and above the limits of an approver. Invalid if it does not wait,
 *   or if its effect is refused.
 */
export async function decide<P extends Proposal>(
  tx: Tx,
  now: Date,
  kind: ApprovalKind<P>,
  decision: Decision,
): Promise<P> {
  const proposal = await take(tx, now, kind, decision)
  await (decision.verdict === 'approve' ? kind.approve : kind.reject)(tx, now, proposal, decision)
  return proposal
}

/** Decides about a proposal whose approvals are counted. @throws as decide */
export async function decideCounted<P extends CountedProposal>(
  tx: Tx,
  now: Date,
  kind: CountedKind<P>,
  decision: Decision,
): Promise<void> {
  const proposal = await take(tx, now, kind, decision)
  if (decision.verdict === 'approve') {
    await requireWithinApproverLimits(tx, now, decision.by.user!, proposal)
    await addApproval(tx, now, kind, proposal, decision)
  } else {
    await kind.reject(tx, now, proposal, decision)
    await forgetMails(tx, kind.table, proposal)
  }
}

/** Locks a proposal that waits for a decision of this person. @throws as decide */
async function take<P extends Proposal>(tx: Tx, now: Date, kind: ApprovalKind<P>, decision: Decision): Promise<P> {
  const proposal = await kind.lock(tx, decision.id, decision.by)
  const errors = kind.closed(proposal)
  if (errors) throw new Invalid(errors)
  await requireDecider(tx, now, kind, proposal, decision)
  return proposal
}

/**
 * Adds the approval of a person who may decide. A proposal with enough approvals takes effect. Approvers who have lost the
 * permission no longer count.
 * @throws Invalid if this person has approved it already, or if its effect is refused
 */
export async function addApproval<P extends CountedProposal>(
  tx: Tx,
  now: Date,
  { table, approved_already, approve }: CountedKind<P>,
  proposal: P,
  decision: Decision,
): Promise<void> {
  const { id, organization } = proposal
  const approved = sql.identifier(table.approvals)
  const [added] = await tx`
    insert into ${approved} (organization, ${sql.identifier(table.key)}, "user", approved)
    values (${organization}, ${id}, ${decision.by.user}, ${now}) on conflict do nothing returning organization`
  if (!added) throw new Invalid({ [table.state]: [getMessage(approved_already)] })
  const [counted] = await tx<{ approvals: number }[]>`
    select count(*)::integer as approvals from ${approved} a
    join memberships m on m.organization = a.organization and m."user" = a."user"
    where a.${sql.identifier(table.key)} = ${id} and a.organization = ${organization}
      and 'approve_payments' = any(m.permissions)`
  const { approvals } = counted!
  if (approvals < proposal.approvals_required) {
    await tx`
      update ${sql.identifier(table.name)} set approvals = ${approvals} where id = ${id} and organization = ${organization}`
    return
  }
  await approve(tx, now, { ...proposal, approvals }, decision)
  await forgetMails(tx, table, proposal)
}

/** Forgets who has got a mail about a proposal, which waits no longer. */
export async function forgetMails(
  tx: Tx,
  { notices, key }: ApprovedTable,
  { id, organization }: { id: number; organization: number },
): Promise<void> {
  await tx`
    delete from ${sql.identifier(notices)} where ${sql.identifier(key)} = ${id} and organization = ${organization}`
}

/** @throws Forbidden */
async function requireDecider<P extends Proposal>(
  tx: Tx,
  now: Date,
  kind: ApprovalKind<P>,
  proposal: P,
  { verdict, by }: Decision,
): Promise<void> {
  const { user } = by
  const is_author = user !== null && user === proposal.author
  if (verdict === 'withdraw' && !is_author) throw new Forbidden(kind.not_own && getMessage(kind.not_own))
  if (verdict !== 'withdraw' && is_author) throw new Forbidden(getMessage(kind.own))
  if (user === null) {
    if (!kind.requireOperator) throw new Forbidden()
    return kind.requireOperator(tx, proposal, by)
  }
  const member = { organization: proposal.organization, user }
  if (kind.deciders === 'managers') return requireManager(tx, member)
  if (verdict === 'withdraw') return
  await requireMoneyPermission(tx, member, ['approve_payments'])
  if (verdict === 'reject') return
  await requireWaitIsOver(tx, now, member)
  await kind.requireUser?.(tx, proposal)
}
