import type { App } from '../../app.ts'
import { readFeedPosition } from '../../core/events/events.ts'
import { countNextPayments, findIssuers } from '../../core/invoices/payments.ts'
import { begin } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'

const INTERVAL_MS = 1_000
/** Few enough that no invoice is locked for long. */
const MAX_EVENTS = 100

/** Counts payments and reversals for invoices. It looks for them every second of the real clock. */
export function countInvoicePayments(app: App): Job<number> {
  let next_ms = 0
  return {
    name: 'count-invoice-payments',
    limit: MAX_EVENTS,
    concurrency: 1,
    nextDue: async () => null,
    async claim(limit) {
      const real_ms = app.clock.real().getTime()
      if (real_ms < next_ms) return []
      next_ms = real_ms + INTERVAL_MS
      const { committed } = await readFeedPosition(app.db)
      let counted = 0
      for (const organization of await findIssuers(app.db, committed)) {
        const options = { now: app.clock.now(), base_url: app.address.url, committed, limit }
        const count = await begin(app.db, (tx) => countNextPayments(tx, organization, options))
        counted += count
        // A full batch may have left some.
        if (count === limit) next_ms = 0
      }
      if (counted > 0) app.wake()
      return []
    },
    run: async () => {},
  }
}
