import type { Reader, Tx } from '../db/client.ts'
import type { RowSource } from '../db/rows.ts'
import { type Fragment, sql } from '../db/sql.ts'

/*
 * A row is a job if its table has the columns `due_at` and `leased_until`. A process claims due rows under a lease on
 * the real clock, works on them outside of any transaction, and releases them with the result. If the process is
 * killed, its rows are free when the lease ends.
 */

/** The two clocks of a claim: the service's own, and the real one on which leases run. */
export interface ClaimTimes {
  now: Date
  real: Date
  lease_end: Date
}

/** Table and rows to claim. */
export interface Claim {
  table: string
  /** The column that identifies a row. */
  key?: string
  times: ClaimTimes
  /** Maximum number of rows to claim. */
  limit: number
  /** A further condition on the rows. */
  where?: Fragment
  /** Further columns to change: sql`attempts = attempts + 1`. The table's alias is `t`. */
  set?: Fragment
  /** End of the lease; unless given, the one in `times`. */
  lease_end?: Fragment
  /** Columns to return besides the key. The table's alias is `t`. */
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

/** A claim in turn by the value of a column, such as `organization`. The table has an index (column, due_at). */
type ClaimInTurn = Omit<Claim, 'where'> & { by: string }

/**
 * Claims rows as `claimDue` does, but in turn by a column: a million due rows of one organization do not delay the single row
 * of another. One probe of the index finds each organization with due dates, so the number of rows does not matter.
 * @returns the claimed rows, in the order of their keys
 */
export async function claimInTurn<Row extends object>(tx: Tx, claim: ClaimInTurn): Promise<Row[]> {
  const { times, lease_end = sql`${times.lease_end}` } = claim
  const key = sql.identifier(claim.key ?? 'id')
  const set = claim.set ? sql`, ${claim.set}` : sql.empty
  const locked = { table: claim.table, key: claim.key ?? 'id', condition: isDue(times), returning: sql`t.${key}` }
  const { found, lock } = lockingInTurn(claim, locked)
  return tx<Row[]>`
    with recursive ${found},
    claimed as (
      update ${sql.identifier(claim.table)} t set leased_until = ${lease_end}${set} where ${key} = any(array(${lock}))
      returning ${claim.returning ?? sql`t.${key}`})
    select * from claimed order by ${key}`
}

/**
 * Locks the owners of rows that are due and free, in turn as `claimInTurn` claims rows, for work that ends with this transaction:
 * it needs no lease. Skips owners that another transaction has locked. The caller checks under the locks whether they are due.
 * @param owners the table of the owners, whose `id` the key of a row is
 * @param returning the columns to return; the alias of the owners is `t`
 * @returns the locked owners, in turn
 */
export async function lockInTurn<Row extends object>(
  tx: Tx,
  claim: TurnOf,
  owners: string,
  returning: Fragment,
): Promise<Row[]> {
  const { found, lock } = lockingInTurn(claim, { table: owners, key: 'id', condition: sql.always, returning })
  return tx<Row[]>`with recursive ${found} ${lock}`
}

type TurnOf = Pick<ClaimInTurn, 'table' | 'key' | 'by' | 'limit'> & { times: Pick<ClaimTimes, 'now' | 'real'> }

/** The rows to lock, whose alias is `t`. */
interface RowsToLock {
  table: string
  key: string
  condition: Fragment
  returning: Fragment
}

/** Finds due rows in turn, and the statement that locks the first of them, or their owners. */
function lockingInTurn(claim: TurnOf, locked: RowsToLock): { found: Fragment; lock: Fragment } {
  const { times, limit, by } = claim
  const table = sql.identifier(claim.table)
  const key = sql.identifier(claim.key ?? 'id')
  const is_due = isDue(times)
  return {
    found: sql`
      ${queuesOf(claim.table, by)},
      found as (
        select d.key, d.due_at, row_number() over (partition by q.queue order by d.due_at, d.key) as turn
        from queues q cross join lateral (
          select ${key} as key, due_at from ${table} where ${sql.identifier(by)} = q.queue and ${is_due}
          order by due_at limit ${limit * CANDIDATES}) d)`,
    lock: sql`
      select ${locked.returning} from unnest(array(
        select key from found order by turn, due_at, key limit ${limit * CANDIDATES})) with ordinality c(key, place)
      join ${sql.identifier(locked.table)} t on t.${sql.identifier(locked.key)} = c.key
      where ${locked.condition} order by c.place limit ${limit} for update of t skip locked`,
  }
}

/** Leases rows that this process does not work on, so that they are not claimed again before this. */
export async function leaseRows(
  tx: Tx,
  { table, key }: { table: string; key: string },
  ids: readonly number[],
  lease_end: Date,
): Promise<void> {
  await tx`
    update ${sql.identifier(table)} set leased_until = ${lease_end}
    where ${sql.identifier(key)} = any(${ids}::bigint[])`
}

/** Renews leases that have not ended. Rows that another transaction has locked keep theirs: it ends or renews them itself. */
export async function renewLeases(
  tx: Tx,
  table: string,
  ids: readonly number[],
  { real, lease_end }: Pick<ClaimTimes, 'real' | 'lease_end'>,
): Promise<void> {
  await tx`
    update ${sql.identifier(table)} set leased_until = ${lease_end} where id = any(array(
      select id from ${sql.identifier(table)} where id = any(${ids}::bigint[]) and leased_until > ${real}
      order by id for update skip locked))`
}

/** Candidates per claimed row, because other processes may be claiming the first ones. */
const CANDIDATES = 4

/** Finds the time when the next unclaimed row is due, in a table with an index (`by`, due_at); null for none. */
export async function findNextInTurn(db: Reader, table: string, by: string, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    with recursive ${queuesOf(table, by)}
    select min(d.due_at) as due_at from queues q cross join lateral (
      select due_at from ${sql.identifier(table)}
      where ${sql.identifier(by)} = q.queue and due_at is not null and ${isFree(real)} order by due_at limit 1) d`
  return row?.due_at ?? null
}

/** The values of a column among the rows that have a due date, each found by one probe of the index. */
function queuesOf(table: string, by: string): Fragment {
  const from = sql.identifier(table)
  const column = sql.identifier(`t.${by}`)
  return sql`
    queues as (
      (select ${column} as queue from ${from} t where t.due_at is not null order by ${column} limit 1)
      union all
      select f.queue from queues q cross join lateral (
        select ${column} as queue from ${from} t where ${column} > q.queue and t.due_at is not null
        order by ${column} limit 1) f)`
}

/** Finds the time when the next unclaimed row of a table is due; null for none. `where` further limits the rows. */
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

/** The condition that a row is due and free. */
export function isDue({ now, real }: Pick<ClaimTimes, 'now' | 'real'>): Fragment {
  return sql`due_at <= ${now} and ${isFree(real)}`
}

/** The condition that no process has claimed a row, or that its lease is over. */
export function isFree(real: Date): Fragment {
  return sql`(leased_until is null or leased_until <= ${real})`
}

/** SQL: condition on SMS without a due date, which the process that stored them sends at once (src/core/sms/direct.ts). */
export const IS_SENT_AT_ONCE = sql`state = 'waiting' and due_at is null`

/**
 * Ends the leases of rows and stores the results.
 * @param results one row for each key, with the columns to write; `due_at` says when the row is due again, null for never
 * @param key the columns that find the row: its key, and its organization where the rows have it (docs/scale.md)
 */
export function releaseLeases(tx: Tx, table: string, results: RowSource, key: readonly string[] = ['id']): void {
  const same = key.map((column) => sql`t.${sql.identifier(column)} = r.${sql.identifier(column)}`)
  tx.send`
    update ${sql.identifier(table)} t set leased_until = null, ${results.assignments('r', ...key)}
    from ${results.as('r')} where ${sql.join(same, ' and ')}`
}
