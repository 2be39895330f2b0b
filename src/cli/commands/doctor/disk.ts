import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { App } from '../../../app.ts'
import { type LastBackup, readLastBackup } from '../../../core/last-backup.ts'
import type { Reader } from '../../../db/client.ts'
import { type DiskSpace, describeSpace, type ReadDisk, readSpace } from '../../../lib/disk-space.ts'
import { error, type Finding, note, warning } from './check.ts'

type Parts = Pick<App, 'db' | 'disk' | 'clock' | 'config'>

/** Check the disks of the data and of the backups. @param read reads the size of a disk. Default: from the system */
export async function checkDisks({ db, disk }: Pick<Parts, 'db' | 'disk'>, read?: ReadDisk): Promise<Finding[]> {
  const space = disk && (await disk.look())
  const backup = await readLastBackup(db)
  const backup_space = backup && (await readSpace(backup.folder, read))
  return [
    ...(space
      ? describeDisk(space)
      : [note('The disk of the database cannot be seen from here: watch it on its machine.')]),
    ...(backup_space ? describeDisk(backup_space) : []),
  ]
}

function describeDisk(space: DiskSpace): Finding[] {
  const text = describeSpace(space)
  if (text === null) return []
  const what_to_do = 'Make room on this disk, or give it a larger one. Of backups delete the oldest.'
  return [space.level === 'low' ? warning(text, what_to_do) : error(text, what_to_do)]
}

/** A daily backup and two hours for making it. */
const MAX_AGE_HOURS = 26

/** The age of the newest backup, and whether a PostgreSQL of one's own archives its log. */
export async function checkBackups({ db, clock, config }: Pick<Parts, 'db' | 'clock' | 'config'>): Promise<Finding[]> {
  const backup = await readLastBackup(db)
  const is_live = config.MODE === 'live'
  if (config.DATABASE_URL)
    return [...(backup ? checkAge(backup, clock.real()) : []), ...(await checkArchiver(db, is_live))]
  if (backup) return checkAge(backup, clock.real())
  if (!is_live) return []
  return [
    error(
      'There is no backup: what is on this disk is lost with it.',
      'Run `npx kusanya backup <folder on another disk> --check` now, and then every hour by a timer (docs/operating/backup.md).',
    ),
  ]
}

function checkAge({ at, folder }: LastBackup, now: Date): Finding[] {
  const hours = Math.floor((now.getTime() - at.getTime()) / 3_600_000)
  if (hours >= MAX_AGE_HOURS)
    return [
      error(
        `The last backup is ${hours} hours old (${folder}).`,
        'Look why the timer of `npx kusanya backup` failed, and make a backup now: `npx kusanya backup <new folder> --check`.',
      ),
    ]
  // If its parent is missing as well, the backup was made on another machine, or the disk is not mounted now.
  if (!existsSync(folder) && existsSync(dirname(folder)))
    return [
      warning(
        `The last backup, of ${at.toISOString()}, is no longer at ${folder}.`,
        'Check that it was kept elsewhere.',
      ),
    ]
  return []
}

async function checkArchiver(db: Reader, is_live: boolean): Promise<Finding[]> {
  const [row] = await db<{ mode: string; archived: Date | null; failed: Date | null; file: string | null }[]>`
    select current_setting('archive_mode') as mode, last_archived_time as archived, last_failed_time as failed,
      last_failed_wal as file
    from pg_stat_archiver`
  return judgeArchiver(row!, is_live)
}

/** Judge the state of pg_stat_archiver and archive_mode. */
export function judgeArchiver(
  { mode, archived, failed, file }: { mode: string; archived: Date | null; failed: Date | null; file: string | null },
  is_live: boolean,
): Finding[] {
  if (mode === 'off')
    return is_live
      ? [
          warning(
            'PostgreSQL does not archive its log (archive_mode is off), so that what happened after the last copy is lost with its disk.',
            'Set up pgBackRest or the like (docs/operating/backup.md), unless your host makes the backups.',
          ),
        ]
      : []
  if (!failed || (archived && archived > failed)) return []
  return [
    error(
      `PostgreSQL cannot archive its log since ${failed.toISOString()} (${file}). What happens from then on is in no backup, and its disk fills up.`,
      'Look into the log of PostgreSQL for what archive_command said, and repair it: `pgbackrest check`.',
    ),
  ]
}
