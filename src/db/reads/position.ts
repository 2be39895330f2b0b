import { createBatcher } from '../../lib/batches/batch.ts'
import { begin, type Database } from '../client.ts'
import { sql } from '../sql.ts'
import { column, insert, table } from '../table.ts'

/** Position that a replica must have reached for a read: everything committed when the primary was asked. */
export interface Position {
  /** A place in the log of PostgreSQL, in bytes. */
  wal: bigint
  /** Mark by which the primary is known (`primary_marks`). */
  mark: string
}

/** State of a replica in its own words. */
export interface ReplicaState {
  in_recovery: boolean
  position: string | null
  mark: string | null
}

/**
 * Verdict about reading a replica: `current` if it has everything up to the position. `not_a_replica`: it writes by
 * itself, or did not start as a replica. `other_data`: it follows a former primary, or another one.
 */
export type Verdict = 'current' | 'behind' | 'not_a_replica' | 'other_data'

/** Compares a replica with the primary. */
export function judge(wanted: Position, found: ReplicaState): Verdict {
  if (!found.in_recovery || found.position === null) return 'not_a_replica'
  if (parsePosition(found.position) < wanted.wal) return 'behind'
  return found.mark === wanted.mark ? 'current' : 'other_data'
}

/** Reads a position as PostgreSQL writes it, such as `16/B374D848`. */
export function parsePosition(text: string): bigint {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Asks a replica for its state. A read that begins after the answer sees at least this position. */
export const STATE_OF_REPLICA = sql`
  select pg_is_in_recovery() as in_recovery,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position,
    (select mark::text from primary_marks where id = 1) as mark`

/** Age after which a mark is replaced, so that a copy of the data that was restored elsewhere has another one. */
const MARK_SECONDS = 60

/**
 * Creates the function that asks the primary for its position. Callers at the same time share one question, which
 * begins after their calls. Without an answer, and until the primary has a mark of its timeline, there is no position
 * (undefined).
 *
 * The flushed position covers every commit that anyone has seen: PostgreSQL shows a commit to others after it has
 * flushed it. (Only the claims of deliveries commit without waiting for the disk. No page shows them.)
 */
export function createPositionSource(primary: Database): () => Promise<Position | undefined> {
  let _marking: Promise<void> | undefined
  const renewMark = () => {
    _marking ??= writeMark(primary)
      // Without a mark nothing is read from the replica; the next read tries again.
      .catch(() => {})
      .finally(() => {
        _marking = undefined
      })
  }
  const ask = createBatcher<void, Position | undefined>({
    concurrency: 1,
    max_items: 10_000,
    mayRetry: () => false,
    async flush(callers) {
      const found = await readMark(primary)
      if (found.is_due) renewMark()
      const position = found.is_known ? { wal: parsePosition(found.position), mark: found.mark! } : undefined
      return callers.map(() => ({ ok: true, value: position }))
    },
  })
  return () => ask().catch(() => undefined)
}

interface MarkedPosition {
  position: string
  mark: string | null
  /** True if the mark was written on the present timeline. */
  is_known: boolean
  is_due: boolean
}

async function readMark(primary: Database): Promise<MarkedPosition> {
  const [row] = await primary<MarkedPosition[]>`
    select pg_current_wal_flush_lsn()::text as position, m.mark::text as mark,
      coalesce(m.timeline = ${CURRENT_TIMELINE}, false) as is_known,
      coalesce(m.timeline <> ${CURRENT_TIMELINE} or m.written < now() - make_interval(secs => ${MARK_SECONDS}), true) as is_due
    from (values (1)) as one (id) left join primary_marks m on m.id = one.id`
  return row!
}

const markTable = table('primary_marks', {
  id: column.integer().key(),
  timeline: column.text(),
  mark: column.uuid(),
  written: column.timestamptz(),
})

/** Writes a new mark, unless another process was faster. */
async function writeMark(primary: Database): Promise<void> {
  await begin(
    primary,
    (tx) => tx`
    ${insert(markTable.as('m'), [{ id: 1 }], {
      timeline: CURRENT_TIMELINE,
      mark: sql`gen_random_uuid()`,
      written: sql`now()`,
    })}
    ${markTable.replace(['timeline', 'mark', 'written'])}
    where m.timeline <> excluded.timeline or m.written < now() - make_interval(secs => ${MARK_SECONDS})`,
  )
}

/** A failover begins a new timeline. Positions of different timelines cannot be compared. */
const CURRENT_TIMELINE = sql`left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)`
