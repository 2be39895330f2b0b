import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import { formatTimestamp, truncateToSecond } from '../../lib/time.ts'
import type { Permission } from '../access/api-keys.ts'
import { requiresSecondFactor } from '../access/organizations.ts'
import { hasSecondFactor } from '../access/second-factors.ts'
import { subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import { releaseHolds } from '../ledger/holds.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'
import { openLimitCheck } from './limits.ts'
import {
  listRecipients,
  type PaymentRow,
  type PaymentState,
  paymentColumns,
  type RecipientRow,
  toHold,
} from './payments.ts'
import { awaitsApproval, transitionPayments } from './transitions.ts'

/** Payments above this amount need the approval of a second person. */
export interface ApprovalRule {
  organization: number
  currency: string
  threshold: Amount
}

/** Lists the rules of one organization, or of all organizations. */
export async function listApprovalRules(db: Reader, organization?: number): Promise<ApprovalRule[]> {
  const rows = await db<ApprovalRule[]>`
    select organization, currency, threshold from approval_rules
    where ${organization === undefined ? sql.always : sql`organization = ${organization}`} order by organization, currency`
  return [...rows]
}

/** The threshold in a currency, or null if no payment needs an approval. */
export async function readApprovalThreshold(
  db: Reader,
  organization: number,
  currency: string,
): Promise<Amount | null> {
  const [rule] = await db<{ threshold: Amount }[]>`
    select threshold from approval_rules where organization = ${organization} and currency = ${currency}`
  return rule?.threshold ?? null
}

/**
 * Sets the rule that payments above `threshold` in this currency need the approval of a second person. Null removes the
 * rule. Payments that already wait for an approval continue to wait.
 * @throws Invalid if the currency does not exist, or if the amount is below zero.
 */
export async function setApprovalRule(
  tx: Tx,
  rule: { organization: number; currency: string; threshold: Amount | null },
): Promise<void> {
  const { organization, currency, threshold } = rule
  await requireThreshold(tx, rule)
  if (threshold === null) {
    await tx`delete from approval_rules where organization = ${organization} and currency = ${currency}`
    return
  }
  await tx`
    insert into approval_rules (organization, currency, threshold) values (${organization}, ${currency}, ${formatAmount(threshold)})
    on conflict (organization, currency) do update set threshold = excluded.threshold`
}

/** Checks a rule before it is set. @throws Invalid */
export async function requireThreshold(
  db: Reader,
  { currency, threshold }: { currency: string; threshold: Amount | null },
): Promise<void> {
  const [known] = await db`select 1 from currencies where code = ${currency}`
  if (!known) throw new Invalid({ currency: [`${JSON.stringify(currency)} is not a valid choice.`] })
  if (threshold === null) return
  if (threshold < 0n) throw new Invalid({ threshold: ['It must not be below zero.'] })
  if (threshold > MAX_THRESHOLD)
    throw new Invalid({ threshold: ['Ensure that there are no more than 15 digits before the decimal point.'] })
}

/** What numeric(19,4) holds. */
const MAX_THRESHOLD: Amount = 9_999_999_999_999_999_999n

/** What decides the first state of new payments: the rules of their organizations, and the users who may approve. */
export interface ApprovalRules {
  rules: readonly ApprovalRule[]
  approvers: readonly { organization: number; user: number }[]
}

/** Reads the approval rules and the approvers of the organizations of these payments. */
export async function readApprovalRules(
  db: Reader,
  payments: readonly { organization: number }[],
): Promise<ApprovalRules> {
  const organizations = [...new Set(payments.map((payment) => payment.organization))]
  const [rules, approvers] = await Promise.all([
    db<ApprovalRule[]>`
      select organization, currency, threshold from approval_rules where organization = any(${organizations}::bigint[])`,
    db<{ organization: number; user: number }[]>`
      select m.organization, m."user" from memberships m join users u on u.id = m."user"
      where m.organization = any(${organizations}::bigint[]) and u.kind = 'person'
        and 'approve_payments' = any(m.permissions)`,
  ])
  return { rules, approvers }
}

/**
 * The state in which a new payment waits. `approval_requested`: a user other than its author may approve it.
 * `approval_needed`: no other user may approve it yet.
 */
export function initialPaymentState(
  payment: { organization: number; currency: string; amount: Amount; author: number; start_date: Date | null },
  { rules, approvers }: ApprovalRules,
): PaymentState {
  const { organization, currency, amount, author, start_date } = payment
  const rule = rules.find((one) => one.organization === organization && one.currency === currency)
  if (!rule || amount <= rule.threshold) return start_date ? 'scheduled' : 'new'
  const has_approver = approvers.some((one) => one.organization === organization && one.user !== author)
  return has_approver ? 'approval_requested' : 'approval_needed'
}

/** The decision of a person about a payment of an organization. */
export interface Decision {
  organization: number
  payment: number
  /** The person who decides. Must be a member of this organization with the permission. */
  user: number
}

/**
 * Approves a payment that waits for an approval. The service sends it now, or at its start date. It counts against the
 * limits of the day of its approval.
 * @throws NotFound. Forbidden if the user initiated the payment, lacks the permission or the second factor that the
 * organization demands, or is a new approver who still waits. Invalid if the payment does not wait for an approval, or if
 * it passes a limit.
 */
export async function approvePayment(tx: Tx, now: Date, decision: Decision): Promise<PaymentRow> {
  const { payment, recipients } = await lockForDecision(tx, decision)
  await requireWaitIsOver(tx, now, decision)
  const errorOf = await openLimitCheck(tx, now, [{ ...payment, recipients }], payment.id)
  const limit_error = errorOf({ ...payment, recipients })
  if (limit_error) throw limit_error
  const later = payment.start_date !== null && payment.start_date > now
  const updated = await changeState(tx, now, payment, recipients, later ? 'scheduled' : 'approved', decision.user)
  await tx`
    update payment_recipients set due_at = ${later ? payment.start_date : now}, leased_until = null
    where payment = ${payment.id} and state = 'new'`
  return updated
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
    throw new Invalid({ state: [`The payment is ${payment.state}; it can no longer be cancelled.`] })
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
    throw new Invalid({ state: [`The payment is ${locked.payment.state}; it does not wait for an approval.`] })
  if (locked.payment.author === decision.user)
    throw new Forbidden('The user who initiated a payment cannot approve or reject it.')
  return locked
}

async function lockPayment(tx: Tx, { organization, payment: id }: Decision): Promise<LockedPayment> {
  const [payment] = await tx<PaymentRow[]>`select ${paymentColumns()} from payments where id = ${id} for update`
  if (payment?.organization !== organization) throw new NotFound(`There is no payment ${id}.`)
  return { payment, recipients: await listRecipients(tx, [id]) }
}

async function requirePermission(tx: Tx, decision: Decision, permission: Permission): Promise<void> {
  await requireMoneyPermission(tx, decision, [permission])
}

/**
 * Requires that a member has one of these permissions, and the second factor that the organization demands.
 * @throws Forbidden
 */
export async function requireMoneyPermission(
  tx: Tx,
  { organization, user }: Pick<Decision, 'organization' | 'user'>,
  permissions: readonly Permission[],
): Promise<void> {
  const [member] = await tx`
    select 1 from memberships where organization = ${organization} and "user" = ${user}
      and permissions && ${permissions}::text[]`
  if (!member) throw new Forbidden()
  if ((await requiresSecondFactor(tx, organization)) && !(await hasSecondFactor(tx, user)))
    throw new Forbidden('This organization demands a second factor of users who move money, and this user has none.')
}

/** A new approver waits, so that others can notice the new permission. @throws Forbidden that says until when */
export async function requireWaitIsOver(
  tx: Tx,
  now: Date,
  { organization, user }: Pick<Decision, 'organization' | 'user'>,
): Promise<void> {
  const [member] = await tx<{ approves_from: Date | null }[]>`
    select approves_from from memberships where organization = ${organization} and "user" = ${user}`
  const from = member?.approves_from
  if (from && from > now)
    throw new Forbidden(`A new approver waits: this user may approve payments from ${formatTimestamp(from)} on.`)
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
  await subtractRefundedAmounts(tx, [{ payment, amount: payment.amount }])
  await releaseHolds(
    tx,
    now,
    recipients.map((recipient) => toHold(payment, recipient)),
  )
}
