import type { DiskWatch } from '../lib/disk-space.ts'
import { type EventLog, type LogEventFields, logEvent } from '../lib/log-events.ts'
import { isDiskFull } from './failures.ts'

export type ReportUnavailable = (fields: LogEventFields<'database_unavailable'>) => void

/** While the disk is full every request and every job meets the same error. */
const REPEAT_MS = 60_000

/** Creates the log of outages. While the disk is full it writes one line a minute, with the name of the folder. */
export function createOutageLog(log: EventLog, disk: DiskWatch | null): ReportUnavailable {
  let told_at_ms = Number.NEGATIVE_INFINITY
  return (fields) => {
    const space = disk?.state()
    if (!isDiskFull(fields.error) && space?.level !== 'full') return logEvent(log, 'database_unavailable', fields)
    const now_ms = performance.now()
    if (now_ms - told_at_ms < REPEAT_MS) return
    told_at_ms = now_ms
    const { folder = null, free_bytes = null } = space ?? {}
    logEvent(log, 'disk_full', { folder, free_bytes, error: fields.error })
  }
}
