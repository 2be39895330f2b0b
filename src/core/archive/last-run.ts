import type { Reader, Tx } from '../../db/client.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { readFlag, setFlag } from '../flags.ts'

/** Records that everything that was old enough is in the archive and has left the database. */
export async function recordArchiveRun(tx: Tx, at: Date): Promise<void> {
  await setFlag(tx, 'last_archive', formatTimestamp(at))
}

/** Reads the time when `kusanya archive` last came to its end; null when it never has. */
export async function readLastArchiveRun(db: Reader): Promise<Date | null> {
  return readTime(db, 'last_archive')
}

/** Records that a run has looked at all requests that were made before this. Those that stay need not be looked at again. */
export async function recordRequestsArchived(tx: Tx, until: Date): Promise<void> {
  await setFlag(tx, 'requests_archived_until', formatTimestamp(until))
}

/** Reads the time up to which a run has looked at all requests; null when none has. */
export async function readRequestsArchivedUntil(db: Reader): Promise<Date | null> {
  return readTime(db, 'requests_archived_until')
}

/** Records that a run has looked at all orders up to this id. The answers that stay need not be looked at again. */
export async function recordOrdersArchived(tx: Tx, until: number): Promise<void> {
  await setFlag(tx, 'orders_archived_until', String(until))
}

/** Reads the id up to which a run has looked at all orders; 0 when none has. */
export async function readOrdersArchivedUntil(db: Reader): Promise<number> {
  return Number((await readFlag(db, 'orders_archived_until')) ?? 0)
}

async function readTime(db: Reader, flag: 'last_archive' | 'requests_archived_until'): Promise<Date | null> {
  const text = await readFlag(db, flag)
  return text === null ? null : new Date(text)
}
