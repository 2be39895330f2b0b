import type { App } from '../app.ts'
import { deleteExpiredSessions } from '../core/access/sessions.ts'
import { cancelDeliveriesOfDeletedWebhooks } from '../core/events/deliveries.ts'
import { deleteExpiredKeys } from '../core/idempotency.ts'
import { isLockTimeout, maintainPartitions, type PartitionedTable, partitionedTables } from '../core/partitions.ts'
import { beginLong, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

const INTERVAL_MS = 60 * 60 * 1_000

/** Few enough to be gone in a moment, so that a stop never waits and no transaction grows long. */
const MAX_DELETED_KEYS = 5_000

/** One bounded piece of tidying. It answers with the piece that comes next, if any. */
type MaintenanceTask = (tx: Tx) => Promise<MaintenanceTask | null>

/**
 * Throws away what has served its time: Duplicate-Check-Keys after 24 hours, events and the record of how they were
 * delivered after EVENT_RETENTION_DAYS. Makes room for what is to come.
 */
export function runMaintenance(app: App): Job<MaintenanceTask> {
  let next = app.clock.now()
  let waiting: MaintenanceTask[] = []

  const forgetSessions: MaintenanceTask = async (tx) => {
    await deleteExpiredSessions(tx, app.clock.real())
    return null
  }
  const forgetDuplicateKeys: MaintenanceTask = async (tx) =>
    (await deleteExpiredKeys(tx, app.clock.now(), MAX_DELETED_KEYS)) < MAX_DELETED_KEYS ? null : forgetDuplicateKeys
  const cancelLeftDeliveries: MaintenanceTask = async (tx) => {
    await cancelDeliveriesOfDeletedWebhooks(tx, app.clock.now())
    return null
  }
  const keepPartitionsOf =
    (family: PartitionedTable): MaintenanceTask =>
    async (tx) => {
      await maintainPartitions(tx, app.clock.now(), family, app.config.EVENT_RETENTION_DAYS)
      return null
    }

  return {
    name: 'run-maintenance',
    limit: 1,
    concurrency: 1,
    nextDue: async () => (waiting.length > 0 ? app.clock.now() : next),
    async claim(limit) {
      const now = app.clock.now()
      // A sandbox that was reset has its clock set back.
      const isAhead = next.getTime() - now.getTime() > INTERVAL_MS
      if (now >= next || isAhead) {
        next = new Date(now.getTime() + INTERVAL_MS)
        waiting = [
          ...partitionedTables.map(keepPartitionsOf),
          forgetDuplicateKeys,
          forgetSessions,
          cancelLeftDeliveries,
        ]
      }
      return waiting.splice(0, limit)
    },
    async run(chores) {
      for (const chore of chores) {
        const rest = await beginLong(app.db, 'maintenance', chore).catch((error: unknown) => {
          // A table in use, by a backup for example, is looked after an hour later: there is room for a week or more.
          if (isLockTimeout(error)) return null
          throw error
        })
        if (rest) waiting.push(rest)
      }
    },
  }
}
