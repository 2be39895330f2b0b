import type { App } from '../app.ts'
import { cancelLeftovers, discardDeliveries } from '../core/deliveries.ts'
import { forgetKeys } from '../core/duplicates.ts'
import { discardEvents } from '../core/event-retention.ts'
import { begin, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

const EVERY_MS = 60 * 60 * 1_000

/** Few enough to be gone in a moment, so that a stop never waits and no transaction grows long. */
const MOST_EVENTS = 2_000
const MOST_DELIVERIES = 1_000

/** One bounded piece of tidying. It answers with the piece that comes next, if any. */
type Chore = (tx: Tx) => Promise<Chore | null>

/**
 * Throws away what has served its time: Duplicate-Check-Keys after 24 hours, events and the record of how they were
 * delivered after EVENT_RETENTION_DAYS.
 */
export function tidyUp(app: App): Job<Chore> {
  let next = app.clock.now()
  let waiting: Chore[] = []

  const forgetDuplicateKeys: Chore = async (tx) => {
    await forgetKeys(tx, app.clock.now())
    return null
  }
  const discardOldEvents =
    (piece = { after: 0, most: MOST_EVENTS }): Chore =>
    async (tx) => {
      const rest = await discardEvents(tx, app.clock.now(), app.config.EVENT_RETENTION_DAYS, piece)
      return rest && discardOldEvents(rest)
    }
  const tidyDeliveries: Chore = async (tx) => {
    await cancelLeftovers(tx, app.clock.now())
    return (await discardDeliveries(tx, MOST_DELIVERIES)) ? tidyDeliveries : null
  }

  return {
    name: 'tidy-up',
    limit: 1,
    lanes: 1,
    nextDue: async () => (waiting.length > 0 ? app.clock.now() : next),
    async claim(limit) {
      const now = app.clock.now()
      if (now >= next) {
        next = new Date(now.getTime() + EVERY_MS)
        waiting = [forgetDuplicateKeys, discardOldEvents(), tidyDeliveries]
      }
      return waiting.splice(0, limit)
    },
    async run(chores) {
      for (const chore of chores) {
        const rest = await begin(app.db, chore)
        if (rest) waiting.push(rest)
      }
    },
  }
}
