import type { Reader, Tx } from './client.ts'
import { type Fragment, sql } from './sql.ts'

/*
 * Ids are drawn in one order, and committed in another. Before a transaction draws ids of these sequences, it takes an advisory
 * lock whose key contains the last id before them. The lock is shared, so no transaction waits for it. It shows readers where a
 * transaction may still write rows (docs/decisions/0004).
 */

/** Sequences whose open transactions are known, and where the keys of their locks start. All ids are smaller. */
const sequences = {
  events: { name: 'events_id_seq', first_key: 2n ** 62n },
  collection_requests: { name: 'collection_requests_id_seq', first_key: 2n ** 61n },
  sms_messages: { name: 'sms_messages_id_seq', first_key: 2n ** 60n },
} as const
/** A table whose ids come from such a sequence. */
export type DrawnTable = keyof typeof sequences

/** The end of a sequence: the newest id drawn, and the newest id up to which no transaction can still write a row. */
export interface DrawnIds {
  newest: number
  committed: number
}

/** Draws rising ids for rows that the transaction may insert. */
export async function drawIds(tx: Tx, table: DrawnTable, count: number): Promise<number[]> {
  if (count === 0) return []
  const drawn = await tx<{ id: number }[]>`
    ${withDrawLock(table)} select nextval(${sequences[table].name}) as id from locked, generate_series(1, ${count})`
  return drawn.map(({ id }) => id)
}

/** SQL: `with` the lock as `locked`. A statement that draws ids for rows of `locked` takes the lock before the first id. */
export function withDrawLock(table: DrawnTable): Fragment {
  const { name, first_key } = sequences[table]
  return sql`
    with locked as materialized (
      select pg_advisory_xact_lock_shared(${String(first_key)}::bigint + ${lastDrawnId()}) from ${sql.identifier(name)})`
}

/**
 * SQL: selects the end of a sequence, as `newest` and `committed`. Read it before the rows, in a statement of its own: only a
 * later statement is sure to see every row up to `committed`.
 */
export function selectDrawnIds(table: DrawnTable): Fragment {
  const { name, first_key } = sequences[table]
  const first = sql`${String(first_key)}::bigint`
  // The locks are read after the newest id. A transaction that draws an id after that draws a larger one.
  return sql`
    select newest.id as newest, coalesce((
      select min(lock.key) - ${first} from (
        select classid::bigint << 32 | objid::bigint as key from pg_locks
        where locktype = 'advisory' and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())) lock
      where lock.key >= ${first} and lock.key < ${first} + newest.id), newest.id) as committed
    from (select ${lastDrawnId()} as id from ${sql.identifier(name)}) newest`
}

/** Reads the end of a sequence (see `selectDrawnIds`). It decreases only if the database was emptied or restored. */
export async function readDrawnIds(db: Reader, table: DrawnTable): Promise<DrawnIds> {
  const [row] = await db<DrawnIds[]>`${selectDrawnIds(table)}`
  return row!
}

/** SQL: the last id that a sequence has given, or 0. Before its first id a sequence shows that first id as its last. */
export function lastDrawnId(): Fragment {
  return sql`case when is_called then last_value else 0 end`
}
