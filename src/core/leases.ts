/** The two clocks of a claim: the service's own, and the real one on which leases run. */
export interface ClaimTimes {
  now: Date
  real: Date
  lease_end: Date
}
