import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionError } from '../../src/db/client.ts'

const PAUSE_MS = 1_000
/** A machine on which no connection can be opened for so long is more than busy. */
const GIVE_UP_MS = 600_000

/** Do something that can be repeated, and again while no connection to the database can be opened in time. */
export async function untilConnected<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + GIVE_UP_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isConnectionError(error) || performance.now() > end) throw error
      await sleep(PAUSE_MS)
    }
  }
}
