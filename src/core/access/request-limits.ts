/** The settings of the limits of requests to the API, in any 60 seconds. */
interface RequestLimitSettings {
  READS_PER_MINUTE: number
  WRITES_PER_MINUTE: number
  ORGANIZATION_READS_PER_MINUTE?: number | undefined
  ORGANIZATION_WRITES_PER_MINUTE?: number | undefined
}

/** Number of keys at their limits that reach the limit of their organization, unless the operator sets that limit. */
const KEYS_AT_ONCE = 10

/** Returns the limits of a key without its own limits, and of all keys of an organization together. */
export function requestLimits(settings: RequestLimitSettings) {
  const { READS_PER_MINUTE: reads, WRITES_PER_MINUTE: writes } = settings
  return {
    read: { key: reads, organization: settings.ORGANIZATION_READS_PER_MINUTE ?? reads * KEYS_AT_ONCE },
    write: { key: writes, organization: settings.ORGANIZATION_WRITES_PER_MINUTE ?? writes * KEYS_AT_ONCE },
  }
}

/**
 * Describes the limit that a key has reached, and how the operator raises it.
 * @param limit the requests that were counted together
 */
export function describeLimit(kind: 'read' | 'write', limit: number, settings: RequestLimitSettings): string {
  const setting = kind === 'read' ? 'READS_PER_MINUTE' : 'WRITES_PER_MINUTE'
  const count = limit.toLocaleString('en')
  return limit === requestLimits(settings)[kind].organization
    ? `All API keys of an organization may send ${count} ${kind} requests a minute together. The operator raises this with ORGANIZATION_${setting}.`
    : `This API key may send ${count} ${kind} requests a minute. The operator raises this with ${setting}, or for a new key with --${kind}s-per-minute.`
}
