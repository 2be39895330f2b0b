import type { Job } from '../../lib/loop.ts'

/** A job that starts something new with money, and rests while sending is held. What is due waits. */
export function unlessHeld<Row>(job: Job<Row>, isHeld: () => Promise<boolean>): Job<Row> {
  return {
    ...job,
    claim: async (limit) => ((await isHeld()) ? [] : job.claim(limit)),
    nextDue: async () => ((await isHeld()) ? null : job.nextDue()),
  }
}
