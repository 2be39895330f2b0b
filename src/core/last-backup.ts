import { z } from 'zod'
import type { Reader, Tx } from '../db/client.ts'
import { timestamp } from './fields.ts'
import { readFlag, setFlag } from './flags.ts'

/** The last backup that `kusanya backup` has made of this database. */
const LastBackup = z.object({ at: timestamp, folder: z.string() })
export type LastBackup = z.output<typeof LastBackup>

/** Records a complete backup. @param backup.folder its folder, on the machine that has made it */
export async function recordBackup(tx: Tx, backup: LastBackup): Promise<void> {
  await setFlag(tx, 'last_backup', JSON.stringify(z.encode(LastBackup, backup)))
}

/** The last backup; null when `kusanya backup` has made none. */
export async function readLastBackup(db: Reader): Promise<LastBackup | null> {
  const text = await readFlag(db, 'last_backup')
  return text === null ? null : z.decode(LastBackup, JSON.parse(text))
}
