import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireRoom } from './backup.ts'
import {
  type Backup,
  copyFile,
  damaged,
  forEachFile,
  isOfDatabase,
  syncFolder,
  UnusableBackup,
} from './backup-files.ts'
import { findBinaries } from './binaries.ts'
import type { DatabaseFolder } from './folder.ts'
import { removeFolder, requireGoingOn, withEnding } from './interruption.ts'
import { withLock } from './processes.ts'
import { connectionUrl, ensureServiceRole, serviceUrl, startServer, stopServer } from './server.ts'
import { changeOwner } from './user.ts'

/** The server of a restore belongs to nobody else: its checks may use all cores and more memory. */
const ALONE = {
  max_parallel_workers_per_gather: '4',
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
}

/** The addresses of the restored server while `work` runs: for the owner of the tables, and for the role of the service. */
interface RestoredServer {
  url: string
  service_url: string
  /** Times of the steps that led here. */
  seconds: { copy: number; start: number }
}

/**
 * Starts a copy of a backup and hands it to `work`. If `work` returns true the copy becomes the database of this folder;
 * before that no other process can find it, and a crash leaves nothing but a folder that the next start removes.
 * @throws UnusableBackup if the folder has a database already
 */
export async function restoreBackup(
  backup: Backup,
  home: DatabaseFolder,
  work: (server: RestoredServer) => Promise<boolean>,
): Promise<void> {
  const binaries = await findBinaries(home)
  await withLock(join(home.location, 'lock'), async () => {
    if (existsSync(home.cluster))
      throw new UnusableBackup(
        `There is a database in ${home.cluster}. Nothing was changed: stop the service, and restore into a new DATA_DIR.`,
      )
    const cluster = join(home.location, `unfinished-${randomBytes(4).toString('hex')}`)
    const remove = () => removeFolder(cluster)
    await withEnding(remove, async () => {
      const began_ms = performance.now()
      await requireRoom(bytesOf(backup), home.location)
      await copyData(backup, home, cluster)
      const copied_ms = performance.now()
      const password = (await readFile(join(backup.folder, 'password'), 'utf8')).trim()
      const server = { ...home, cluster, binaries, password }
      const stop = () => stopServer(server)
      const keep = await withEnding(stop, async () => {
        const port = await startServer(server, ALONE, { patient: true })
        requireGoingOn()
        await ensureServiceRole(server, port)
        const seconds = { copy: (copied_ms - began_ms) / 1_000, start: (performance.now() - copied_ms) / 1_000 }
        return work({ url: connectionUrl(server, port), service_url: serviceUrl(server, port), seconds })
      })
      requireGoingOn()
      if (keep) await keepCluster(home, cluster, password)
    })
  })
}

function bytesOf({ manifest }: Backup): number {
  return manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function copyData({ folder, manifest }: Backup, home: DatabaseFolder, cluster: string): Promise<void> {
  await mkdir(cluster, { mode: 0o700 })
  changeOwner(home.user, cluster)
  for (const path of manifest.folders) {
    await mkdir(join(cluster, path), { recursive: true, mode: 0o700 })
    changeOwner(home.user, join(cluster, path))
  }
  await forEachFile(manifest.files, async (file) => {
    if (!isOfDatabase(file)) return
    const to = join(cluster, file.path.slice('cluster/'.length))
    const copied = await copyFile(join(folder, file.path), to, file.path)
    if (copied?.sha256 !== file.sha256) throw damaged(folder, file)
    changeOwner(home.user, to)
  })
}

/** Gives the database its name, after its password: a database without password cannot be opened. */
async function keepCluster(home: DatabaseFolder, cluster: string, password: string): Promise<void> {
  const path = join(home.location, 'password')
  await rm(path, { force: true })
  await writeFile(path, `${password}\n`, { mode: 0o600, flush: true })
  changeOwner(home.user, path)
  await rename(cluster, home.cluster)
  await syncFolder(home.location)
}
