/** The settings of the limits of requests to the API, in any 60 seconds. */
export interface RequestLimitSettings {
  READS_PER_MINUTE: number
  WRITES_PER_MINUTE: number
  ORGANIZATION_READS_PER_MINUTE?: number | undefined
  ORGANIZATION_WRITES_PER_MINUTE?: number | undefined
}

/** How many keys may be at their limits at once before that of their organization ends, unless the operator sets another. */
const KEYS_AT_ONCE = 10

/** The limits of a key that has none of its own, and those of all keys of an organization together. */
export function requestLimits(settings: RequestLimitSettings) {
  const { READS_PER_MINUTE: reads, WRITES_PER_MINUTE: writes } = settings
  return {
    read: { key: reads, organization: settings.ORGANIZATION_READS_PER_MINUTE ?? reads * KEYS_AT_ONCE },
    write: { key: writes, organization: settings.ORGANIZATION_WRITES_PER_MINUTE ?? writes * KEYS_AT_ONCE },
  }
}
