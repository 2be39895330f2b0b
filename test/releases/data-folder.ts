import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { changeOwner, execute, findServerUser } from '../../src/db/embedded/user.ts'
import { openStatements } from './database.ts'
import type { readRelease } from './fixtures.ts'

/**
 * Fill an empty folder with what a released version leaves in its DATA_DIR: the files with secrets and, in `postgresql`, the
 * password and the data of a stopped server. A later version may arrange its own folder in another way, but must work
 * on this one; so the paths are written here and do not come from the program under test.
 */
export async function fillDataFolder(data_dir: string, release: ReturnType<typeof readRelease>): Promise<void> {
  // Root's server runs as another user, who must be able to get in.
  const user = process.getuid?.() === 0 ? findServerUser() : null
  const location = join(data_dir, 'postgresql')
  const cluster = join(location, 'cluster')
  mkdirSync(location)
  chmodSync(location, user ? 0o755 : 0o700)
  for (const [path, text] of Object.entries(release.files))
    writeFileSync(join(data_dir, path), `${text}\n`, { mode: 0o600 })
  changeOwner(user, join(location, 'password'))
  mkdirSync(cluster, { mode: 0o700 })
  changeOwner(user, cluster)

  const { initdb, postgres } = await findBinaries({ location, cluster, user, notice: null })
  const access = ['--username=kusanya', `--pwfile=${join(location, 'password')}`, '--auth=scram-sha-256']
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await execute(user, initdb, [`--pgdata=${cluster}`, ...access, ...locale, '--data-checksums', '--no-sync'])
  const single_user = ['--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres']
  await execute(user, postgres, single_user, 'create database kusanya\n')
  await restoreInto(data_dir, cluster, release.dump)
}

/** Restore a dump into the database of a data folder, and stop its server again. */
async function restoreInto(data_dir: string, cluster: string, dump: string): Promise<void> {
  const server = await startEmbedded({ data_dir, settings: { fsync: 'off', full_page_writes: 'off' } })
  try {
    const db = openStatements(server.url)
    const [row] = await db.run<{ data_directory: string }>('show data_directory')
    if (row?.data_directory !== cluster) throw new Error(`The server of ${data_dir} works in ${row?.data_directory}.`)
    await db.run(dump)
    await db.close()
  } finally {
    await server.stop()
  }
}
