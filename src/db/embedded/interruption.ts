import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * A signal ends a process in the midst of its work. A copy of the data, or a PostgreSQL that runs by itself, would stay
 * for ever: no later command knows of it.
 */

/** Functions that end the parts of the work that are under way, the newest last. Each may be called twice. */
const endings: (() => Promise<void>)[] = []
let interrupted = false

/** The work cannot go on, because the process is about to end. */
class Interrupted extends Error {
  override name = 'Interrupted'
}

/** Call this if the process is interrupted. Returns the function that takes it back. */
export function onInterruption(ending: () => Promise<void>): () => void {
  endings.push(ending)
  return () => {
    const at = endings.indexOf(ending)
    if (at >= 0) endings.splice(at, 1)
  }
}

/** Do the work, and end it in any case: when it is done, when it fails, and when the process is interrupted. */
export async function withEnding<T>(ending: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const forget = onInterruption(ending)
  try {
    requireGoingOn()
    return await work()
  } finally {
    await ending().finally(forget)
  }
}

/** @throws Interrupted */
export function requireGoingOn(): void {
  if (interrupted) throw new Interrupted('The command was interrupted.')
}

/** True when the process is about to end, so that errors of its work mean nothing. */
export function isInterrupted(): boolean {
  return interrupted
}

/** Maximum time that interrupted work may take to end: PostgreSQL takes ten seconds at most. */
const WAIT_MS = 15_000

/** End all work that is under way. */
export async function interrupt(): Promise<void> {
  interrupted = true
  let is_late = false
  const limit = sleep(WAIT_MS, undefined, { ref: false }).then(() => {
    is_late = true
  })
  // Work that is just beginning may still add its ending.
  while (endings.length > 0 && !is_late) {
    for (const ending of endings.toReversed()) await Promise.race([ending().catch(() => {}), limit])
    await sleep(20)
  }
}

/** Remove a folder with all that is in it, also while work that was interrupted still writes its last files there. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10 })
}
