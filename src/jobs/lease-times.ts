import type { App } from '../app.ts'
import type { ClaimTimes } from '../core/leases.ts'

/** Longer than any call to the outside may take, and short enough that what a killed process held goes on soon. */
const LEASE_MS = 15_000

/** The clocks of one claim. */
export function leaseTimes(app: App, lease_ms = LEASE_MS): ClaimTimes {
  const real = app.clock.real()
  return { now: app.clock.now(), real, lease_end: new Date(real.getTime() + lease_ms) }
}
