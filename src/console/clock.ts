import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../app.ts'
import { recordAudit } from '../core/access/audit.ts'
import { advanceClock as setClock } from '../core/clock.ts'
import { readDueWork } from '../core/events/due-work.ts'
import { timestamp } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { formatTimestamp, parseTimestamp } from '../lib/time.ts'
import { ClockAdvanceView, ClockView } from './clock-view.ts'

const NewClockAdvance = z.object({
  /** How far, such as `3 days`, or to which date. */
  to: z.string().max(100),
  /** When this walk began, as the answer to its first call said. */
  begun: timestamp.optional(),
  /** The tables whose work has been waited for long enough. */
  without: z.array(z.string().max(100)).max(100).optional(),
})

/** A call walks for this long of real time, and whoever sent it sees how far it has come. */
const MAX_CALL_MS = 1_000
const POLL_DELAY_MS = 15

/**
 * The clock of the sandbox: what it shows, and moving it forward. It is the same for all organizations. In live mode there
 * is no such address.
 */
export function addClock(server: Server, app: App): void {
  if (app.config.MODE !== 'sandbox') return
  server.get('/console/api/clock', {
    config: { permission: 'view' },
    schema: { response: { 200: ClockView } },
    handler: async () => ({ now: app.clock.now(), real: app.clock.real() }),
  })

  server.post('/console/api/clock', {
    config: { permission: 'manage_organization' },
    schema: { body: NewClockAdvance, response: { 200: ClockAdvanceView } },
    handler: async (request) => {
      const { to, begun, without = [] } = request.body
      const from = app.clock.now()
      const target = parseTimestamp(to, from)
      if (!target) throw new Invalid({ to: ['Say how far, such as 3 days, or to which date: 2030-01-31 12:00.'] })
      if (!begun) {
        if (target <= from) throw new Invalid({ to: ['The clock goes forward only.'] })
        const { organization, user } = request.caller
        const details = { from: formatTimestamp(from), to: formatTimestamp(target) }
        await begin(app.db, (tx) =>
          recordAudit(tx, from, { organization, user, action: 'move clock', details, address: request.ip }),
        )
      }
      return { ...(await advanceClock(app, target, without)), target, begun: begun ?? from }
    },
  })
  refuseOtherMethods(server, '/console/api/clock', ['GET', 'POST'])
}

/**
 * Moves the clock from one due moment to the next, for a while: at each it waits until all that is due there was done by
 * whoever runs the jobs, so that nothing happens late and no date is missed.
 */
async function advanceClock(app: App, target: Date, without: readonly string[]) {
  const until = performance.now() + MAX_CALL_MS
  let moment = app.clock.now()
  const floors = new Map(without.map((table) => [table, moment]))
  for (;;) {
    const work = await readDueWork(app.db, floors)
    const waiting_for = work.filter(({ due_at }) => due_at <= moment).map(({ table }) => table)
    const done = waiting_for.length === 0 && moment >= target
    if (done || performance.now() > until) return { now: moment, waiting_for, done }
    if (waiting_for.length > 0) await sleep(POLL_DELAY_MS)
    else {
      moment = new Date(Math.min(target.getTime(), ...work.map(({ due_at }) => ceilToSecond(due_at))))
      await begin(app.db, (tx) => setClock(tx, app.clock.real(), moment))
      await app.refreshClock()
    }
  }
}

/** Moments of the same second are one step. */
function ceilToSecond(date: Date): number {
  return Math.ceil(date.getTime() / 1_000) * 1_000
}
