import type { Reader, Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const WEEK_MS = 7 * DAY_MS
/** A Monday, on which all partitions are aligned. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5)
/** Number of partitions created in advance, after the current one. */
const PARTITIONS_AHEAD = 1
/** Approximate number of partitions for the kept data. Each partition makes the planning of every statement slower. */
const TARGET_PARTITIONS = 8

/** A table whose old rows are deleted, and the column with the age of a row. */
export interface PartitionedTable {
  table: string
  age_column: string
  /** Setting with the minimum retention of its rows, in days. */
  retention: 'EVENT_RETENTION_DAYS' | 'CALLBACK_RETENTION_DAYS'
}

/** The tables from which old data is deleted by dropping partitions (docs/decisions/0009). */
export const partitionedTables: readonly PartitionedTable[] = [
  { table: 'events', age_column: 'created', retention: 'EVENT_RETENTION_DAYS' },
  { table: 'webhook_attempts', age_column: 'recorded', retention: 'EVENT_RETENTION_DAYS' },
  { table: 'callbacks_ended', age_column: 'ended', retention: 'CALLBACK_RETENTION_DAYS' },
]

/** The time range of a partition in milliseconds: from `start`, which is included, to `end`, which is not. */
interface TimeRange {
  start: number
  end: number
}

/**
 * Creates the partitions that a table needs now and next, and drops those whose rows are all older than `days`. Rows in the
 * default partition, where they are stored after a jump of the clock, move to their own partition. One process does this at a
 * time. It locks the table exclusively for a short time, and does not wait long for the lock, because others wait behind it.
 * A vacuum or a statement that uses another partition by its name does not hold it up.
 * Functions of the database create and drop them, because the role of the service does not own the tables (decision 24).
 * @param times further times for whose rows a partition is needed
 * @throws an error with the code 55P03 (see `isLockTimeout`) if the table is in use for too long: try again later
 */
export async function maintainPartitions(
  tx: Tx,
  now: Date,
  partitioned: PartitionedTable,
  days: number,
  times: readonly Date[] = [],
): Promise<void> {
  // Two processes that both check first would block each other.
  const [lock] = await tx<{ acquired: boolean }[]>`select pg_try_advisory_xact_lock(${MAINTENANCE_LOCK}) as acquired`
  if (!lock!.acquired) return
  const kept_from = now.getTime() - days * DAY_MS
  const needed = times.map((time) => time.getTime()).filter((time) => time + partitionWidthMs(days) > kept_from)
  const isUpToDate = async () =>
    (await listMissingRanges(tx, now, partitioned, days, needed)).length === 0 &&
    (await listExpiredPartitions(tx, partitioned, kept_from)).length === 0
  if (await isUpToDate()) return
  await tx.unsafe(`set local lock_timeout = ${MAX_LOCK_WAIT_MS}`)
  await tx`lock table only ${sql.identifier(partitioned.table)} in access exclusive mode`
  // The default partition may have more rows now.
  for (const range of await listMissingRanges(tx, now, partitioned, days, needed))
    await createPartition(tx, partitioned, range)
  for (const { name } of await listExpiredPartitions(tx, partitioned, kept_from))
    await tx`select drop_time_partition(${partitioned.table}, ${name})`
}

/** The key of the advisory lock. No other lock uses this number. */
const MAINTENANCE_LOCK = 7_305_118_821
const MAX_LOCK_WAIT_MS = 500

/** True if `maintainPartitions` failed because the table was in use. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

async function listExpiredPartitions(tx: Tx, { table }: PartitionedTable, kept_from: number): Promise<Partition[]> {
  return (await listPartitions(tx, table)).filter(({ end }) => end <= kept_from)
}

/** Lists the ranges without a partition: of the rows in the default partition, the current one, and the next one. */
async function listMissingRanges(
  tx: Tx,
  now: Date,
  { table, age_column: age }: PartitionedTable,
  days: number,
  needed: readonly number[],
): Promise<TimeRange[]> {
  const width = partitionWidthMs(days)
  const existing: TimeRange[] = await listPartitions(tx, table)
  const misplaced = await tx<{ week: Date }[]>`
    select distinct date_trunc('week', ${sql.identifier(age)}) as week from ${sql.identifier(`${table}_default`)} order by week`
  const missing: TimeRange[] = []
  const rangeOf = (time: number): TimeRange => {
    const { exists, range } = rangeAround(time, width, [...existing, ...missing])
    if (!exists) missing.push(range)
    return range
  }
  for (const { week } of misplaced) rangeOf(week.getTime())
  for (const time of needed) rangeOf(time)
  for (let ahead = 0, time = now.getTime(); ahead <= PARTITIONS_AHEAD; ahead += 1) time = rangeOf(time).end
  return missing
}

/** The width of a partition, in whole weeks. Longer retention makes partitions wider, so that there are never many. */
function partitionWidthMs(days: number): number {
  return Math.max(1, Math.ceil(days / 7 / TARGET_PARTITIONS)) * WEEK_MS
}

/** The existing range that contains a time or, if none does, a new range that fits between the existing ones. */
function rangeAround(time: number, width: number, ranges: readonly TimeRange[]): { exists: boolean; range: TimeRange } {
  const existing = ranges.find(({ start, end }) => start <= time && time < end)
  if (existing) return { exists: true, range: existing }
  const aligned = FIRST_MONDAY_MS + Math.floor((time - FIRST_MONDAY_MS) / width) * width
  const ends_before = ranges.flatMap(({ end }) => (end <= time ? [end] : []))
  const starts_after = ranges.flatMap(({ start }) => (start > time ? [start] : []))
  return {
    exists: false,
    range: { start: Math.max(aligned, ...ends_before), end: Math.min(aligned + width, ...starts_after) },
  }
}

interface Partition extends TimeRange {
  name: string
}

/** Reads the partitions of a table from the catalogue, without the default one. Connections use the time zone UTC. */
async function listPartitions(db: Reader, table: string): Promise<Partition[]> {
  const rows = await db<{ name: string; start: string | null; end: string }[]>`
    select c.relname as name, extract(epoch from bound[1]::timestamptz)::text as start,
      extract(epoch from bound[2]::timestamptz)::text as end
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM [(](?:MINVALUE|''(.+)'')[)] TO [(]''(.+)''[)]') as bound
    where i.inhparent = to_regclass(${table}) and bound is not null`
  return rows.map(({ name, start, end }) => ({
    name,
    start: start === null ? Number.NEGATIVE_INFINITY : Number(start) * 1_000,
    end: Number(end) * 1_000,
  }))
}

/** List the beginnings of the partitions of a table. */
export async function listPartitionStarts(db: Reader, { table }: PartitionedTable): Promise<Date[]> {
  const partitions = await listPartitions(db, table)
  return partitions.flatMap(({ start }) => (Number.isFinite(start) ? [new Date(start)] : []))
}

/** Creates a partition, moves its rows from the default partition, and attaches it. */
async function createPartition(tx: Tx, { table }: PartitionedTable, range: TimeRange): Promise<void> {
  await tx`select create_time_partition(${table}, ${new Date(range.start)}, ${new Date(range.end)})`
}
