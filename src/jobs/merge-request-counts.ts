import type { App } from '../app.ts'
import { mergeCountChanges } from '../core/collections/request-counts.ts'
import { begin } from '../db/client.ts'
import { atIntervals } from './shared/at-intervals.ts'

/** Interval between merges: a reader never adds up more than the changes of a second. */
const INTERVAL_MS = 1_000

/** Merges the changes of request counts into one row for each count. */
export function mergeRequestCounts(app: App) {
  return atIntervals(app, 'merge-request-counts', INTERVAL_MS, () => begin(app.db, mergeCountChanges))
}
