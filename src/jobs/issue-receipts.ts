import type { App } from '../app.ts'
import { readFeedPosition } from '../core/events/events.ts'
import { findFollowers, issueForNextPayments } from '../core/receipts/every-payment.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

const INTERVAL_MS = 1_000
/** Maximum number of receipts: few enough that nothing waits long for the numbers of an organization. */
const MAX_RECEIPTS = 200

/** Makes the receipts of organizations that want one for every payment. It looks for payments every second of the real clock. */
export function issueReceiptsOfPayments(app: App): Job<number> {
  let next_ms = 0
  return {
    name: 'issue-receipts',
    limit: MAX_RECEIPTS,
    concurrency: 1,
    nextDue: async () => null,
    async claim(limit) {
      const real_ms = app.clock.real().getTime()
      if (real_ms < next_ms) return []
      next_ms = real_ms + INTERVAL_MS
      const { committed } = await readFeedPosition(app.db)
      const options = { committed, limit, base_url: app.address.url, has_mail: app.mailer !== null }
      let issued = 0
      for (const organization of await findFollowers(app.db, committed)) {
        const count = await begin(app.db, (tx) => issueForNextPayments(tx, app.clock.now(), organization, options))
        issued += count
        // A full batch may have left some.
        if (count === limit) next_ms = 0
      }
      if (issued > 0) app.wake()
      return []
    },
    run: async () => {},
  }
}
