import type { App } from '../app.ts'
import { chargeConnections } from '../connections/charge-connections.ts'
import { dispatchDueRequests } from '../core/collections/attempts.ts'
import { claimDueRequests, nextDueRequest } from '../core/collections/orders.ts'
import { beginFrequent } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './shared/lease-times.ts'

/**
 * Starts collection requests, begins further attempts, and expires requests whose time is over. It calls no network: the
 * orders of the requests have a job of their own (network-orders).
 */
export function collect(app: App): Job<number> {
  return {
    name: 'collect',
    limit: 100,
    concurrency: 4,
    claim: (limit) => beginFrequent(app.db, (tx) => claimDueRequests(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueRequest(app.db.looks, app.clock.real()),
    next_due_is_complete: true,
    async run(ids) {
      const connections = chargeConnections(app.connections)
      await beginFrequent(app.db, (tx) => dispatchDueRequests(tx, app.clock.now(), ids, connections))
      // The orders are to be sent, and the changes cause SMS and webhook deliveries.
      app.wake('request_dispatched')
    },
  }
}
