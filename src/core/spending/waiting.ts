import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { approvedLately } from './approver-limits.ts'

/* Payments and bill purchases that wait for approvals, and the obstacles for a user to approve them. */

/**
 * Reasons why a user cannot approve a waiting payment. The user lacks the permission, initiated it or has approved it
 * already. Or the amount is above the user's limit, for one payment or for 24 hours.
 */
export const approvalObstacles = ['permission', 'author', 'approved', 'amount', 'day'] as const
export type ApprovalObstacle = (typeof approvalObstacles)[number]

/** Owner of a queue. */
export interface QueueOf {
  organization: number
  user: number
  /** True if this user has the permission to approve payments. */
  may_approve: boolean
}

/** Numbers of items that wait for a user, and for others. */
export interface WaitingCounts {
  mine: number
  others: number
}

/** SQL: source of the waiting rows. */
interface WaitingSource {
  from: Fragment
  /** Condition that a row `p` waits. */
  where: Fragment
  /** The approvals `a` of a row `p`, from the table on. */
  approvals: Fragment
}

/** SQL for the rows that wait for approvals in an organization, each with the `obstacle` of a user. */
export function waitingFor(
  now: Date,
  { organization, user, may_approve }: QueueOf,
  { from, where, approvals }: WaitingSource,
): Fragment {
  const obstacle = sql`case
    when p.author = ${user} then 'author'
    when exists (select from ${approvals} and a.organization = p.organization and a."user" = ${user}) then 'approved'
    when p.amount > l.per_payment then 'amount'
    when p.amount > l.per_day - coalesce(t.sum, 0) then 'day' end`
  return sql`(
    select p.*, ${may_approve ? obstacle : sql`'permission'`} as obstacle from ${from} p
    left join approver_limits l on l.organization = p.organization and l."user" = ${user} and l.currency = p.currency
    left join ${approvedLately(now, { organization, user })} t on t.currency = p.currency
    where p.organization = ${organization} and ${where})`
}

/** Counts the items that wait for a user, and for others. @param waiting result of `waitingFor` */
export async function countWaiting(db: AnyReader, waiting: Fragment): Promise<WaitingCounts> {
  const [counts] = await db<WaitingCounts[]>`
    select count(*) filter (where obstacle is null) as mine, count(*) filter (where obstacle is not null) as others
    from ${waiting} w`
  return counts!
}

/**
 * SQL: condition that a row `p` waits for the member `m`, who has got no mail about it.
 * @param notices the mails `n` about `p`
 */
export function needsMailTo({ where, approvals }: Omit<WaitingSource, 'from'>, notices: Fragment): Fragment {
  return sql`${where} and p.author <> m."user"
    and not exists (select from ${notices} and n."user" = m."user")
    and not exists (select from ${approvals} and a."user" = m."user")
    and not exists (select from approver_limits l where l.organization = m.organization and l."user" = m."user"
      and l.currency = p.currency and p.amount > least(l.per_payment, l.per_day))`
}

export const waitingPaymentSource: WaitingSource = {
  from: sql`payments`,
  where: sql`p.state in ('approval_needed', 'approval_requested')`,
  approvals: sql`payment_approvals a where a.payment = p.id`,
}

/** The bill purchases that wait. */
export const waitingPurchaseSource: WaitingSource = {
  from: sql`bill_purchases`,
  where: sql`p.status = 'pending' and p.approvals < p.approvals_required`,
  approvals: sql`bill_approvals a where a.purchase = p.id`,
}
