import { createThrottle } from '../http/throttle.ts'

/** Decides which unproven credentials the database is asked for, so that strangers who guess do not keep it busy. */
export interface LookUpLimit {
  /**
   * Whether a credential may be looked up. Each address has a number of free look-ups a minute, and so have all together.
   * Beyond it only credentials that exist are looked up: one statement reads the list of all of them, for many guesses.
   * So a right credential is found, however many wrong ones come from its address.
   */
  mayLookUp(credential: string, address: string): Promise<boolean>
  /** Forgets which credentials exist, because they have changed. */
  clear(): void
}

export interface LookUpLimitOptions {
  /** Reads all credentials that exist, or digests of them. */
  readAll(): Promise<string[]>
  /** How long the list of them is used. */
  max_age_ms: number
}

const LOOK_UPS_PER_ADDRESS = 60
/** Many addresses together are limited as well. Both limits hold for each process. */
const LOOK_UPS_IN_ALL = 3_000

/** Creates the limit for one kind of credentials. */
export function createLookUpLimit({ readAll, max_age_ms }: LookUpLimitOptions): LookUpLimit {
  const throttle = createThrottle()
  let existing: { credentials: Promise<Set<string>>; until_ms: number } | undefined

  function readExisting(): Promise<Set<string>> {
    const now_ms = performance.now()
    if (existing && existing.until_ms > now_ms) return existing.credentials
    const credentials = readAll().then((all) => new Set(all))
    const entry = { credentials, until_ms: now_ms + max_age_ms }
    existing = entry
    credentials.catch(() => {
      if (existing === entry) existing = undefined
    })
    return credentials
  }

  return {
    async mayLookUp(credential, address) {
      const is_free =
        throttle.take(`address ${address}`, LOOK_UPS_PER_ADDRESS).allowed &&
        throttle.take('all', LOOK_UPS_IN_ALL).allowed
      return is_free || (await readExisting()).has(credential)
    },
    clear() {
      existing = undefined
    },
  }
}
