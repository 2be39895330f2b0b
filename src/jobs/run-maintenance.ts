import type { App } from '../app.ts'
import { cancelLeftovers } from '../core/events/deliveries.ts'
import { forgetKeys } from '../core/idempotency.ts'
import { type Family, families, isBusy, keepPartitions } from '../core/partitions.ts'
import { discardSessions } from '../core/access/sessions.ts'
import { begin, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

const EVERY_MS = 60 * 60 * 1_000

/** Few enough to be gone in a moment, so that a stop never waits and no transaction grows long. */
const MOST_KEYS = 5_000

/** One bounded piece of tidying. It answers with the piece that comes next, if any. */
type Chore = (tx: Tx) => Promise<Chore | null>

/**
 * Throws away what has served its time: Duplicate-Check-Keys after 24 hours, events and the record of how they were
 * delivered after EVENT_RETENTION_DAYS. Makes room for what is to come.
 */
export function tidyUp(app: App): Job<Chore> {
  let next = app.clock.now()
  let waiting: Chore[] = []

  const forgetSessions: Chore = async (tx) => {
    await discardSessions(tx, app.clock.real())
    return null
  }
  const forgetDuplicateKeys: Chore = async (tx) =>
    (await forgetKeys(tx, app.clock.now(), MOST_KEYS)) < MOST_KEYS ? null : forgetDuplicateKeys
  const cancelLeftDeliveries: Chore = async (tx) => {
    await cancelLeftovers(tx, app.clock.now())
    return null
  }
  const keepPartitionsOf =
    (family: Family): Chore =>
    async (tx) => {
      await keepPartitions(tx, app.clock.now(), family, app.config.EVENT_RETENTION_DAYS)
      return null
    }

  return {
    name: 'tidy-up',
    limit: 1,
    lanes: 1,
    nextDue: async () => (waiting.length > 0 ? app.clock.now() : next),
    async claim(limit) {
      const now = app.clock.now()
      // A sandbox that was reset has its clock set back.
      const isAhead = next.getTime() - now.getTime() > EVERY_MS
      if (now >= next || isAhead) {
        next = new Date(now.getTime() + EVERY_MS)
        waiting = [...families.map(keepPartitionsOf), forgetDuplicateKeys, forgetSessions, cancelLeftDeliveries]
      }
      return waiting.splice(0, limit)
    },
    async run(chores) {
      for (const chore of chores) {
        const rest = await begin(app.db, chore).catch((error: unknown) => {
          // A table in use, by a backup for example, is looked after an hour later: there is room for a week or more.
          if (isBusy(error)) return null
          throw error
        })
        if (rest) waiting.push(rest)
      }
    },
  }
}
