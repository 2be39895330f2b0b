import type { Reader, Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const WEEK_MS = 7 * DAY_MS
/** A Monday, on which all partitions are aligned. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5)
/** How many partitions are kept ready beside that of the present. */
const PARTITIONS_AHEAD = 1
/** Over how many partitions what is kept is spread: each adds to the time that every statement takes to be planned. */
const TARGET_PARTITIONS = 8

/** A table whose rows leave by age, and the column that says how old a row is. */
export interface PartitionedTable {
  table: string
  age_column: string
}

/** Every table from which old data leaves by dropping partitions (docs/decisions/0009). */
export const partitionedTables: readonly PartitionedTable[] = [
  { table: 'events', age_column: 'created' },
  { table: 'webhook_deliveries_ended', age_column: 'ended' },
  { table: 'webhook_attempts', age_column: 'recorded' },
]

/** The time that a partition is for: from its start up to its end, which belongs to the next. In milliseconds. */
interface TimeRange {
  start: number
  end: number
}

/**
 * Makes the partitions that a table needs now and next, and drops those of which every row is older than `days`. What lay in
 * the default partition because its own was missing, after a leap of the clock, moves over. One process at a time does it;
 * it needs the table for itself for a moment, and gives up soon rather than let everybody wait behind it.
 * @throws an error of code 55P03 (see `isBusy`) when somebody else uses the table for too long: try again later.
 */
export async function maintainPartitions(tx: Tx, now: Date, family: PartitionedTable, days: number): Promise<void> {
  // Two that have both looked would stand in each other's way.
  const [turn] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${MAINTENANCE_LOCK}) as mine`
  if (!turn!.mine) return
  const kept_from = now.getTime() - days * DAY_MS
  const isAtRest = async () =>
    (await listMissingRanges(tx, now, family, days)).length === 0 &&
    (await listExpiredPartitions(tx, family, kept_from)).length === 0
  if (await isAtRest()) return
  await tx.unsafe(`set local lock_timeout = ${MAX_LOCK_WAIT_MS}`)
  await tx`lock table ${sql.identifier(family.table)} in access exclusive mode`
  // More may have come to lie in the default partition meanwhile.
  for (const span of await listMissingRanges(tx, now, family, days)) await createPartition(tx, family, span)
  for (const { name } of await listExpiredPartitions(tx, family, kept_from))
    await tx`drop table ${sql.identifier(name)}`
}

/** Any number that names no other lock of ours. */
const MAINTENANCE_LOCK = 7_305_118_821
const MAX_LOCK_WAIT_MS = 500

/** Whether `keepPartitions` gave up because the table was in use. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

async function listExpiredPartitions(tx: Tx, { table }: PartitionedTable, kept_from: number): Promise<Partition[]> {
  return (await listPartitions(tx, table)).filter(({ end }) => end <= kept_from)
}

/** The partitions to make: for what is in the default one, for the present, and for what comes next. */
async function listMissingRanges(
  tx: Tx,
  now: Date,
  { table, age_column: age }: PartitionedTable,
  days: number,
): Promise<TimeRange[]> {
  const width = partitionWidthMs(days)
  const spans: TimeRange[] = await listPartitions(tx, table)
  const misplaced = await tx<{ moment: Date }[]>`
    select distinct date_trunc('week', ${sql.identifier(age)}) as moment from ${sql.identifier(`${table}_default`)} order by moment`
  const missing: TimeRange[] = []
  const spanOf = (moment: number): TimeRange => {
    const { found, span } = rangeAround(moment, width, [...spans, ...missing])
    if (!found) missing.push(span)
    return span
  }
  for (const { moment } of misplaced) spanOf(moment.getTime())
  for (let ahead = 0, moment = now.getTime(); ahead <= PARTITIONS_AHEAD; ahead += 1) moment = spanOf(moment).end
  return missing
}

/** Whole weeks; more of them where more is kept, so that there are never many partitions. */
function partitionWidthMs(days: number): number {
  return Math.max(1, Math.ceil(days / 7 / TARGET_PARTITIONS)) * WEEK_MS
}

/** The partition that holds a moment or, where none is found, the one to make: no wider than the gap that it fills. */
function rangeAround(moment: number, width: number, spans: readonly TimeRange[]): { found: boolean; span: TimeRange } {
  const there = spans.find(({ start, end }) => start <= moment && moment < end)
  if (there) return { found: true, span: there }
  const aligned = FIRST_MONDAY_MS + Math.floor((moment - FIRST_MONDAY_MS) / width) * width
  const before = spans.flatMap(({ end }) => (end <= moment ? [end] : []))
  const after = spans.flatMap(({ start }) => (start > moment ? [start] : []))
  return { found: false, span: { start: Math.max(aligned, ...before), end: Math.min(aligned + width, ...after) } }
}

interface Partition extends TimeRange {
  name: string
}

/** The partitions of a table as the catalogue knows them, without the default one. Connections have UTC as their time zone. */
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

/** Makes a table, lets what belongs there move over from the default partition, and attaches it. */
async function createPartition(tx: Tx, { table, age_column: age }: PartitionedTable, span: TimeRange): Promise<void> {
  const start = new Date(span.start).toISOString()
  const end = new Date(span.end).toISOString()
  const name = `${table}_${start.slice(0, 10).replaceAll('-', '')}`
  // What was read last lies at the end of the newest partition: its statistics must not lag far behind.
  await tx`
    create table ${sql.identifier(name)} (like ${sql.identifier(table)} including defaults including constraints)
    with (autovacuum_analyze_scale_factor = 0.02)`
  await tx`
    with moved as (
      delete from ${sql.identifier(`${table}_default`)} where ${sql.identifier(age)} >= ${start} and ${sql.identifier(age)} < ${end} returning *
    )
    insert into ${sql.identifier(name)} select * from moved`
  // Definitions take no parameters; these two are dates that were written just above.
  await tx.unsafe(`alter table ${table} attach partition ${name} for values from ('${start}') to ('${end}')`)
}
