import type { App } from '../../app.ts'
import { readFeedPosition } from '../../core/events/events.ts'
import { findMatchingOrganizations, matchNextMoney } from '../../core/matching/match.ts'
import { begin } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'

const INTERVAL_MS = 1_000
/** Maximum number of events: few enough that no invoice is locked for long. */
const MAX_EVENTS = 100

/** Matches incoming money with invoices, links and customers. It looks for new money every second of the real clock. */
export function matchIncomingMoney(app: App): Job<number> {
  let next_ms = 0
  return {
    name: 'match-money',
    limit: MAX_EVENTS,
    concurrency: 1,
    nextDue: async () => null,
    async claim(limit) {
      const real_ms = app.clock.real().getTime()
      if (real_ms < next_ms) return []
      next_ms = real_ms + INTERVAL_MS
      const { committed } = await readFeedPosition(app.db)
      let counted = 0
      for (const organization of await findMatchingOrganizations(app.db, committed)) {
        const options = { now: app.clock.now(), base_url: app.address.url, committed, limit }
        const count = await begin(app.db, (tx) => matchNextMoney(tx, organization, options))
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
