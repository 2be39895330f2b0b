import type { App } from '../app.ts'
import { readFeedPosition } from '../core/events/events.ts'
import { findFollowers, issueForNextPayments } from '../core/receipts/every-payment.ts'
import { begin } from '../db/client.ts'
import { atIntervals } from './shared/at-intervals.ts'

const INTERVAL_MS = 1_000
/** Maximum number of receipts: few enough that nothing waits long for the numbers of an organization. */
const MAX_RECEIPTS = 200

/** Makes the receipts of organizations that want one for every payment. */
export function issueReceiptsOfPayments(app: App) {
  return atIntervals(app, 'issue-receipts', INTERVAL_MS, async () => {
    const { committed } = await readFeedPosition(app.db)
    const options = { committed, limit: MAX_RECEIPTS, base_url: app.address.url, has_mail: app.mailer !== null }
    const counts: number[] = []
    for (const organization of await findFollowers(app.db, committed))
      counts.push(await begin(app.db, (tx) => issueForNextPayments(tx, app.clock.now(), organization, options)))
    if (counts.some((count) => count > 0)) app.wake()
    return counts.includes(MAX_RECEIPTS)
  })
}
