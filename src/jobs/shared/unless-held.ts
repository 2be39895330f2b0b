import type { App } from '../../app.ts'
import { isSendingHeld } from '../../core/sending.ts'
import type { Job } from '../../lib/loop.ts'
import { rememberFor } from '../../lib/remember-for.ts'

/** Maximum delay until a process notices a change. */
const MAX_AGE_MS = 1_000

/** A job that starts something new with money, and rests while sending is held. What is due waits. */
export function unlessHeld<Row>(job: Job<Row>, isHeld: () => Promise<boolean>): Job<Row> {
  return {
    ...job,
    claim: async (limit) => ((await isHeld()) ? [] : job.claim(limit)),
    nextDue: async () => ((await isHeld()) ? null : job.nextDue()),
  }
}

/** Reads whether sending is held, at most once a second, because the jobs ask many times. What is not known is not sent. */
export function watchSending({ db, clock }: Pick<App, 'db' | 'clock'>): () => Promise<boolean> {
  return rememberFor(MAX_AGE_MS, clock, () => isSendingHeld(db))
}
