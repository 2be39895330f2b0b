import type { App } from '../app.ts'
import { type Connection, canDo, traitsOf } from '../connections/connection.ts'
import { claimDueRecipients, nextDueRecipient, type PayoutTraits, startPayouts } from '../core/payments/payouts.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { leaseTimes } from './shared/lease-times.ts'

/** Starts payments that are due, with an order for each recipient. The network-orders job carries the orders out. */
export function sendPayments(app: App): Job<number> {
  return {
    name: 'send-payments',
    limit: 100,
    concurrency: 2,
    claim: (limit) => begin(app.db, (tx) => claimDueRecipients(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueRecipient(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(ids) {
      const start = async (batch: readonly number[]) => {
        await begin(app.db, (tx) => startPayouts(tx, app.clock.now(), batch, readTraits(app)))
      }
      await applyInBatch(ids, start, app.log)
      // The orders are due, and the changes cause webhook deliveries.
      app.wake()
    },
  }
}

/** The connections that can send money, by their slugs. */
function readTraits(app: App): Map<string, PayoutTraits> {
  const senders = app.connections
    .list()
    .filter((connection) => canDo(connection, 'payout') || canDo(connection, 'refund'))
  return new Map(senders.map((connection) => [connection.slug, payoutTraitsOf(connection)]))
}

function payoutTraitsOf(connection: Connection): PayoutTraits {
  const refund = traitsOf(connection, 'refund')
  return {
    reference: canDo(connection, 'payout') ? traitsOf(connection, 'payout').reference : null,
    refund_reference: canDo(connection, 'refund') ? refund.reference : null,
    refunds_parts: refund.refunds !== 'full',
    canRefund: connection.operations.canRefund,
  }
}
