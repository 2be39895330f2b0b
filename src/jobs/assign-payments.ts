import type { App } from '../app.ts'
import { ingestIncomingPayments } from '../core/collections/incoming-payments.ts'
import { toReport } from '../core/connections/unassigned-money.ts'
import {
  claimUnassigned,
  nextDueUnassigned,
  releaseUnassigned,
  type UnassignedPayment,
} from '../core/connections/unassigned-payments.ts'
import { begin } from '../db/client.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { leaseTimes } from './shared/lease-times.ts'

/**
 * Assigns unassigned money to the account of its receiver, once the receiver has one. Money whose receiver still has none
 * waits until its receiver is assigned, or until a person chooses the account.
 */
export function assignPayments(app: App): Job<UnassignedPayment> {
  return {
    name: 'assign-payments',
    limit: 100,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => claimUnassigned(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueUnassigned(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(payments) {
      const assign = async (batch: readonly UnassignedPayment[]) => {
        const results = await begin(app.db, async (tx) => {
          const reports = batch.map((payment) => toReport(payment, app.connections.list()))
          const ingested = await ingestIncomingPayments(tx, app.clock.now(), reports)
          await releaseUnassigned(
            tx,
            batch.map(({ id }) => id),
          )
          return ingested
        })
        for (const [index, { connection, remote_transaction_id: remote_id, receiver }] of batch.entries())
          if (results[index] === 'recorded' || results[index] === 'reversed')
            logEvent(app.log, 'payment_assigned', { connection, remote_id, receiver })
      }
      await applyInBatch(payments, assign, app.log)
      app.wake()
    },
  }
}
