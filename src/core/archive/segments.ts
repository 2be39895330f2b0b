import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { Refusal } from '../refusals.ts'
import type { ArchiveKind } from './kinds.ts'

/** A part of the archive: some subjects of one kind, in one folder of files. */
const segmentTable = table('archive_segments', {
  /** Number of the segment. Segments follow each other without a gap. */
  sequence: column.bigint().key(),
  kind: column.text<ArchiveKind>(),
  /** The SHA-256 of its manifest in hex. */
  manifest_sha256: column.text(),
  /** Number of its requests, orders, SMS or entries of the audit log. */
  subjects: column.integer(),
  /** Number of its rows of all tables. */
  row_count: column.integer(),
  /** The size of its files. */
  bytes: column.bigint(),
  first_id: column.bigint(),
  last_id: column.bigint(),
  /** Times of its oldest and its newest subject. */
  oldest: column.timestamptz(),
  newest: column.timestamptz(),
  written: column.timestamptz(),
  /** Time when the last of its rows had left the database; null while some are still to be removed. */
  removed: column.timestamptz().later(),
})
export type Segment = Row<typeof segmentTable>

const pendingTable = table('archive_pending', {
  segment: column.bigint().key(),
  subject: column.bigint().key(),
  digest: column.text(),
})

/** Result of one piece of a removal. */
export interface RemovalPiece {
  /** Number of subjects that have left, or kept only the rows that the books rest on. */
  removed: number
  /**
   * Number of subjects that have changed since they were written. They stay whole, and a later segment has their later
   * state.
   */
  changed: number
  /** True if nothing of this segment is left to be removed. */
  is_last: boolean
}

/** Another process has written a segment in the meantime. */
export class ArchiveBusy extends Refusal {
  constructor() {
    super('Another process writes to the archive. Nothing was removed because of this one.')
  }
}

/** All segments in order, or those that may have this subject. */
export function listSegments(db: Reader, subject?: { kind: ArchiveKind; id: number }): Promise<Segment[]> {
  if (!subject) return db<Segment[]>`select * from archive_segments order by sequence`
  return db<Segment[]>`
    select * from archive_segments
    where kind = ${subject.kind} and ${subject.id} between first_id and last_id order by sequence`
}

/** The newest segment; undefined when there is none. */
export async function findLastSegment(db: Reader): Promise<Segment | undefined> {
  const [last] = await db<Segment[]>`select * from archive_segments order by sequence desc limit 1`
  return last
}

/** The segments with rows that are still to be removed. */
export function listUnfinished(db: Reader): Promise<Segment[]> {
  return db<Segment[]>`select * from archive_segments where removed is null order by sequence`
}

/**
 * Records a segment whose files are on disk, and the rows to remove because of it.
 * @param digests digests of the rows that were written, by subject
 * @throws ArchiveBusy if its number is not the next one
 */
export async function registerSegment(
  tx: Tx,
  segment: Omit<Segment, 'removed'>,
  digests: ReadonlyMap<number, string>,
): Promise<void> {
  await takeTurns(tx)
  const last = (await findLastSegment(tx))?.sequence ?? 0
  if (segment.sequence !== last + 1) throw new ArchiveBusy()
  await tx`${insert(segmentTable, [segment], {})}`
  await tx`${insert(pendingTable, [...digests], {
    segment: segment.sequence,
    subject: ([subject]) => subject,
    digest: ([, digest]) => digest,
  })}`
}

/** Waits until no other process writes to the archive or removes rows, and keeps others waiting until the commit. */
export async function takeTurns(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${ARCHIVE_LOCK})`
}

/** Key of the advisory lock. No other lock uses this number: 7_305_118_822 locks the audit log's chain. */
const ARCHIVE_LOCK = 7_305_118_825
