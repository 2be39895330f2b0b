import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the program: of a clone, or of the package of npm. */
export const PROGRAM_ROOT = join(import.meta.dirname, '../..')

/**
 * True if this is the npm package, which has JavaScript and the built pages, and no sources (scripts/npm-package.ts).
 */
export const IS_PACKAGE = import.meta.filename.endsWith('.js')

/**
 * The Node that npm has installed beside the program, which an update of the system does not change; else the one that runs now.
 * npm puts it beside the packages of the program, in a clone and below the folder into which the package was installed.
 */
export function findNode(): string {
  const folders = [join(PROGRAM_ROOT, 'node_modules'), join(PROGRAM_ROOT, '..')]
  const found = folders.map((folder) => join(folder, '.bin', 'node')).find((path) => existsSync(path))
  return found ?? process.execPath
}
