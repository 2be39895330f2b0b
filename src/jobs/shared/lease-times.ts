import type { App } from '../../app.ts'
import type { ClaimTimes } from '../../core/leases.ts'

/**
 * Lease: longer than any call to a partner may take, and short enough that the work of a killed process continues soon.
 */
export const LEASE_MS = 15_000

/** The times of one claim: both clocks, and the end of its lease. */
export function leaseTimes(app: App, lease_ms = LEASE_MS): ClaimTimes {
  const real = app.clock.real()
  return { now: app.clock.now(), real, lease_end: new Date(real.getTime() + lease_ms) }
}
