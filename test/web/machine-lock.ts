import { mkdir, rmdir, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

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
