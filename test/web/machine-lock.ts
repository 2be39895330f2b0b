import { mkdir, rmdir, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whoever holds a lock says so again and again; one of which nothing was heard for so long was left behind by the dead. */
const STALE_AFTER_MS = 60_000
const REFRESH_INTERVAL_MS = 5_000

/** Does what only one process of this machine may do at a time; who comes second finds it done. `name` is that of the work. */
export async function withMachineLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `kusanya-${name}.lock`)
  while (!(await tryLock(lock))) await sleep(200)
  const saying = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), REFRESH_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(saying)
    await rmdir(lock).catch(() => {})
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    return true
  } catch {
    // Whoever was killed meanwhile does not come back for its lock.
    const since = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - since > STALE_AFTER_MS) await rmdir(lock).catch(() => {})
    return false
  }
}
