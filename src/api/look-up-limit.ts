import { setTimeout as sleep } from 'node:timers/promises'
import { createThrottle } from '../http/throttle.ts'

/** Limit of look-ups of unproven credentials, so that guessing strangers do not keep the database busy. */
export interface LookUpLimit {
  /**
   * Return true if a credential may be looked up. Each address has a number of free look-ups per minute, and so have
   * all together. Beyond it credentials wait for each other; one statement finds those that exist, and only they are
   * looked up. The statement is sent after they arrive. So a right credential is found, however new, and despite any
   * number of wrong ones from its address.
   */
  mayLookUp(credential: string, address: string): Promise<boolean>
}

/** Read which of these credentials exist. They are distinct. */
export type FindExisting = (credentials: string[]) => Promise<string[]>

const LOOK_UPS_PER_ADDRESS = 60
/** Many addresses together are limited as well. Both limits hold for each process. */
const LOOK_UPS_IN_ALL = 3_000
/** Time for which the first credential of a batch waits for others. */
const BATCH_INTERVAL_MS = 100

/** Credentials that one statement reads. */
interface Batch {
  credentials: Set<string>
  existing: Promise<Set<string>>
}

/** Create the limit for one kind of credentials. */
export function createLookUpLimit(findExisting: FindExisting): LookUpLimit {
  const throttle = createThrottle()
  /** The batch whose statement is not yet sent. */
  let open: Batch | undefined
  /** The end of the statement before it, so that at most one runs. */
  let previous: Promise<unknown> = Promise.resolve()

  async function readBatch(credentials: Set<string>): Promise<Set<string>> {
    await Promise.all([sleep(BATCH_INTERVAL_MS), previous])
    open = undefined
    const reading = findExisting([...credentials])
    previous = reading.catch(() => undefined)
    return new Set(await reading)
  }

  async function exists(credential: string): Promise<boolean> {
    if (!open) {
      const credentials = new Set<string>()
      open = { credentials, existing: readBatch(credentials) }
    }
    open.credentials.add(credential)
    return (await open.existing).has(credential)
  }

  return {
    async mayLookUp(credential, address) {
      const is_free =
        throttle.take(`address ${address}`, LOOK_UPS_PER_ADDRESS).allowed &&
        throttle.take('all', LOOK_UPS_IN_ALL).allowed
      return is_free || exists(credential)
    },
  }
}
