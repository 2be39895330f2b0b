import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const DEPLOY = join(ROOT, 'deploy')

/** True if the tests that need system programs or much time shall run: `npm run test:deploy`. */
export const IS_THOROUGH = process.env.KUSANYA_TEST_DEPLOY === 'on'

/** The path of a program of this system, or null. Debian has some in folders that are not in every PATH. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** The end of the title of a test that is skipped, which says why. */
export function because(reason: string | false): string {
  return reason === false ? '' : ` (skipped: ${reason})`
}

/** Run a program to its end. Gives all that it printed. */
export function runProgram(program: string, args: string[], options: { cwd?: string } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000, ...options })
  if (error) throw error
  return { status, output: `${stdout}${stderr}` }
}
