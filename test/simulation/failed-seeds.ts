/**
 * Seeds that have failed once, with the steps that they took, and what they have found. They run with every test from then
 * on. What a seed does changes when the simulation changes, so each finding also has a named test of its own.
 */
export const failedSeeds: { seed: number; steps: number; found: string }[] = []
