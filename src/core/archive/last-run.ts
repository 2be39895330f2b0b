import type { Reader, Tx } from '../../db/client.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { readFlag, setFlag } from '../flags.ts'

/** Records that everything that was old enough is in the archive and has left the database. */
export async function recordArchiveRun(tx: Tx, at: Date): Promise<void> {
  await setFlag(tx, 'last_archive', formatTimestamp(at))
}

/** When `kusanya archive` last came to its end; null when it never has. */
export async function readLastArchiveRun(db: Reader): Promise<Date | null> {
  const text = await readFlag(db, 'last_archive')
  return text === null ? null : new Date(text)
}
