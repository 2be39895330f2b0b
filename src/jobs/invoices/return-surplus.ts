import type { App } from '../../app.ts'
import { prepareRefund } from '../../connections/refunds.ts'
import { findSurplusReturns, leaveSurplus, returnSurplus as sendBack } from '../../core/matching/surplus.ts'
import { Refusal } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Job } from '../../lib/loop.ts'
import { createInterval } from '../shared/interval.ts'

const INTERVAL_MS = 1_000
const MAX_RETURNS = 50

/** Sends overpayments back, for organizations that want it. It looks every second of the real clock. */
export function returnSurplus(app: App): Job<{ collection: number; organization: number }> {
  const interval = createInterval(INTERVAL_MS, app.clock)
  return {
    name: 'return-surplus',
    limit: MAX_RETURNS,
    concurrency: 1,
    nextDue: async () => null,
    async claim(limit) {
      if (!interval.isOver()) return []
      interval.start()
      return findSurplusReturns(app.db, limit)
    },
    async run(returns) {
      for (const one of returns) {
        try {
          const prepared = await prepareRefund(app, { collection: one.collection })
          await begin(app.db, (tx) => sendBack(tx, app.clock.now(), one, prepared))
        } catch (error) {
          if (error instanceof Refusal) await begin(app.db, (tx) => leaveSurplus(tx, one.collection, error.message))
          else logEvent(app.log, 'job_failed', { job: 'return-surplus', error })
        }
      }
      app.wake()
    },
  }
}
