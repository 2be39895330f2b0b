import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Where root keeps what the server's user could not reach elsewhere. */
export const SYSTEM_FOLDER = '/var/lib/kusanya'

const SERVER_USERS = ['postgres', '_postgres', 'nobody']

/** The system user the server runs as when we are root, because PostgreSQL refuses to be root. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

/** Where the database lives and as whom it runs (null = as ourselves); `notice` is one line for people. */
export interface Home {
  location: string
  user: ServerUser | null
  notice: string | null
}

/**
 * Finds, or makes, the home of the database that belongs to `data_dir` (absolute): the folder `postgresql` in it. For
 * root, when the server's user cannot reach that, it is a folder under SYSTEM_FOLDER. A database once made is found
 * again where it is, whatever changed since: an empty one in its place would look like lost money.
 * Throws an Error of one line when there is no usable place or user.
 */
export function findHome(data_dir: string): Home {
  mkdirSync(data_dir, { recursive: true })
  const elsewhere = readPointer(data_dir)
  const location = elsewhere ?? join(data_dir, 'postgresql')
  if (process.getuid?.() !== 0) return ownHome(location)

  const has_data = existsSync(join(location, 'cluster'))
  const user = (has_data && ownerOf(location)) || findServerUser()
  if (elsewhere === null && canEnter(data_dir, user))
    return { location: makeFolder(location, user), user, notice: null }
  if (elsewhere === null && has_data) {
    throw new Error(`The database in ${location} runs as user ${user.name}, who may not enter ${data_dir}.`)
  }
  return systemHome(data_dir, elsewhere ?? systemFolderFor(data_dir), user)
}

/** Spawn options to run a program as the server's user, without our environment, because that holds secrets. */
export function runAs(user: ServerUser | null) {
  const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' }
  return { cwd: '/', env, windowsHide: true, ...(user && { uid: user.uid, gid: user.gid }) }
}

/** Gives a file or folder that root made to the server's user. */
export function giveTo(user: ServerUser | null, path: string): void {
  if (user) chownSync(path, user.uid, user.gid)
}

function ownHome(location: string): Home {
  const home = { location: makeFolder(location, null), user: null, notice: null }
  const owner = statSync(location).uid
  if (process.getuid && owner !== process.getuid()) {
    throw new Error(`The database in ${location} belongs to user ${nameOf(owner)}: start as that user or as root.`)
  }
  return home
}

function systemHome(data_dir: string, location: string, user: ServerUser): Home {
  mkdirSync(SYSTEM_FOLDER, { recursive: true })
  chmodSync(SYSTEM_FOLDER, 0o755)
  makeFolder(location, user)
  if (!canEnter(location, user))
    throw new Error(`User ${user.name} may not enter ${location}. Set DATABASE_URL instead.`)
  writePointer(data_dir, location)
  return { location, user, notice: `The database lives in ${location}: user ${user.name} may not enter ${data_dir}.` }
}

function systemFolderFor(data_dir: string): string {
  return join(SYSTEM_FOLDER, createHash('sha256').update(data_dir).digest('hex').slice(0, 12))
}

function makeFolder(path: string, user: ServerUser | null): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  giveTo(user, path)
  return realpathSync(path)
}

/** Tries it as that user, because permission bits alone do not tell (access lists, mounts, links). */
function canEnter(folder: string, user: ServerUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], runAs(user)).status === 0
}

/** The data stays with the ordinary user who made it, also when root starts the server once. */
function ownerOf(path: string): ServerUser | null {
  const { uid, gid } = statSync(path)
  return uid === 0 ? null : { name: nameOf(uid), uid, gid }
}

function findServerUser(): ServerUser {
  const accounts = readAccounts()
  for (const name of SERVER_USERS) {
    const account = accounts.find((candidate) => candidate.name === name)
    if (account) return account
  }
  throw new Error('PostgreSQL does not run as root and there is no user postgres or nobody. Set DATABASE_URL instead.')
}

function nameOf(uid: number): string {
  return readAccounts().find((account) => account.uid === uid)?.name ?? String(uid)
}

function readAccounts(): ServerUser[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/**
 * A folder whose database lives elsewhere says so in a file, which also survives that the folder is moved. A copy of
 * the folder must not write into the database of the original, so the database says whose it is as well.
 */
function readPointer(data_dir: string): string | null {
  const pointer = join(data_dir, 'postgresql-location')
  if (!existsSync(pointer)) return null
  const location = readFileSync(pointer, 'utf8').trim()
  const original = readFileSync(join(location, 'belongs-to'), 'utf8').trim()
  const is_copy = original !== data_dir && existsSync(join(original, 'postgresql-location'))
  return is_copy ? null : location
}

function writePointer(data_dir: string, location: string): void {
  writeFileSync(join(location, 'belongs-to'), `${data_dir}\n`)
  writeFileSync(join(data_dir, 'postgresql-location'), `${location}\n`)
}
