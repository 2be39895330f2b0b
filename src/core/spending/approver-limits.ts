import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { currencyError } from '../ledger/currencies.ts'
import { startOfLimits } from '../ledger/last-day.ts'
import { type FieldErrors, Forbidden, Invalid } from '../refusals.ts'
import { notifyRuleChange } from '../rule-changes.ts'

/** Limits of an approver: a single payment, and all payments of the last 24 hours. */
const approverLimitKinds = ['per_payment', 'per_day'] as const
export type ApproverLimitKind = (typeof approverLimitKinds)[number]
export type ApproverLimitAmounts = Record<ApproverLimitKind, Amount | null>

const limitTable = table('approver_limits', {
  id: column.id(),
  organization: column.bigint(),
  user: column.bigint(),
  currency: column.text(),
  per_payment: column.numeric().nullable(),
  per_day: column.numeric().nullable(),
})

/** The limits of a person who approves, in a currency. Null: no limit. */
type ApproverLimits = Omit<Row<typeof limitTable>, 'id'>

/** Limits with the person whose limits they are. */
export type NamedApproverLimits = ApproverLimits & { name: string; email: string }

/** Lists the limits of the approvers of one organization, or of all organizations. */
export async function listApproverLimits(db: Reader, organization?: number): Promise<NamedApproverLimits[]> {
  const rows = await db<NamedApproverLimits[]>`
    select l.organization, l."user", u.name, u.email, l.currency, l.per_payment, l.per_day
    from approver_limits l join users u on u.id = l."user"
    where ${organization === undefined ? sql.always : sql`l.organization = ${organization}`}
      and (l.per_payment is not null or l.per_day is not null)
    order by l.organization, u.email, l.currency`
  return [...rows]
}

/** The limits of a person in a currency; both are null if there are none. */
export async function readApproverLimits(
  db: Reader,
  { organization, user, currency }: Pick<ApproverLimits, 'organization' | 'user' | 'currency'>,
): Promise<ApproverLimitAmounts> {
  const [row] = await db<ApproverLimitAmounts[]>`
    select per_payment, per_day from approver_limits
    where organization = ${organization} and "user" = ${user} and currency = ${currency}`
  return row ?? { per_payment: null, per_day: null }
}

/**
 * Sets the limits of a person in a currency; null removes one. They hold for approvals from now on.
 * @throws Invalid as `requireApproverLimits`
 */
export async function setApproverLimits(tx: Tx, limits: ApproverLimits): Promise<void> {
  await requireApproverLimits(tx, limits)
  await notifyRuleChange(tx, limits.organization)
  await tx`
    ${insert(limitTable, [limits], {})}
    ${limitTable.replace(approverLimitKinds, ['organization', 'user', 'currency'])}`
}

/** Checks limits before they are set. @throws Invalid if the currency does not exist, or if an amount is below zero */
export async function requireApproverLimits(
  db: Reader,
  limits: Pick<ApproverLimits, 'currency' | ApproverLimitKind>,
): Promise<void> {
  const errors: FieldErrors = {}
  const currency_error = await currencyError(db, limits.currency)
  if (currency_error) errors.currency = [currency_error]
  for (const kind of approverLimitKinds) {
    const amount = limits[kind]
    if (amount === null) continue
    if (amount < 0n) errors[kind] = [getMessage('fields.not_negative')]
    else if (amount > MAX_LIMIT) errors[kind] = [getMessage('fields.digits', { max: 15 })]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Maximum of numeric(19,4). */
const MAX_LIMIT: Amount = 9_999_999_999_999_999_999n

/** A payment that a person wants to approve. */
interface ApprovedPayment {
  organization: number
  currency: string
  amount: Amount
}

/**
 * Requires that a person may approve this payment under the limits of this person. Until the end of the transaction no
 * other one approves payments under the same limits, so two approvals at once never pass together.
 * @throws Forbidden that names the limit
 */
export async function requireWithinApproverLimits(
  tx: Tx,
  now: Date,
  user: number,
  { organization, currency, amount }: ApprovedPayment,
): Promise<void> {
  const [found] = await tx<{ id: number }[]>`
    select id from approver_limits where organization = ${organization} and "user" = ${user} and currency = ${currency}`
  if (!found) return
  const [limits] = await tx<ApproverLimitAmounts[]>`
    select per_payment, per_day from approver_limits where id = ${found.id} for update`
  if (!limits) return
  const { per_payment, per_day } = limits
  const money = (sum: Amount) => `${currency} ${displayAmount(sum)}`
  if (per_payment !== null && amount > per_payment)
    throw new Forbidden(getMessage('payments.may_approve', { amount: money(per_payment) }))
  if (per_day === null) return
  const [approved] = await tx<{ sum: Amount }[]>`
    select coalesce(sum(sum), 0)::numeric(38,4) as sum from ${approvedLately(now, { organization, user })} t
    where currency = ${currency}`
  const left = per_day - approved!.sum
  if (amount > left)
    throw new Forbidden(
      getMessage('payments.may_approve_per_day', { amount: money(per_day), left: money(left < 0n ? 0n : left) }),
    )
}

/**
 * SQL: the sums by currency of the payments and purchases that a person has approved in the last 24 hours (`currency`,
 * `sum`). Those that were rejected, were cancelled or have sold nothing do not count.
 */
export function approvedLately(now: Date, { organization, user }: { organization: number; user: number }): Fragment {
  return sql`(
    select currency, sum(amount) as sum from (
      select p.currency, p.amount from payment_approvals a
      join payments p on p.id = a.payment and p.organization = a.organization
      where a.organization = ${organization} and a."user" = ${user} and a.approved > ${startOfLimits(now)}
        and p.state not in ('rejected', 'cancelled')
      union all
      select p.currency, p.amount from bill_approvals a
      join bill_purchases p on p.id = a.purchase and p.organization = a.organization
      where a.organization = ${organization} and a."user" = ${user} and a.approved > ${startOfLimits(now)}
        and p.status <> 'failed') approved
    group by currency)`
}
