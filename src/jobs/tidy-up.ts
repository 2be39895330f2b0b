import type { App } from '../app.ts'
import { forgetKeys } from '../core/duplicates.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'

const EVERY_MS = 60 * 60 * 1_000

/** Throws away what has served its time: Duplicate-Check-Keys after 24 hours. */
export function tidyUp(app: App): Job<'duplicate keys'> {
  let next = app.clock.now()
  return {
    name: 'tidy-up',
    limit: 1,
    lanes: 1,
    nextDue: async () => next,
    async claim() {
      const now = app.clock.now()
      if (now < next) return []
      next = new Date(now.getTime() + EVERY_MS)
      return ['duplicate keys']
    },
    async run() {
      await begin(app.db, (tx) => forgetKeys(tx, app.clock.now()))
    },
  }
}
