import type { App } from '../app.ts'
import { findNextRefillTime, refillWallets as refill } from '../core/ledger/refills.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

/** Refills the test wallets of the sandbox every night. The claim does all the work, because it makes no outside call. */
export function refillWallets(app: App): Job<number> {
  return {
    name: 'refill-wallets',
    limit: 100,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => refill(tx, app.clock.now(), limit)),
    run: async () => app.wake(),
    nextDue: () => findNextRefillTime(app.db.polling),
    next_due_is_complete: true,
  }
}
