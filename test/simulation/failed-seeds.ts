/**
 * Seeds that have failed once, with the steps that they took, and what they have found. They run with every test from
 * then on. What a seed does changes when the simulation changes, so each finding also has a named test of its own.
 */
export const failedSeeds: { seed: number; steps: number; found: string }[] = [
  { seed: 549, steps: 120, found: 'a notification made just as its webhook was deleted keeps the clock waiting' },
  { seed: 1_584, steps: 120, found: 'a process that stood still sends what another has leased' },
]
