import type { App } from '../app.ts'
import { matchPaidRequest, readPaidRequests } from '../core/collections/paid-requests.ts'
import { begin } from '../db/client.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { createInterval } from './shared/interval.ts'

const INTERVAL_MS = 60 * 60 * 1_000

/** Maximum number of matches of a turn. */
const MAX_MATCHES = 100

/**
 * Matches open requests to unmatched money that names them, at start and every hour. There is nothing to match unless
 * something is wrong, so each match is logged.
 */
export function matchPaidRequests(app: App): Job<number> {
  const interval = createInterval(INTERVAL_MS, app.clock)
  return {
    name: 'match-paid-requests',
    limit: MAX_MATCHES,
    concurrency: 1,
    async claim(limit) {
      if (!interval.isOver()) return []
      const matched: number[] = []
      for (const [request, named_by] of await readPaidRequests(app.db, limit))
        if (await begin(app.db, (tx) => matchPaidRequest(tx, app.clock.now(), request, named_by))) matched.push(request)
      // A full batch may have left some.
      if (matched.length < limit) interval.start()
      for (const collection_request of matched) logEvent(app.log, 'paid_request_matched', { collection_request })
      if (matched.length > 0) app.wake()
      return matched
    },
    run: async () => {},
    nextDue: async () => null,
  }
}
