/** The customer whose prompts wait for an answer. */
export const WAITING_PHONE = '+80000000109'

/** Numbers of the sandbox with special behaviour (docs/operating.md, "The sandbox"). */
export const customers: readonly { number: string; does: string }[] = [
  { number: WAITING_PHONE, does: 'Waits for you to take the phone.' },
  { number: '+80000000003', does: 'Pays about a second after being asked.' },
  { number: '+80000000001', does: 'Refuses.' },
  { number: '+80000000009', does: 'Never pays of their own accord.' },
  { number: '+80000000101', does: 'Has not enough money.' },
  { number: '+80000000102', does: 'Types a wrong PIN.' },
  { number: '+80000000103', does: 'Pays after ten seconds.' },
  { number: '+80000000106', does: 'Pays, and the network reports it three times.' },
  { number: '+80000000108', does: 'Pays, and the network takes it back after ten seconds.' },
  { number: '+80000000110', does: 'Misses the first prompt and pays after the second.' },
]
