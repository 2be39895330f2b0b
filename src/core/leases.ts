import type { Reader, Tx } from '../db/client.ts'
import type { RowSource } from '../db/rows.ts'
import { type Fragment, sql } from '../db/sql.ts'

/*
 * A row is a job where its table has the columns `due_at` and `leased_until`. A process claims the rows that are due under
 * a lease on the real clock, works on them outside of any transaction, and releases them with the result. Rows that a
 * killed process had claimed are free when their lease ends.
 */

/** The two clocks of a claim: the service's own, and the real one on which leases run. */
export interface ClaimTimes {
  now: Date
  real: Date
  lease_end: Date
}

/** Which rows of which table are claimed. */
export interface Claim {
  table: string
  /** The column that identifies a row. */
  key?: string
  times: ClaimTimes
  /** At most this many rows are claimed. */
  limit: number
  /** A further condition on the rows. */
  where?: Fragment
  /** Further columns to change: sql`attempts = attempts + 1`. The table's alias is `t`. */
  set?: Fragment
  /** The end of the lease, where it is not that of `times`. */
  lease_end?: Fragment
  /** What to return of each row, with its key; only the key unless given. The table's alias is `t`. */
  returning?: Fragment
}

/**
 * Claims rows that are due and free, oldest due date first. Skips rows that another transaction claims at the same
 * time, so that no process waits for another.
 * @returns the claimed rows, in the order of their keys
 */
export async function claimDue<Row extends object>(tx: Tx, claim: Claim): Promise<Row[]> {
  const { times, limit, where = sql.always, lease_end = sql`${times.lease_end}` } = claim
  const table = sql.identifier(claim.table)
  const key = sql.identifier(claim.key ?? 'id')
  const set = claim.set ? sql`, ${claim.set}` : sql.empty
  return tx<Row[]>`
    with claimed as (
      update ${table} t set leased_until = ${lease_end}${set}
      where ${key} = any(array(
        select ${key} from ${table}
        where due_at <= ${times.now} and ${isFree(times.real)} and ${where}
        order by due_at limit ${limit} for update skip locked))
      returning ${claim.returning ?? sql`t.${key}`})
    select * from claimed order by ${key}`
}

/** When the next row of a table is due that no process has claimed, or null. `where` is a further condition on the rows. */
export async function findNextDue(
  db: Reader,
  table: string,
  real: Date,
  where: Fragment = sql.always,
): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from ${sql.identifier(table)}
    where due_at is not null and ${isFree(real)} and ${where}`
  return row?.due_at ?? null
}

/** The condition that no process has claimed a row, or that its lease is over. */
export function isFree(real: Date): Fragment {
  return sql`(leased_until is null or leased_until <= ${real})`
}

/**
 * Ends the leases of rows and stores the results.
 * @param results one row for each key, with the columns to write; `due_at` says when the row is due again, null for never
 */
export async function releaseLeases(tx: Tx, table: string, results: RowSource, key = 'id'): Promise<void> {
  await tx`
    update ${sql.identifier(table)} t set leased_until = null, ${results.assignments('r', key)}
    from ${results.as('r')} where t.${sql.identifier(key)} = r.${sql.identifier(key)}`
}
