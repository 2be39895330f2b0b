import { z } from 'zod'
import type { AnyReader } from '../../../db/client.ts'
import { sql } from '../../../db/sql.ts'
import { groupsOf, type Some } from '../../../lib/batches/groups.ts'
import type { Amount } from '../../../lib/money.ts'
import {
  approvalObstacles,
  paymentTable,
  type QueueOf,
  type WaitingCounts,
  waitingFor,
} from '../../approvals/waiting.ts'
import { amount, id, timestamp } from '../../fields.ts'
import { approvedLately } from '../../spending/approver-limits.ts'
import { countNames, readNameStates } from './names.ts'
import { nameStates } from './row.ts'

/* Files whose payments wait for approvals. A file waits as one, however many payments it has. */

/** Reasons why a user cannot approve a file now. `creating`: more of its payments are being created. */
const fileObstacles = [...approvalObstacles, 'creating'] as const
type FileObstacle = (typeof fileObstacles)[number]

/** A file whose payments wait for approvals: all that its approval concerns. */
export const WaitingFile = z.object({
  id,
  file_name: z.string(),
  description: z.string(),
  /** Time when its payments were started, and by whom. */
  created: timestamp,
  author_name: z.string(),
  uploaded_by_name: z.string(),
  /** Ids of the payments that wait. */
  payments: z.array(id),
  /** Number of people who get money. */
  recipients: z.int(),
  sums: z.array(z.object({ currency: z.string(), amount, fee: amount })),
  /** First and last row of the file that these payments pay. */
  first_row: z.int(),
  last_row: z.int(),
  /** Names in the file, compared with those that the networks know. */
  names: z.record(z.enum(nameStates), z.int()),
  approvals_required: z.int(),
  approved_by_names: z.array(z.string()),
  /** Null: it waits for this user. */
  obstacle: z.enum(fileObstacles).nullable(),
})
export type WaitingFile = z.output<typeof WaitingFile>

/** Waiting payments of a file in one currency. */
interface WaitingGroup {
  id: number
  is_creating: boolean
  currency: string
  payments: number[]
  amount: Amount
  obstacles: (FileObstacle | null)[]
  /** True if the payments that this user has not approved are together above the user's limit. */
  is_above_one: boolean
  is_above_day: boolean
  approvals_required: number
}

/** Counts the files that wait for a user, and for others. */
export async function countWaitingFiles(db: AnyReader, now: Date, queue: QueueOf): Promise<WaitingCounts> {
  const files = groupFiles(await readGroups(db, now, queue))
  const mine = files.filter((groups) => obstacleOf(groups) === null).length
  return { mine, others: files.length - mine }
}

/** Lists the files that wait for approvals: those for this user first, the oldest first. At most `limit`. */
export async function listWaitingFiles(
  db: AnyReader,
  now: Date,
  queue: QueueOf,
  limit: number,
): Promise<WaitingFile[]> {
  const files = groupFiles(await readGroups(db, now, queue))
  const sorted = files.toSorted((a, b) => Number(obstacleOf(a) !== null) - Number(obstacleOf(b) !== null))
  const listed: WaitingFile[] = []
  for (const groups of sorted.slice(0, limit)) listed.push(await describeFile(db, queue.organization, groups))
  return listed
}

/** Returns a file that waits, as a user sees it; null if none of its payments waits. */
export async function findWaitingFile(
  db: AnyReader,
  now: Date,
  queue: QueueOf,
  bulk_payment: number,
): Promise<WaitingFile | null> {
  const groups = (await readGroups(db, now, queue)).filter((group) => group.id === bulk_payment)
  const [file] = groupFiles(groups)
  return file ? describeFile(db, queue.organization, file) : null
}

