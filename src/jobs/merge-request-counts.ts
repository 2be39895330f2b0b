import type { App } from '../app.ts'
import { mergeCountChanges } from '../core/collections/request-counts.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

/** Often enough that a reader never adds up more than a second's changes. */
const INTERVAL_MS = 1_000

/** Folds what was noted about the counts of requests into one row for each. On the real clock, as it is no domain event. */
export function mergeRequestCounts(app: App): Job<'turn'> {
  let next_ms = 0
  return {
    name: 'merge-request-counts',
    limit: 1,
    concurrency: 1,
    nextDue: async () => null,
    async claim() {
      const real_ms = app.clock.real().getTime()
      if (real_ms < next_ms) return []
      next_ms = real_ms + INTERVAL_MS
      await begin(app.db, mergeCountChanges)
      return []
    },
    run: async () => {},
  }
}
