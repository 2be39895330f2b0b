import type { App } from '../../app.ts'
import { readFeedPosition } from '../../core/events/events.ts'
import { findMatchingOrganizations, matchNextMoney } from '../../core/matching/match.ts'
import { begin } from '../../db/client.ts'
import { atIntervals } from '../shared/at-intervals.ts'

const INTERVAL_MS = 1_000
/** Maximum number of events: few enough that no invoice is locked for long. */
const MAX_EVENTS = 100

/** Matches incoming money with invoices, links and customers. */
export function matchIncomingMoney(app: App) {
  return atIntervals(app, 'match-money', INTERVAL_MS, async () => {
    const { committed } = await readFeedPosition(app.db)
    const counts: number[] = []
    for (const organization of await findMatchingOrganizations(app.db, committed)) {
      const options = { now: app.clock.now(), base_url: app.address.url, committed, limit: MAX_EVENTS }
      counts.push(await begin(app.db, (tx) => matchNextMoney(tx, organization, options)))
    }
    if (counts.some((count) => count > 0)) app.wake()
    return counts.includes(MAX_EVENTS)
  })
}