async function readGroups(db: AnyReader, now: Date, queue: QueueOf): Promise<readonly WaitingGroup[]> {
  const { organization, user } = queue
  const open = sql`sum(w.amount) filter (where w.obstacle is distinct from 'approved')`
  return db<WaitingGroup[]>`
    select b.id, b.state = 'creating' as is_creating, w.currency, array_agg(w.id order by w.id) as payments,
      sum(w.amount)::numeric(38,4) as amount, array_agg(distinct w.obstacle) as obstacles,
      coalesce(${open} > min(l.per_payment), false) as is_above_one,
      coalesce(${open} > min(l.per_day) - coalesce(min(t.sum), 0), false) as is_above_day,
      max(w.approvals_required) as approvals_required
    from ${waitingFor(now, queue, paymentTable)} w
    cross join lateral (
      select r.bulk_payment from bulk_payment_rows r
      where r.payment = w.id and r.organization = w.organization limit 1) f
    join bulk_payments b on b.id = f.bulk_payment and b.organization = w.organization
    left join approver_limits l on l.organization = w.organization and l."user" = ${user} and l.currency = w.currency
    left join ${approvedLately(now, { organization, user })} t on t.currency = w.currency
    group by b.id, b.state, w.currency order by b.id, w.currency`
}

function groupFiles(groups: readonly WaitingGroup[]): Some<WaitingGroup>[] {
  return groupsOf(groups, ({ id }) => id)
}

function obstacleOf(groups: readonly WaitingGroup[]): FileObstacle | null {
  const obstacles = groups.flatMap((group) => group.obstacles)
  if (obstacles.includes('permission')) return 'permission'
  if (obstacles.includes('author')) return 'author'
  if (groups.some(({ is_creating }) => is_creating)) return 'creating'
  if (obstacles.every((one) => one === 'approved')) return 'approved'
  if (groups.some(({ is_above_one }) => is_above_one)) return 'amount'
  return groups.some(({ is_above_day }) => is_above_day) ? 'day' : null
}

type StoredFile = Pick<
  WaitingFile,
  'id' | 'file_name' | 'description' | 'created' | 'author_name' | 'uploaded_by_name' | 'approved_by_names'
>

async function describeFile(db: AnyReader, organization: number, groups: Some<WaitingGroup>): Promise<WaitingFile> {
  const bulk_payment = groups[0].id
  const payments = groups.flatMap((group) => group.payments)
  const [file] = await db<StoredFile[]>`
    select b.id, b.file_name, b.description, b.started as created, s.name as author_name, u.name as uploaded_by_name, array(
        select a_user.name from users a_user where a_user.id in (
          select a."user" from payment_approvals a
          where a.organization = ${organization} and a.payment = any(${payments}::bigint[])) order by a_user.name) as approved_by_names
    from bulk_payments b join users u on u.id = b.author join users s on s.id = b.started_by
    where b.id = ${bulk_payment} and b.organization = ${organization}`
  const fees = await db<{ currency: string; fee: Amount; recipients: number }[]>`
    select p.currency, sum(r.fee)::numeric(38,4) as fee, count(*) as recipients
    from payment_recipients r join payments p on p.id = r.payment and p.organization = r.organization
    where r.organization = ${organization} and r.payment = any(${payments}::bigint[]) group by 1`
  const [lines] = await db<{ numbers: number[] }[]>`
    select array_agg(number order by number) as numbers from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${bulk_payment} and payment = any(${payments}::bigint[])`
  const { numbers } = lines!
  const names = await readNameStates(db, { organization, id: bulk_payment })
  return {
    ...file!,
    payments,
    recipients: fees.reduce((sum, { recipients }) => sum + recipients, 0),
    sums: groups.map(({ currency, amount: sum }) => ({
      currency,
      amount: sum,
      fee: fees.find((one) => one.currency === currency)?.fee ?? 0n,
    })),
    first_row: numbers.at(0)!,
    last_row: numbers.at(-1)!,
    names: countNames(numbers.flatMap((number) => names.get(number) ?? [])),
    approvals_required: Math.max(...groups.map(({ approvals_required }) => approvals_required)),
    obstacle: obstacleOf(groups),
  }
}
