import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { Query } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { currencyError } from '../ledger/currencies.ts'
import { type FieldErrors, Invalid } from '../refusals.ts'
import { notifyRuleChange } from '../rule-changes.ts'

/** The amounts of a rule: above each of them a payment needs one more approval. Null: it never does. */
export const approvalSteps = ['threshold', 'second_threshold', 'third_threshold'] as const
export type ApprovalStep = (typeof approvalSteps)[number]
export type ApprovalAmounts = Record<ApprovalStep, Amount | null>

/** Payments above these amounts need the approval of one, two or three persons besides the one who initiated them. */
export type ApprovalRule = Row<typeof ruleTable>
const ruleTable = table('approval_rules', {
  organization: column.bigint().key(),
  currency: column.text().key(),
  threshold: column.numeric(),
  second_threshold: column.numeric().nullable(),
  third_threshold: column.numeric().nullable(),
})

/** Change of a rule. An undefined member stays as it is; a `threshold` of null removes the whole rule. */
interface ApprovalRuleChange extends Partial<ApprovalAmounts> {
  organization: number
  currency: string
  threshold: Amount | null
}

/** Lists the rules of one organization, or of all organizations. */
export async function listApprovalRules(db: Reader, organization?: number): Promise<ApprovalRule[]> {
  const rows = await db<ApprovalRule[]>`
    select ${ruleTable.columns} from approval_rules
    where ${organization === undefined ? sql.always : sql`organization = ${organization}`} order by organization, currency`
  return [...rows]
}

/** The rule in a currency; all amounts are null if no payment needs an approval. */
export async function readApprovalRule(db: Reader, organization: number, currency: string): Promise<ApprovalAmounts> {
  const [rule] = await db<ApprovalAmounts[]>`
    select threshold, second_threshold, third_threshold from approval_rules
    where organization = ${organization} and currency = ${currency}`
  return rule ?? NO_RULE
}

const NO_RULE: ApprovalAmounts = { threshold: null, second_threshold: null, third_threshold: null }

/**
 * Returns the rule after a change.
 * @throws Invalid if the currency does not exist, if an amount is below zero, or if more approvals begin below fewer.
 */
export async function readChangedRule(db: Reader, change: ApprovalRuleChange): Promise<ApprovalAmounts> {
  const { organization, currency, threshold } = change
  const currency_error = await currencyError(db, currency)
  if (currency_error) throw new Invalid({ currency: [currency_error] })
  const before = await readApprovalRule(db, organization, currency)
  const choose = (step: ApprovalStep) => (change[step] === undefined ? before[step] : change[step])
  const rule: ApprovalAmounts =
    threshold === null
      ? NO_RULE
      : { threshold, second_threshold: choose('second_threshold'), third_threshold: choose('third_threshold') }
  requireAscending(rule)
  return rule
}

function requireAscending(rule: ApprovalAmounts): void {
  const errors: FieldErrors = {}
  let lower: Amount | null = 0n
  for (const step of approvalSteps) {
    const below = lower
    const amount = rule[step]
    lower = amount
    if (amount === null) continue
    if (amount < 0n) errors[step] = [getMessage('fields.not_negative')]
    else if (amount > MAX_THRESHOLD) errors[step] = [getMessage('fields.digits', { max: 15 })]
    else if (below === null) errors[step] = [getMessage('payments.fewer_approvals_first')]
    else if (amount < below) errors[step] = [getMessage('payments.below_fewer_approvals')]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Maximum of numeric(19,4). */
export const MAX_THRESHOLD: Amount = 9_999_999_999_999_999_999n

/**
 * Sets the rule in a currency. Payments that already wait for approvals continue to need as many as before.
 * @throws Invalid as `readChangedRule`
 */
export async function setApprovalRule(tx: Tx, change: ApprovalRuleChange): Promise<void> {
  const { organization, currency } = change
  const { threshold, ...others } = await readChangedRule(tx, change)
  await notifyRuleChange(tx, organization)
  if (threshold === null) {
    await tx`delete from approval_rules where organization = ${organization} and currency = ${currency}`
    return
  }
  const rule = { organization, currency, threshold, ...others }
  await tx`${insert(ruleTable, [rule], {})} ${ruleTable.replace(approvalSteps)}`
}

/** Facts that decide the first state of a new payment: the rules of its organization, and the users who may approve. */
export interface ApprovalRules {
  rules: readonly ApprovalRule[]
  approvers: readonly Approver[]
}

/** A user who may approve payments, with one limit of this user; `currency` is null for one without limits. */
interface Approver {
  organization: number
  user: number
  currency: string | null
  per_payment: Amount | null
}

/** Reads the approval rules and the approvers of organizations, by organization. */
export async function readApprovalRules(
  db: Reader,
  organizations: readonly number[],
): Promise<ReadonlyMap<number, ApprovalRules>> {
  const [rules, approvers] = await Promise.all([
    db<ApprovalRule[]>`
      select ${ruleTable.columns} from approval_rules
      where organization = any(${organizations}::bigint[])`,
    db<Approver[]>`
      select m.organization, m."user", l.currency, l.per_payment from memberships m join users u on u.id = m."user"
      left join approver_limits l on l.organization = m.organization and l."user" = m."user" and l.per_payment is not null
      where m.organization = any(${organizations}::bigint[]) and u.kind = 'person'
        and 'approve_payments' = any(m.permissions)`,
  ])
  const ofOrganization = <Of extends { organization: number }>(all: readonly Of[], id: number) =>
    all.filter(({ organization }) => organization === id)
  return new Map(
    organizations.map((id) => [id, { rules: ofOrganization(rules, id), approvers: ofOrganization(approvers, id) }]),
  )
}

export const approvalRules: Query<number, ApprovalRules> = { read: readApprovalRules }

/** Amount to check against a rule. */
export interface RuledSum {
  currency: string
  amount: Amount
}

/** Payment to check against the rules. */
interface RuledPayment {
  /** Sums that decide: the payment itself or, for a part of a file, the file's total in each of its currencies. */
  sums: readonly RuledSum[]
  author: number
  start_date: Date | null
}

/** Counts the approvals that a new payment needs; the sum with the strictest rule decides. 0: none. */
export function countRequiredApprovals(sums: readonly RuledSum[], { rules }: ApprovalRules): number {
  const counts = sums.map(({ currency, amount }) => {
    const rule = rules.find((one) => one.currency === currency)
    return rule ? approvalSteps.filter((step) => rule[step] !== null && amount > rule[step]).length : 0
  })
  return Math.max(0, ...counts)
}

/** First state of a new payment: it is sent, waits for its start date, or for approvals. */
type WaitingState = 'new' | 'scheduled' | 'approval_requested' | 'approval_needed'

/**
 * The state in which a new payment waits. `approval_requested`: enough users other than its author may approve it.
 * `approval_needed`: too few other users may approve it yet.
 */
export function initialPaymentState(payment: RuledPayment, rules: ApprovalRules): WaitingState {
  const required = countRequiredApprovals(payment.sums, rules)
  if (required === 0) return payment.start_date ? 'scheduled' : 'new'
  return countApprovers(payment, rules) >= required ? 'approval_requested' : 'approval_needed'
}

function countApprovers({ author, sums }: RuledPayment, { approvers }: ApprovalRules): number {
  const others = approvers.filter(({ user }) => user !== author)
  const limited = others.filter(({ currency, per_payment }) =>
    sums.some((sum) => sum.currency === currency && per_payment !== null && sum.amount > per_payment),
  )
  const too_low = new Set(limited.map(({ user }) => user))
  return new Set(others.map(({ user }) => user).filter((user) => !too_low.has(user))).size
}
