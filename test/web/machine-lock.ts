import { execFile } from 'node:child_process'
import { mkdir, rmdir, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { buildWeb } from '../../src/cli/service/build-web.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The holder refreshes its lock. A lock that was not refreshed for this time belongs to a process that has ended. */
const STALE_AFTER_MS = 60_000
const REFRESH_INTERVAL_MS = 5_000

/** Run `work` while no other process of this machine runs work with the same name. */
export async function withMachineLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `kusanya-${name}.lock`)
  while (!(await tryLock(lock))) await sleep(200)
  const refresh = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), REFRESH_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(refresh)
    await rmdir(lock).catch(() => {})
  }
}

/** Build the pages of the console, unless a test of another process has built or builds them. */
export function buildConsole(): Promise<void> {
  return withMachineLock('web', () => buildWeb(pino({ level: 'error' })).done)
}

/** Build the site of the documentation likewise. */
export async function buildSite(): Promise<void> {
  const run = promisify(execFile)
  await withMachineLock('site', () => run(process.execPath, [join(ROOT, 'site/build.ts'), '--if-changed']))
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    return true
  } catch {
    // A killed process leaves its lock behind.
    const since = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - since > STALE_AFTER_MS) await rmdir(lock).catch(() => {})
    return false
  }
}
