import type { App } from '../app.ts'
import { mergeCountChanges } from '../core/collections/request-counts.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

/** Interval between merges: a reader never adds up more than the changes of a second. */
const INTERVAL_MS = 1_000

/** Merges the changes of request counts into one row for each count. It runs on the real clock. */
export function mergeRequestCounts(app: App): Job<never> {
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
