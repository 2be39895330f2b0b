import type { Reader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { isOldAndEnded } from './candidates.ts'
import { type ArchiveKind, archiveKinds, type KindRules, kindRules } from './kinds.ts'
import { readOrdersArchivedUntil, readRequestsArchivedUntil } from './last-run.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Grace period after the end of retention: the archive is written by hand or once a month. */
export const MAX_OVERDUE_MS = 45 * DAY_MS

/** Settings that decide the end of retention. */
export interface RetentionRules {
  /** Times of the service and of the real world, which differ in a sandbox. */
  now: Date
  real: Date
  config: Readonly<Record<KindRules['retention'], number>>
}

/**
 * Returns the time before which rows have reached the end of their retention. Entries of the audit log leave by the
 * real time alone. So a clock that was moved ahead in a sandbox takes none of them.
 */
export function retentionLimit({ now, real, config }: RetentionRules, kind: ArchiveKind): Date {
  const known = kind === 'audit' ? Math.min(now.getTime(), real.getTime()) : now.getTime()
  return new Date(known - config[kindRules[kind].retention] * DAY_MS)
}

/** The oldest row of a kind that should be in the archive and is not. */
export interface Overdue {
  kind: ArchiveKind
  /** Time from which its age counts; null when every old row has left. */
  oldest: Date | null
  /** Time since the end of its retention; 0 before the end. */
  overdue_ms: number
}

/** Lists how long rows of each kind have been older than their retention. */
export async function listOverdue(db: Reader, rules: RetentionRules): Promise<Overdue[]> {
  const found: Overdue[] = []
  for (const kind of archiveKinds) {
    const before = retentionLimit(rules, kind)
    const oldest = await findOldest(db, kind, before)
    found.push({ kind, oldest, overdue_ms: oldest ? before.getTime() - oldest.getTime() : 0 })
  }
  return found
}

/**
 * Maximum number of the oldest rows read. Only few rows stay before the first that may leave, for a reason such as a
 * plan that goes on.
 */
const MAX_ROWS = 200

/** Reads the oldest rows of an index alone, because the metrics ask every few seconds. */
async function findOldest(db: Reader, kind: ArchiveKind, before: Date): Promise<Date | null> {
  const [row] = await db<{ oldest: Date | null }[]>`select (${await queries[kind](db, before)}) as oldest`
  return row!.oldest
}

type OldestQuery = (db: Reader, before: Date) => Fragment | Promise<Fragment>

const queries: Record<ArchiveKind, OldestQuery> = {
  // Paid requests stay: those that a complete run has seen are not read again. A young installation reads one row.
  requests: async (db, before) => sql`
    select min(f.created) from organizations o cross join lateral (
      select s.created from (
        select id, created, modified, archived, status from collection_requests
        where organization = o.id and created >= ${(await readRequestsArchivedUntil(db)) ?? new Date(0)} and created < ${before}
        order by created, id limit ${MAX_ROWS}) s
      where ${isOldAndEnded('requests', before)} order by s.created limit 1) f
    where (select created from collection_requests order by id limit 1) < ${before}`,
  // Orders stay, their answers leave: those that a complete run has seen are not read again.
  orders: async (db, before) => sql`
    select min(s.closed) from (
      select closed, due_at, attention, answers from network_orders
      where id > ${await readOrdersArchivedUntil(db)} order by id limit ${MAX_ROWS}) s
    where ${isOldAndEnded('orders', before)}`,
  sms: (_, before) => sql`
    select min(s.created) from (select created, due_at, state from sms_messages order by id limit ${MAX_ROWS}) s
    where ${isOldAndEnded('sms', before)}`,
  // The newest entry of the log never leaves.
  audit: (_, before) => sql`
    select s.created from audit_chain c join audit_log s on s.id = c.entry
    where c.position = (select min(position) from audit_chain) and c.position < (select max(position) from audit_chain)
      and ${isOldAndEnded('audit', before)}`,
}
