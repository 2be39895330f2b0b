import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import {
  type ApprovalObstacle,
  approverNames,
  countWaiting,
  paymentTable,
  type QueueOf,
  type WaitingCounts,
  waitingFields,
  waitingFor,
} from '../approvals/waiting.ts'
import { timestamp } from '../fields.ts'

/** A payment that waits for approvals, as the queue of a user shows it. */
export const WaitingPayment = z.object({
  ...waitingFields,
  payment_type: z.string(),
  description: z.string(),
  start_date: timestamp.nullable(),
  /** Number of phones that get money. */
  recipients: z.int(),
  /** The number and the names of the first one. */
  phonenumber: z.string(),
  contact_name: z.string(),
  /** Empty until the network has said it. */
  name_on_network: z.string(),
  /** Number of recipients who have another name on the network, or no account there. */
  doubtful_recipients: z.int(),
})
export type WaitingPayment = z.output<typeof WaitingPayment>

/** Counts the payments that wait for a user, and for others. Files of payments wait as files. */
export function countWaitingPayments(db: AnyReader, now: Date, queue: QueueOf): Promise<WaitingCounts> {
  return countWaiting(db, singlePayments(now, queue))
}

/** Lists the payments that wait for approvals, without those of files: first those for this user, the oldest first. At most `limit`. */
export async function listWaitingPayments(
  db: AnyReader,
  now: Date,
  queue: QueueOf,
  limit: number,
): Promise<WaitingPayment[]> {
  const rows = await db<WaitingPayment[]>`
    select w.id, w.payment_type, w.amount, r.fee, w.currency, w.description, w.created, w.start_date, w.author,
      u.name as author_name, r.recipients, first.phonenumber, first.contact_name, first.name_on_network,
      r.doubtful_recipients, w.approvals_required, w.obstacle,
      ${approverNames(paymentTable)} as approved_by_names
    from ${singlePayments(now, queue)} w
    join users u on u.id = w.author
    cross join lateral (
      select count(*) as recipients, sum(r.fee)::numeric(19,4) as fee, count(*) filter (where ${isDoubtful()}) as doubtful_recipients
      from payment_recipients r join contacts c on c.id = r.contact and c.organization = r.organization
      where r.payment = w.id and r.organization = w.organization) r
    cross join lateral (
      select r.phonenumber, c.first_name || ' ' || c.last_name as contact_name, c.name_on_network
      from payment_recipients r join contacts c on c.id = r.contact and c.organization = r.organization
      where r.payment = w.id and r.organization = w.organization order by r.id limit 1) first
    order by w.obstacle is not null, w.id limit ${limit}`
  return [...rows]
}

/** Below this similarity (0 to 100) two names are shown as different: beyond a missing middle name or a slip of the pen. */
export const SAME_NAME_SCORE = 60

/**
 * SQL: condition that a contact `c` has another name on the network than the organization knows, or no account there.
 */
export function isDoubtful(): Fragment {
  return sql`(c.phone_is_mm_registered = 'no'
    or c.name_matches_network_status = 'checked' and c.name_matches_network_score < ${SAME_NAME_SCORE})`
}

/** SQL for the payments that wait without those of files (`bulk/waiting-files.ts`), each with the `obstacle` of a user. */
function singlePayments(now: Date, queue: QueueOf): Fragment {
  const is_single = sql`not exists (
    select from bulk_payment_rows r where r.payment = p.id and r.organization = p.organization)`
  return waitingFor(now, queue, paymentTable, is_single)
}

/**
 * Returns the reason why a user cannot approve this payment now; null if it waits for this user, undefined if it waits
 * for no approval.
 */
export async function readObstacle(
  db: AnyReader,
  now: Date,
  queue: QueueOf,
  payment: number,
): Promise<ApprovalObstacle | null | undefined> {
  const [row] = await db<{ obstacle: ApprovalObstacle | null }[]>`
    select w.obstacle from ${waitingFor(now, queue, paymentTable)} w where w.id = ${payment}`
  return row?.obstacle
}
