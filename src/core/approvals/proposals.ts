import type { Tx } from '../../db/client.ts'
import { getMessage, type MessageKey } from '../../lib/messages/message.ts'
import { type ActionContext, authorOf } from '../access/action.ts'
import { type FieldErrors, Forbidden, Invalid } from '../refusals.ts'
import { requireManager, requireMoneyPermission, requireWaitIsOver } from '../spending/approvers.ts'
import { type MailSettings, mailGuardians, type Notice } from './notices.ts'

/*
 * Maker-checker: one person proposes what moves money or weakens control, and other persons decide.
 *
 *     waiting ─┬─► approved    it takes effect, once as many persons have approved it as it needs
 *              ├─► rejected    by another person
 *              ├─► withdrawn   by its author
 *              ├─► expired     nobody has decided in time
 *              └─► closed      a network has answered before
 *
 * Each kind stores its proposals in a table of its own: a payment is one itself. A kind declares its rules and effects as
 * an `ApprovalKind`, and each decision goes through `decide`, in this order: the proposal is locked, waits, and is not
 * the decider's own, the decider may decide, it takes effect, and those who guard the organization get a mail.
 */

export type Verdict = 'approve' | 'reject' | 'withdraw'

/** Person who decides. */
export interface Decider {
  /** Null for an operator, who decides in all organizations. */
  organization: number | null
  /** Null for an operator. */
  user: number | null
  name?: string | undefined
  /** API key and IP address of the call, for the audit log. */
  key?: number | undefined
  address?: string | undefined
}

export interface Decision {
  id: number
  verdict: Verdict
  by: Decider
  /** Explanation, for the author. */
  reason?: string | null | undefined
}

/** Clock and settings of a decision. */
export interface DecisionContext {
  now: Date
  /** Null or missing without a mail server: then no mail is sent. */
  mail?: MailSettings | null
}

/** Return the person who decides by an action: a user, or the user in whose name an operator acts. */
export function deciderOf(context: ActionContext): Decider {
  const { organization, name, key, address } = context.actor
  return { organization, user: authorOf(context), name, key, address }
}

/** Proposal, as the row of its kind has it. */
export interface Proposal {
  organization: number
  /** Null: an operator. */
  author: number | null
  /** End of the time in which it can be decided. */
  expires?: Date | null
}

/** Nouns of the kinds, as the actions of their decisions and the audit log have them: `approve payment`. */
export type ProposalNoun = 'payment' | 'bulk payment' | 'purchase' | 'attestation' | 'change' | 'statement line'

/** Way in which authors withdraw: a rejection of their own, or a withdrawal that others are refused. Null: they do not. */
type Withdrawal = 'rejection' | { refusal: MessageKey } | null

/** Rules of one kind of proposal, and its effects. */
export interface ApprovalKind<P extends Proposal, Context extends DecisionContext, Result> {
  noun: ProposalNoun
  /** Approvers have the permission to approve payments and a second factor where it is required. */
  deciders: 'approvers' | 'managers'
  /** Refusal of authors who decide about their own proposals. */
  own: MessageKey
  withdrawal: Withdrawal
  /** Refusal of a decision about a proposal that has expired. Null where none expires. */
  expired: MessageKey | null
  /** Lock a proposal, in the order of all transactions. @throws NotFound, Forbidden if it is of another organization */
  lock(tx: Tx, context: Context, decision: Decision): Promise<P>
  /** Return why a proposal does not wait; undefined if it does. */
  closed(proposal: P): FieldErrors | undefined
  /** Refuse an operator. Null where no operator decides. @throws Forbidden */
  requireOperator: ((tx: Tx, proposal: P, by: Decider) => Promise<void>) | null
  /** Refuse an approval that belongs to the operator. @throws Forbidden */
  requireUser?(tx: Tx, proposal: P): Promise<void>
  approve(tx: Tx, context: Context, proposal: P, decision: Decision): Promise<void>
  /** End a proposal that is rejected or withdrawn. */
  reject(tx: Tx, context: Context, proposal: P, decision: Decision): Promise<void>
  /** Read the result of a decision. @param proposal as it was before */
  read(tx: Tx, context: Context, proposal: P, decision: Decision): Promise<Result>
  /** Build the mail to the guardians of the organization about a decision. Null: no mail. */
  notice: ((tx: Tx, result: Result, proposal: P) => Promise<Notice>) | null
}

/**
 * Decide about a proposal. It takes effect when it has enough approvals.
 * @throws NotFound. Forbidden to its author, unless it is withdrawn, and to persons without the permission. An approval
 *   is also refused to a new approver who still waits and above the limits of an approver. Invalid if it does not wait,
 *   or if its effect is refused.
 */
export async function decide<P extends Proposal, Context extends DecisionContext, Result>(
  tx: Tx,
  context: Context,
  kind: ApprovalKind<P, Context, Result>,
  asked: Decision,
): Promise<Result> {
  const proposal = await kind.lock(tx, context, asked)
  const { now } = context
  const errors = kind.closed(proposal)
  if (errors) throw new Invalid(errors)
  if (kind.expired && proposal.expires && proposal.expires <= now)
    throw new Invalid({ state: [getMessage(kind.expired)] })
  const is_own = asked.by.user !== null && asked.by.user === proposal.author
  const withdraws = is_own && asked.verdict === 'reject' && kind.withdrawal === 'rejection'
  const decision: Decision = withdraws ? { ...asked, verdict: 'withdraw' } : asked
  await requireDecider(tx, now, kind, proposal, decision)
  await (decision.verdict === 'approve' ? kind.approve : kind.reject)(tx, context, proposal, decision)
  const result = await kind.read(tx, context, proposal, decision)
  if (kind.notice) await mailGuardians(tx, context, proposal.organization, await kind.notice(tx, result, proposal))
  return result
}

/** @throws Forbidden */
function requireWithdrawal({ withdrawal }: { withdrawal: Withdrawal }, is_author: boolean): void {
  if (withdrawal === null) throw new Forbidden()
  if (!is_author) throw new Forbidden(withdrawal === 'rejection' ? undefined : getMessage(withdrawal.refusal))
}

/** @throws Forbidden */
async function requireDecider<P extends Proposal, Context extends DecisionContext, Result>(
  tx: Tx,
  now: Date,
  kind: ApprovalKind<P, Context, Result>,
  proposal: P,
  { verdict, by }: Decision,
): Promise<void> {
  const { user } = by
  const is_author = user !== null && user === proposal.author
  if (verdict === 'withdraw') requireWithdrawal(kind, is_author)
  else if (is_author) throw new Forbidden(getMessage(kind.own))
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
