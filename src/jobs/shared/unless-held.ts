import type { App } from '../../app.ts'
import { isSendingHeld } from '../../core/sending.ts'
import type { Job } from '../../lib/loop.ts'
import { rememberFor } from '../../lib/remember-for.ts'

/** Maximum delay until a process notices a change. */
const MAX_AGE_MS = 1_000

/** Pauses a job that starts something new with money while sending is held. Due rows wait. */
export function unlessHeld<Row>(job: Job<Row>, isHeld: () => Promise<boolean>): Job<Row> {
  return {
    ...job,
    claim: async (limit) => ((await isHeld()) ? [] : job.claim(limit)),
    nextDue: async () => ((await isHeld()) ? null : job.nextDue()),
  }
}

/**
 * Reads if sending is held, at most once a second, because the jobs ask many times. While this is unknown nothing is
 * sent.
 */
export function watchSending({ db, clock }: Pick<App, 'db' | 'clock'>): () => Promise<boolean> {
  return rememberFor(MAX_AGE_MS, clock, () => isSendingHeld(db))
}
