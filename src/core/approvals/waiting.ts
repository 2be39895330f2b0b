import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { amount, id, timestamp } from '../fields.ts'
import { approvedLately } from '../spending/approver-limits.ts'

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

/** Fields of a waiting payment and of a waiting purchase, as the queue of a user shows them. */
export const waitingFields = {
  id,
  amount,
  /** Fee if all of it arrives. */
  fee: amount,
  currency: z.string(),
  created: timestamp,
  author: id,
  author_name: z.string(),
  approvals_required: z.int(),
  approved_by_names: z.array(z.string()),
  /** Null: it waits for this user. */
  obstacle: z.enum(approvalObstacles).nullable(),
}

/** Numbers of items that wait for a user, and for others. */
export interface WaitingCounts {
  mine: number
  others: number
}

/** Table of proposals whose approvals are counted. */
export interface ApprovedTable {
  name: 'payments' | 'bill_purchases'
  /** Column that refers to it. */
  key: 'payment' | 'purchase'
  /** Its column that the transitions change. */
  state: 'state' | 'status'
  approvals: 'payment_approvals' | 'bill_approvals'
  /** Approvers who have got a mail. */
  notices: 'approval_notices' | 'bill_approval_notices'
  /** SQL: condition that a row `p` waits. */
  waits: Fragment
}

export const paymentTable: ApprovedTable = {
  name: 'payments',
  key: 'payment',
  state: 'state',
  approvals: 'payment_approvals',
  notices: 'approval_notices',
  waits: sql`p.state in ('approval_needed', 'approval_requested')`,
}

export const purchaseTable: ApprovedTable = {
  name: 'bill_purchases',
  key: 'purchase',
  state: 'status',
  approvals: 'bill_approvals',
  notices: 'bill_approval_notices',
  waits: sql`p.status = 'pending' and p.approvals < p.approvals_required`,
}

/** SQL: rows `a` of a table that refer to a row `p`, from the table on. */
function about(name: ApprovedTable['approvals' | 'notices'], { key }: ApprovedTable): Fragment {
  return sql`${sql.identifier(name)} a where a.organization = p.organization and a.${sql.identifier(key)} = p.id`
}

/** SQL: names of the persons who have approved a row `w`, in the order of their approvals. */
export function approverNames({ approvals, key }: ApprovedTable): Fragment {
  return sql`array(select u.name from ${sql.identifier(approvals)} a join users u on u.id = a."user"
    where a.${sql.identifier(key)} = w.id and a.organization = w.organization order by a.approved)`
}

/**
 * SQL for the rows that wait for approvals in an organization, each with the `obstacle` of a user.
 * @param where a further condition on a row `p`
 */
export function waitingFor(
  now: Date,
  { organization, user, may_approve }: QueueOf,
  table: ApprovedTable,
  where: Fragment = sql.always,
): Fragment {
  const obstacle = sql`case
    when p.author = ${user} then 'author'
    when exists (select from ${about(table.approvals, table)} and a."user" = ${user}) then 'approved'
    when p.amount > l.per_payment then 'amount'
    when p.amount > l.per_day - coalesce(t.sum, 0) then 'day' end`
  return sql`(
    select p.*, ${may_approve ? obstacle : sql`'permission'`} as obstacle from ${sql.identifier(table.name)} p
    left join approver_limits l on l.organization = p.organization and l."user" = ${user} and l.currency = p.currency
    left join ${approvedLately(now, { organization, user })} t on t.currency = p.currency
    where p.organization = ${organization} and ${table.waits} and ${where})`
}

/** Counts the items that wait for a user, and for others. @param waiting result of `waitingFor` */
export async function countWaiting(db: AnyReader, waiting: Fragment): Promise<WaitingCounts> {
  const [counts] = await db<WaitingCounts[]>`
    select count(*) filter (where obstacle is null) as mine, count(*) filter (where obstacle is not null) as others
    from ${waiting} w`
  return counts!
}

/** SQL: condition that a row `p` waits for the member `m`, who has got no mail about it. */
export function needsMailTo(table: ApprovedTable): Fragment {
  return sql`${table.waits} and p.author <> m."user"
    and not exists (select from ${about(table.notices, table)} and a."user" = m."user")
    and not exists (select from ${about(table.approvals, table)} and a."user" = m."user")
    and not exists (select from approver_limits l where l.organization = m.organization and l."user" = m."user"
      and l.currency = p.currency and p.amount > least(l.per_payment, l.per_day))`
}
