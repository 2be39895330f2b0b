import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { stepClock } from '../actions/clock-steps.ts'
import { addView } from '../actions/lists/views.ts'
import { moveClockAction } from '../actions/operator-actions.ts'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { readDueWork } from '../core/events/due-work.ts'
import { timestamp } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import type { Server } from '../http/server.ts'
import { getMessage } from '../lib/messages/message.ts'
import { parseTimestamp } from '../lib/time.ts'
import { ClockAdvanceView, ClockView } from './clock-view.ts'

const NewClockAdvance = z.object({
  /** A span such as `3 days`, or a date. */
  to: z.string().max(100),
  /** The time at which the advance started, from the answer to its first call. */
  begun: timestamp.optional(),
  /** The tables whose due work the clock no longer waits for. */
  without: z.array(z.string().max(100)).max(100).optional(),
})

/** A call advances the clock for this long in real time. Its answer says how far the clock is. */
const MAX_CALL_MS = 1_000
const POLL_DELAY_MS = 15

/**
 * The routes that show the clock of the sandbox and move it forward. All organizations share the clock. Live mode has no
 * such routes.
 */
export function addClock(server: Server, app: App): void {
  if (app.config.MODE !== 'sandbox') return
  addView(server, app, {
    url: '/console/api/clock',
    permission: 'view',
    answer: ClockView,
    source: 'statements',
    read: (_, { now }) => ({ now, real: app.clock.real() }),
  })

  server.post('/console/api/clock', {
    config: { permission: 'manage_organization' },
    schema: { body: NewClockAdvance, response: { 200: ClockAdvanceView } },
    handler: async (request) => {
      const { to, begun, without = [] } = request.body
      const from = app.clock.now()
      const target = parseTimestamp(to, from)
      if (!target) throw new Invalid({ to: [getMessage('service.clock_span')] })
      if (!begun) {
        if (target <= from) throw new Invalid({ to: [getMessage('service.clock_forward')] })
        await performAction(app, request, moveClockAction, { input: { to: target } })
      }
      return { ...(await advanceClock(app, target, without)), target, begun: begun ?? from }
    },
  })
}

/**
 * Move the clock from one due time to the next, for at most MAX_CALL_MS. At each it waits until the jobs have done the
 * work that is due, so that nothing happens late and no date is missed.
 */
async function advanceClock(app: App, target: Date, without: readonly string[]) {
  const until = performance.now() + MAX_CALL_MS
  let now = app.clock.now()
  const floors = new Map(without.map((table) => [table, now]))
  for (;;) {
    const work = await readDueWork(app.db, floors)
    const waiting_for = work.filter(({ due_at }) => due_at <= now).map(({ table }) => table)
    const done = waiting_for.length === 0 && now >= target
    if (done || performance.now() > until) return { now, waiting_for, done }
    if (waiting_for.length > 0) await sleep(POLL_DELAY_MS)
    else {
      now = await stepClock(app, now, target, work)
    }
  }
}
