import type { App } from '../app.ts'
import { findNextRefillTime, refillWallets as refill } from '../core/ledger/refills.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

/** Fills up the sandbox's test wallets every night. Nothing here leaves the database, so the claim is all the work. */
export function refillWallets(app: App): Job<number> {
  return {
    name: 'refill-wallets',
    limit: 100,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => refill(tx, app.clock.now(), limit)),
    run: async () => app.wake(),
    nextDue: () => findNextRefillTime(app.db),
    next_due_is_complete: true,
  }
}
