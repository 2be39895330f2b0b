import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { Refusal } from '../refusals.ts'
import type { ArchiveKind } from './kinds.ts'

/** A part of the archive: some subjects of one kind, in one folder of files. */
export interface Segment {
  /** Number of the segment. Segments follow each other without a gap. */
  sequence: number
  kind: ArchiveKind
  /** The SHA-256 of its manifest in hex. */
  manifest_sha256: string
  /** Number of its requests, orders, SMS or entries of the audit log. */
  subjects: number
  /** Number of its rows of all tables. */
  row_count: number
  /** The size of its files. */
  bytes: number
  first_id: number
  last_id: number
  /** Times of its oldest and its newest subject. */
  oldest: Date
  newest: Date
  written: Date
  /** Time when the last of its rows had left the database; null while some are still to be removed. */
  removed: Date | null
}

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
  const r = rows([segment], {
    sequence: 'bigint',
    kind: 'text',
    manifest_sha256: 'text',
    subjects: 'integer',
    row_count: 'integer',
    bytes: 'bigint',
    first_id: 'bigint',
    last_id: 'bigint',
    oldest: 'timestamptz',
    newest: 'timestamptz',
    written: 'timestamptz',
  })
  await tx`insert into archive_segments (${r.columns}) select ${r.columns} from ${r.as('r')}`
  const pending = rows([...digests], {
    subject: ['bigint', ([subject]) => subject],
    digest: ['text', ([, digest]) => digest],
  })
  await tx`
    insert into archive_pending (segment, ${pending.columns})
    select ${segment.sequence}, ${pending.columns} from ${pending.as('p')}`
}

/** Waits until no other process writes to the archive or removes rows, and keeps others waiting until the commit. */
export async function takeTurns(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${ARCHIVE_LOCK})`
}

/** Key of the advisory lock. No other lock uses this number: 7_305_118_822 locks the audit log's chain. */
const ARCHIVE_LOCK = 7_305_118_825
