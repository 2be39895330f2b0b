import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canEnter, findServerUser, ownerOf, type ServerUser } from './user.ts'

/** Folder in which root stores a database whose usual folder the server's user cannot reach. */
export const SYSTEM_FOLDER = '/var/lib/kusanya'

/**
 * The folder of a database and the user of its server (null: the user of this process). `location` belongs to this process;
 * only `cluster` in it belongs to the server. So root never writes into a folder that another user can change.
 */
export interface DatabaseFolder {
  location: string
  cluster: string
  user: ServerUser | null
  notice: string | null
}

/**
 * Finds or creates the folder of the database that belongs to `data_dir` (absolute): the folder `postgresql` in it. If root
 * starts the server and the server's user cannot reach that folder, it is a folder under SYSTEM_FOLDER. An existing
 * database is always found again: an empty database instead would look like lost money.
 * Throws an Error of one line if there is no usable folder or user.
 */
export function findDatabaseFolder(data_dir: string): DatabaseFolder {
  mkdirSync(data_dir, { recursive: true })
  const elsewhere = readLocationFile(data_dir)
  const location = elsewhere ?? join(data_dir, 'postgresql')
  if (process.getuid?.() !== 0) return ownDatabaseFolder(location)

  const user = chooseUser(join(location, 'cluster'))
  if (elsewhere !== null) return systemDatabaseFolder(data_dir, elsewhere, user)
  if (canEnter(data_dir, user)) return { ...createLocation(location, 0o755), user, notice: null }
  if (existsSync(join(location, 'cluster'))) {
    throw new Error(`The database in ${location} runs as user ${user.name}, who may not enter ${data_dir}.`)
  }
  return systemDatabaseFolder(data_dir, systemFolderFor(data_dir), user)
}

/**
 * True if `data_dir` has, or had, its own database. It creates nothing. A folder that this user may not read counts as
 * a database: opening it gives the reason.
 */
export function hasDatabase(data_dir: string): boolean {
  if (existsSync(join(data_dir, 'postgresql-location'))) return true
  try {
    return readdirSync(join(data_dir, 'postgresql')).includes('cluster')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Data of an ordinary user stays with that user, even if root starts the server once. */
function chooseUser(cluster: string): ServerUser {
  const owner = existsSync(cluster) ? ownerOf(cluster) : null
  return owner && owner.uid !== 0 ? owner : findServerUser()
}

function ownDatabaseFolder(location: string): DatabaseFolder {
  const cluster = join(location, 'cluster')
  const existing = [cluster, location].find((path) => existsSync(path))
  if (process.getuid && existing) {
    const owner = ownerOf(existing)
    if (owner.uid !== process.getuid()) {
      throw new Error(`The database in ${location} belongs to user ${owner.name}: start as that user or as root.`)
    }
  }
  return { ...createLocation(location, 0o700), user: null, notice: null }
}

function systemDatabaseFolder(data_dir: string, location: string, user: ServerUser): DatabaseFolder {
  createLocation(SYSTEM_FOLDER, 0o755)
  const made = createLocation(location, 0o755)
  if (!canEnter(location, user))
    throw new Error(`User ${user.name} may not enter ${location}. Set DATABASE_URL instead.`)
  writeLocationFile(data_dir, location)
  return { ...made, user, notice: `The database lives in ${location}: user ${user.name} may not enter ${data_dir}.` }
}

function systemFolderFor(data_dir: string): string {
  return join(SYSTEM_FOLDER, createHash('sha256').update(data_dir).digest('hex').slice(0, 12))
}

function createLocation(path: string, mode: number): { location: string; cluster: string } {
  if (!existsSync(path)) {
    mkdirSync(path, { recursive: true })
    chmodSync(path, mode)
  }
  // PostgreSQL reports its data folder without symbolic links, and Kusanya compares it with this path.
  const location = realpathSync(path)
  return { location, cluster: join(location, 'cluster') }
}

/**
 * A file in data_dir contains the location of a database outside of it, so that it is found after data_dir was moved. A copy
 * of data_dir must not use the database of the original, so the database also stores which data_dir it belongs to.
 */
function readLocationFile(data_dir: string): string | null {
  const pointer = join(data_dir, 'postgresql-location')
  if (!existsSync(pointer)) return null
  const location = readFileSync(pointer, 'utf8').trim()
  const title = join(location, 'belongs-to')
  if (!existsSync(title)) {
    throw new Error(`The database is gone from ${location}. Bring it back, or delete ${pointer} to begin an empty one.`)
  }
  const original = readFileSync(title, 'utf8').trim()
  const is_copy = original !== data_dir && existsSync(join(original, 'postgresql-location'))
  return is_copy ? null : location
}

function writeLocationFile(data_dir: string, location: string): void {
  writeFileSync(join(location, 'belongs-to'), `${data_dir}\n`)
  writeFileSync(join(data_dir, 'postgresql-location'), `${location}\n`)
}
