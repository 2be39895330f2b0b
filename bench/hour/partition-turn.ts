import { setTimeout as sleep } from 'node:timers/promises'
import { advanceClock } from '../../src/core/clock.ts'
import { partitionedTables } from '../../src/core/partitions.ts'
import { begin, type Database } from '../../src/db/client.ts'
import type { Check } from '../measurements.ts'

/*
 * Rotate partitions while a load runs. In its middle a new week begins, whose partitions get all new rows. At three
 * quarters, the hourly maintenance drops the current week's and creates the next ones. The sandbox's clock is moved for
 * this before the load, while nothing is open. The maintenance then comes by itself; no clock moves under load.
 */

const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** A Monday at midnight UTC, at which partitions begin. */
const A_MONDAY_MS = Date.UTC(1970, 0, 5)
const RETENTION_DAYS = 35
/** Maximum hours to wait. A table in use by another transaction, such as a vacuum, waits for the next maintenance. */
const MAINTENANCE_TRIES = 4
const TIMEOUT_MS = 15_000
const SETTLE_MS = 2_000

/** The settings of the service with which partitions are dropped at the beginning of a week. */
export const RETENTION_SETTINGS = {
  EVENT_RETENTION_DAYS: String(RETENTION_DAYS),
  CALLBACK_RETENTION_DAYS: String(RETENTION_DAYS),
}

/** The partitions of a table by the day on which their week begins, with their rows. */
export type PartitionRows = Map<string, number>

/** The times of the service's clock, in ms, at which something happens to the partitions. */
export interface PartitionTimes {
  /** Time of the first maintenance, an hour before the second one. */
  first_maintenance: number
  /** The beginning of the load. */
  start: number
  /** A new week begins. */
  turn: number
}

/** Choose these times for a load of some minutes. `now` is the time of the rows that are to be dropped. */
export function partitionTimes(now: number, minutes: number): PartitionTimes {
  const end_of_week = A_MONDAY_MS + Math.ceil((now - A_MONDAY_MS) / WEEK_MS) * WEEK_MS
  const turn = end_of_week + RETENTION_DAYS * DAY_MS
  const start = turn - (minutes / 2) * MINUTE_MS
  const first_maintenance = Math.min(start, start + 0.75 * minutes * MINUTE_MS - HOUR_MS)
  return { first_maintenance, start, turn }
}

/** Move the clock to the beginning of the load. Nothing may be open. Returns the rows of all partitions before it. */
export async function moveClockTo(
  db: Database,
  { first_maintenance, start, turn }: PartitionTimes,
): Promise<Map<string, PartitionRows>> {
  for (let left = MAINTENANCE_TRIES - 1; left >= 0; left -= 1) {
    await begin(db, (tx) => advanceClock(tx, new Date(), new Date(first_maintenance - left * HOUR_MS)))
    await waitForPartitions(db, turn)
  }
  const missing = await listTablesWithout(db, turn)
  if (missing.length > 0) throw new Error(`The partitions of the next week were not created: ${missing.join(', ')}.`)
  await begin(db, (tx) => advanceClock(tx, new Date(), new Date(start)))
  return readPartitions(db)
}

/** Wait for the partitions of a week, and then for the end of the maintenance that creates them. */
async function waitForPartitions(db: Database, week: number): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (Date.now() < deadline && (await listTablesWithout(db, week)).length > 0) await sleep(100)
  await sleep(SETTLE_MS)
}

async function listTablesWithout(db: Database, week: number): Promise<string[]> {
  const partitions = await readPartitions(db)
  const day = new Date(week).toISOString().slice(0, 10)
  return partitionedTables.flatMap(({ table }) => (partitions.get(table)?.has(day) ? [] : [table]))
}

/** Read all partitions; `default` has rows without a partition, `earlier` has those before the first whole week. */
export async function readPartitions(db: Database): Promise<Map<string, PartitionRows>> {
  const found = new Map<string, PartitionRows>()
  for (const { table } of partitionedTables) {
    const rows = await db<{ week: string; name: string }[]>`
      select case when bound = 'DEFAULT' then 'default'
          else coalesce(substring(bound from 'FROM [(]''([0-9]{4}-[0-9]{2}-[0-9]{2})'), 'earlier') end as week,
        c.oid::regclass::text as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) as bound
      where i.inhparent = to_regclass(${table})`
    const counts: PartitionRows = new Map()
    for (const { week, name } of rows) {
      const [row] = await db.unsafe<{ count: number }[]>(`select count(*) as count from ${name}`)
      counts.set(week, row!.count)
    }
    found.set(table, counts)
  }
  return found
}

/**
 * Check that every partitioned table of collections has rows of the new week, none without a partition, and has lost
 * earlier ones.
 */
export function checkPartitions(
  before: ReadonlyMap<string, PartitionRows>,
  after: ReadonlyMap<string, PartitionRows>,
  { turn }: PartitionTimes,
): Check {
  const week = new Date(turn).toISOString().slice(0, 10)
  const tables = [...before.keys()].filter((table) => [...before.get(table)!.values()].some((rows) => rows > 0))
  const sum = (numberOf: (table: string) => number) => tables.reduce((total, table) => total + numberOf(table), 0)
  const filled = tables.filter((table) => (after.get(table)?.get(week) ?? 0) > 0)
  const gone = (table: string) => [...before.get(table)!].filter(([name]) => !after.get(table)!.has(name))
  const dropped_rows = sum((table) => gone(table).reduce((total, [, rows]) => total + rows, 0))
  const shed = tables.filter((table) => gone(table).length > 0)
  const kept = tables.filter((table) => !shed.includes(table))
  const misplaced = sum((table) => after.get(table)?.get('default') ?? 0)
  return {
    claim:
      `${filled.length} of ${tables.length} partitioned tables in use have rows of the week that began, ${misplaced} rows are without a partition; ` +
      `${shed.length} tables lost old partitions, with ${dropped_rows.toLocaleString('en')} rows${kept.length > 0 ? `; ${kept.join(', ')} lost none` : ''}`,
    holds: filled.length === tables.length && misplaced === 0 && kept.length === 0 && dropped_rows > 0,
  }
}
