import type { App } from '../app.ts'
import { tryUpdateRequestCounts } from '../core/collections/request-counts.ts'
import { tryUpdateSmsUsage } from '../core/sms/usage-by-rows.ts'
import { begin } from '../db/client.ts'
import { atIntervals } from './shared/at-intervals.ts'

/** Interval between updates: a reader never adds up more than the changes of a second. */
const INTERVAL_MS = 1_000

/** Adds new requests, changes of status and new SMS to their counts. */
export function updateCounts(app: App) {
  return atIntervals(app, 'update-counts', INTERVAL_MS, async () => {
    await begin(app.db, tryUpdateRequestCounts)
    await begin(app.db, tryUpdateSmsUsage)
  })
}
