import type { Tx } from '../../db/client.ts'
import { filterCandidates } from './candidates.ts'
import { type RemovalPiece, type Segment, takeTurns } from './segments.ts'
import { digestSubjects, readSubjects } from './subjects.ts'

/**
 * Removes the entries of a segment of the audit log, all of them or none, and leaves an anchor from which the chain goes on. Its
 * files must have been verified. The function of the database refuses everything that is not the oldest stretch of the log.
 * @param before when an entry was made since then (the retention was made longer), all stay
 */
export async function removeStretch(tx: Tx, now: Date, segment: Segment, before: Date): Promise<RemovalPiece> {
  await takeTurns(tx)
  const { sequence } = segment
  const pending = await tx<{ subject: number; digest: string }[]>`
    select subject, digest from archive_pending where segment = ${sequence}`
  const ids = pending.map(({ subject }) => subject)
  const old = await filterCandidates(tx, 'audit', before, ids)
  const digests = digestSubjects(await readSubjects(tx, 'audit', ids))
  const is_same = pending.every(({ subject, digest }) => old.has(subject) && digests.get(subject) === digest)
  if (is_same)
    await tx`
      select remove_archived_audit_entries(${sequence}::bigint,
        (select max(position) from audit_chain where entry = any(${ids}::bigint[])))`
  await tx`delete from archive_pending where segment = ${sequence}`
  await tx`update archive_segments set removed = ${now} where sequence = ${sequence}`
  return { removed: is_same ? ids.length : 0, changed: is_same ? 0 : ids.length, is_last: true }
}
