import type { App } from '../app.ts'
import { deleteExpiredSessions } from '../core/access/sessions.ts'
import { updateRequestCounts } from '../core/collections/request-counts.ts'
import { deletePastCallbackCounts } from '../core/connections/callback-budget.ts'
import { deleteLostRetries } from '../core/events/replays.ts'
import { deleteExpiredKeys } from '../core/idempotency.ts'
import { isLockTimeout, maintainPartitions, type PartitionedTable, partitionedTables } from '../core/partitions.ts'
import { deleteOldIncoming } from '../core/sms/consents.ts'
import { beginLong, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

const INTERVAL_MS = 60 * 60 * 1_000

/** Maximum number of deleted keys: few enough for a short transaction, so that a stop of the service does not wait. */
const MAX_DELETED_KEYS = 5_000
const MAX_DELETED_COUNTS = 5_000
const MAX_DELETED_SMS = 5_000

/** Short maintenance transaction. Returns the task that follows, or null. */
type MaintenanceTask = (tx: Tx) => Promise<MaintenanceTask | null>

/**
 * Deletes old rows every hour:
 *
 * - Duplicate-Check-Keys after 24 hours,
 * - expired sessions,
 * - events and attempts to send them after EVENT_RETENTION_DAYS, with their remaining retries,
 * - callbacks after CALLBACK_RETENTION_DAYS,
 * - SMS of customers after 90 days.
 *
 * Creates the partitions of the coming weeks.
 */
export function runMaintenance(app: App): Job<MaintenanceTask> {
  let next = app.clock.now()
  let waiting: MaintenanceTask[] = []

  const deleteSessions: MaintenanceTask = async (tx) => {
    await deleteExpiredSessions(tx, app.clock.real())
    return null
  }
  const deleteDuplicateKeys: MaintenanceTask = async (tx) =>
    (await deleteExpiredKeys(tx, app.clock.now(), MAX_DELETED_KEYS)) < MAX_DELETED_KEYS ? null : deleteDuplicateKeys
  const deleteCallbackCounts: MaintenanceTask = async (tx) =>
    (await deletePastCallbackCounts(tx, app.clock.real(), MAX_DELETED_COUNTS)) < MAX_DELETED_COUNTS
      ? null
      : deleteCallbackCounts
  const deleteIncomingSms: MaintenanceTask = async (tx) =>
    (await deleteOldIncoming(tx, app.clock.now(), MAX_DELETED_SMS)) < MAX_DELETED_SMS ? null : deleteIncomingSms
  const deleteRetries: MaintenanceTask = async (tx) => {
    await deleteLostRetries(tx)
    return null
  }
  const partitionTask =
    (table: PartitionedTable): MaintenanceTask =>
    async (tx) => {
      // The counts of requests read the feed. They have done so long ago, unless their job has failed for weeks.
      if (table.table === 'events') await updateRequestCounts(tx)
      await maintainPartitions(tx, app.clock.now(), table, app.config[table.retention])
      return null
    }

  return {
    name: 'run-maintenance',
    limit: 1,
    concurrency: 1,
    nextDue: async () => (waiting.length > 0 ? app.clock.now() : next),
    async claim(limit) {
      const now = app.clock.now()
      // A reset of the sandbox sets its clock back.
      const clock_was_reset = next.getTime() - now.getTime() > INTERVAL_MS
      if (now >= next || clock_was_reset) {
        next = new Date(now.getTime() + INTERVAL_MS)
        waiting = [
          ...partitionedTables.map(partitionTask),
          deleteDuplicateKeys,
          deleteSessions,
          deleteCallbackCounts,
          deleteIncomingSms,
          deleteRetries,
        ]
      }
      return waiting.splice(0, limit)
    },
    async run(tasks) {
      for (const task of tasks) {
        const following = await beginLong(app.db, 'maintenance', task).catch((error: unknown) => {
          // Another program, such as a backup, uses the table. The next try is in an hour; partitions exist for weeks ahead.
          if (isLockTimeout(error)) return null
          throw error
        })
        if (following) waiting.push(following)
      }
    },
  }
}
