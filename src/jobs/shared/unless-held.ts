import { isSendingHeld } from '../../core/flags.ts'
import type { Database } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'

/** How late a process notices a change at most. */
const MAX_AGE_MS = 1_000

/** A job that starts something new with money, and rests while sending is held. What is due waits. */
export function unlessHeld<Row>(job: Job<Row>, isHeld: () => Promise<boolean>): Job<Row> {
  return {
    ...job,
    claim: async (limit) => ((await isHeld()) ? [] : job.claim(limit)),
    nextDue: async () => ((await isHeld()) ? null : job.nextDue()),
  }
}

/** Reads whether sending is held, at most once a second, because the jobs ask many times. */
export function watchSending(db: Database): () => Promise<boolean> {
  let read_at_ms = Number.NEGATIVE_INFINITY
  let held: Promise<boolean> | undefined
  return () => {
    if (held === undefined || performance.now() - read_at_ms >= MAX_AGE_MS) {
      read_at_ms = performance.now()
      held = isSendingHeld(db).catch((error: unknown) => {
        // The next question reads again: what is not known is not sent.
        held = undefined
        throw error
      })
    }
    return held
  }
}
