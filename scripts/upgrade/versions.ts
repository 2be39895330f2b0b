import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Parts of a version that it needs to run. */
const PARTS = ['src', 'migrations', 'packages', 'package.json', 'package-lock.json', 'tsconfig.json']

/** The sources of a version, in a folder with its packages. */
export interface Version {
  name: string
  folder: string
}

/**
 * Unpack a commit. It uses this folder's packages if the lock files are equal, and installs them otherwise.
 * @throws Error when git does not know the commit
 */
export function unpackCommit(commit: string, folder: string): Version {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit, ...existingParts(commit)], {
    cwd: ROOT,
    maxBuffer: 500_000_000,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (readLock(folder) === readLock(ROOT)) linkPackages(folder)
  else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
  return { name: commit, folder }
}

/** Copy this folder as it is, with further migrations, by their names. */
export function copyThis(folder: string, migrations: Record<string, string>): Version {
  mkdirSync(folder)
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  linkPackages(folder)
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, 'migrations', name), text)
  return { name: 'this version', folder }
}

function existingParts(commit: string): string[] {
  const names = execFileSync('git', ['ls-tree', '--name-only', commit], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return PARTS.filter((part) => names.includes(part))
}

function readLock(folder: string): string {
  return readFileSync(join(folder, 'package-lock.json'), 'utf8')
}

function linkPackages(folder: string): void {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}
