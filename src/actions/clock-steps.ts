import type { App } from '../app.ts'
import type { DueWork } from '../core/events/due-work.ts'
import { setClockAction } from './operator-actions.ts'
import { operator, runAction } from './run.ts'

/**
 * Move the clock of the sandbox to the next time at which work is due, or to its target. Times of the same second are
 * one step. @returns the time that it shows
 */
export async function stepClock(app: App, now: Date, target: Date, work: readonly DueWork[]): Promise<Date> {
  const next = Math.min(target.getTime(), ...work.map(({ due_at }) => Math.ceil(due_at.getTime() / 1_000) * 1_000))
  // Only a process whose clock is behind can create work that is due before this time.
  const to = new Date(Math.max(now.getTime(), next))
  await runAction(app, operator(null), setClockAction, { to })
  await app.refreshClock()
  return to
}
