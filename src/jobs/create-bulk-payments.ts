import type { App } from '../app.ts'
import { networksForPayouts } from '../connections/payout-networks.ts'
import {
  claimBulkPayments,
  createNextPayment,
  type DueBulkPayment,
  nextDueBulkPayment,
  stopBulkPayment,
} from '../core/payments/bulk/creation.ts'
import { Refusal } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './shared/lease-times.ts'

/** Files of several organizations take turns: each gets one payment at a time. */
const MAX_FILES = 10

/** Creates the payments of files that a person has started, a group of rows in each transaction. */
export function createBulkPayments(app: App): Job<DueBulkPayment> {
  const chooseNetwork = networksForPayouts(app.connections)
  return {
    name: 'create-bulk-payments',
    limit: MAX_FILES,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => claimBulkPayments(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueBulkPayment(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(files) {
      for (const file of files) {
        try {
          await begin(app.db, (tx) => createNextPayment(tx, app.clock.now(), file, chooseNetwork))
        } catch (error) {
          if (error instanceof Refusal) await begin(app.db, (tx) => stopBulkPayment(tx, app.clock.now(), file, error))
          // The others are not kept waiting. The lease ends, and this one is tried again.
          else logEvent(app.log, 'job_failed', { job: 'create-bulk-payments', error })
        }
      }
      app.wake()
    },
  }
}
