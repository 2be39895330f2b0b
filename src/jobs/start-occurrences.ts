import type { App } from '../app.ts'
import { makeOccurrences } from '../core/collections/occurrences.ts'
import { claimDuePlans, nextDuePlan } from '../core/collections/plans.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { settleTogether } from './apply-in-batch.ts'
import { timesOf } from './lease-times.ts'

/** Makes the requests of plans when their dates come; the collect job then takes them to their end. */
export function startOccurrences(app: App): Job<number> {
  return {
    name: 'start-occurrences',
    limit: 250,
    lanes: 2,
    claim: (limit) => begin(app.db, (tx) => claimDuePlans(tx, timesOf(app), limit)),
    nextDue: () => nextDuePlan(app.db, app.clock.real()),
    due_tells_all: true,
    async run(plans) {
      await settleTogether(plans, async (some) => {
        await begin(app.db, (tx) => makeOccurrences(tx, app.clock.now(), some))
      })
      app.wake()
    },
  }
}
