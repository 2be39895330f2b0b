import type { App } from '../app.ts'
import { createOccurrences } from '../core/collections/occurrences.ts'
import { claimDuePlans, nextDuePlan } from '../core/collections/plans.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { leaseTimes } from './shared/lease-times.ts'

/** Creates the collection requests of recurring plans when they fall due. The collect job then processes them. */
export function startOccurrences(app: App): Job<number> {
  return {
    name: 'start-occurrences',
    limit: 250,
    concurrency: 2,
    claim: (limit) => begin(app.db, (tx) => claimDuePlans(tx, leaseTimes(app), limit)),
    nextDue: () => nextDuePlan(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(plans) {
      await applyInBatch(
        plans,
        async (batch) => {
          await begin(app.db, (tx) => createOccurrences(tx, app.clock.now(), batch))
        },
        app.log,
      )
      app.wake()
    },
  }
}
