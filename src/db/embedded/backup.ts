import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Database, Reserved } from '../client.ts'
import {
  type BackupFile,
  copyFile,
  forEachFile,
  type Manifest,
  syncFolder,
  UnusableBackup,
  writeBackupFile,
  writeManifest,
} from './backup-files.ts'
import type { DatabaseFolder } from './folder.ts'
import { removeFolder, withEnding } from './interruption.ts'

/** Options of a backup besides the database. */
export interface BackupOptions extends Pick<Manifest, 'version' | 'mode' | 'secret_key'> {
  home: DatabaseFolder
  /** The database as its owner, who may begin a backup. */
  owner: Database
  /** The folder of the backup. It must not exist. */
  target: string
  /** Files outside of the database that belong to it, by their names. Those that do not exist are left out. */
  others: Record<string, string>
  now(): Date
}

/** Folders of PostgreSQL that a start fills again, so that only the folders are needed. */
const EMPTY_FOLDERS = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
])

/** Files that belong to the running server and not to the data. */
function isLeftOut(path: string): boolean {
  const parts = path.split('/')
  if (parts.some((part) => part.startsWith('pg_internal.init') || part.startsWith('pgsql_tmp'))) return true
  return /^(postmaster\.(pid|opts)|(backup_label|tablespace_map)(\.old)?)$/.test(parts.at(-1)!) || path.endsWith('.tmp')
}

/** File that must be copied last, as in `pg_basebackup`. */
const CONTROL_FILE = 'global/pg_control'

/**
 * Copies the embedded PostgreSQL while it runs, with the log of the changes meanwhile: a start of the copy has
 * everything that was committed until the end. The folder gets its name when it is complete and on the disk. Source:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 * @throws UnusableBackup if the target exists, or its disk has too little room
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const target = resolve(options.target)
  if (existsSync(target)) throw new UnusableBackup(`${target} exists already: name a new folder.`)
  await mkdir(dirname(target), { recursive: true })
  await requireRoom((await sizeOf(options.home.cluster)) * 1.1, dirname(target))
  const unfinished = `${target}-unfinished-${randomBytes(4).toString('hex')}`
  const session = await options.owner.reserve('backup')
  try {
    // Nothing is left to remove once the folder has its name.
    return await withEnding(
      () => removeFolder(unfinished),
      async () => {
        await mkdir(unfinished, { mode: 0o700 })
        const manifest = await fill(unfinished, session, options)
        await rename(unfinished, target)
        await syncFolder(dirname(target))
        return manifest
      },
    )
  } finally {
    // It ends the backup on the server, too, and frees the log that was kept for it.
    session.release()
  }
}

async function fill(folder: string, session: Reserved, options: BackupOptions): Promise<Manifest> {
  const { home, version, mode, secret_key } = options
  const begun = options.now().toISOString()
  // Without the slot PostgreSQL would delete parts of its log before they are copied.
  await session`select pg_create_physical_replication_slot('kusanya_backup_' || pg_backend_pid(), true, true)`
  const [server] = await session<{ version: string; segment: string }[]>`
    select current_setting('server_version') as version, pg_walfile_name(pg_backup_start('kusanya', true)) as segment`
  const { folders, files } = await copyCluster(home.cluster, join(folder, 'cluster'))
  const [end] = await session<{ labelfile: string; segment: string }[]>`
    select labelfile, pg_walfile_name(lsn) as segment from pg_backup_stop(false)`
  files.push(await writeBackupFile(folder, 'cluster/backup_label', end!.labelfile))
  files.push(...(await copyLog(home.cluster, folder, server!.segment, end!.segment)))
  files.push(await writeBackupFile(folder, 'password', await readFile(join(home.location, 'password'))))
  for (const [name, path] of Object.entries(options.others))
    if (existsSync(path)) files.push(await writeBackupFile(folder, `data/${name}`, await readFile(path)))
  const created = options.now().toISOString()
  const manifest = { version, mode, secret_key, begun, created, postgresql: server!.version, folders, files }
  await writeManifest(folder, manifest)
  for (const path of ['.', 'cluster', ...folders.map((name) => `cluster/${name}`)]) await syncFolder(join(folder, path))
  return { format: 0, ...manifest }
}

/** Copies the files of the data while they change; the log repairs inconsistent parts. */
async function copyCluster(cluster: string, to: string): Promise<{ folders: string[]; files: BackupFile[] }> {
  const folders: string[] = []
  const paths: string[] = []
  const files: BackupFile[] = []
  const copy = async (path: string) => {
    const file = await copyFile(join(cluster, path), join(to, path), `cluster/${path}`)
    if (file) files.push(file)
  }
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(cluster, folder), { withFileTypes: true }).catch((error) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isSymbolicLink())
        throw new UnusableBackup(`${join(cluster, path)} is a link, which a backup cannot contain.`)
      if (entry.isDirectory()) {
        const is_foreign = EMPTY_FOLDERS.has(folder) && !EMPTY_FOLDERS.has(path)
        if (is_foreign || entry.name.startsWith('pgsql_tmp')) continue
        folders.push(path)
        await mkdir(join(to, path), { recursive: true, mode: 0o700 })
        await visit(path)
      } else if (!EMPTY_FOLDERS.has(folder) && !isLeftOut(path) && path !== CONTROL_FILE) paths.push(path)
    }
  }
  await visit('')
  await forEachFile(paths, copy)
  await copy(CONTROL_FILE)
  return { folders, files }
}

/** Copies the log from the begin of the backup to its end. @throws UnusableBackup if a part is missing */
async function copyLog(cluster: string, folder: string, first: string, last: string): Promise<BackupFile[]> {
  const names = (await readdir(join(cluster, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  )
  if (names.length !== segmentNumber(last) - segmentNumber(first) + 1)
    throw new UnusableBackup('PostgreSQL has deleted a part of its log during the backup. Begin the backup again.')
  const files: BackupFile[] = []
  for (const name of names.sort()) {
    const path = `cluster/pg_wal/${name}`
    const file = await copyFile(join(cluster, 'pg_wal', name), join(folder, path), path)
    if (file) files.push(file)
  }
  return files
}

/** The number of a segment of 16 MB, by its name: eight digits each for the timeline, for 4 GB and for the segment. */
function segmentNumber(name: string): number {
  return Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16)
}

/**
 * Make sure that a disk has room for so many bytes. It may be the disk of the service, which stops writing when it is full.
 * @throws UnusableBackup
 */
export async function requireRoom(bytes: number, parent: string): Promise<void> {
  const needed = bytes + RESERVED_BYTES
  const { bavail, bsize } = await statfs(parent)
  if (bavail * bsize < needed)
    throw new UnusableBackup(`The disk of ${parent} has too little room: ${toMegabytes(needed)} MB are needed.`)
}

/** Kept free, as the service does (lib/disk-space.ts). */
const RESERVED_BYTES = 256 * 1_024 * 1_024

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  return bytes
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_048_576)
}
