import { setTimeout as sleep } from 'node:timers/promises'
import { stepClock } from '../actions/clock-steps.ts'
import type { App } from '../app.ts'
import { countOverdue, type DueWork, readDueWork } from '../core/events/due-work.ts'

export interface AdvanceOptions {
  /** Time without progress of due work after which the clock goes on. */
  stuck_after_ms?: number
  /** Called for every time at which the clock stops, with the tables in which work is due then. */
  onStep?(time: Date, tables: readonly string[]): void
  /** Called for work that the clock no longer waits for. */
  onStuck?(work: DueWork): void
}

/**
 * Longer than the timeout of outgoing calls and than the lease of a killed process. Acceptance checks are an exception:
 * they may take a minute.
 */
const STUCK_AFTER_MS = 20_000

/**
 * Move the sandbox's clock forward to `target`, from one due time to the next. At each it waits until the jobs have
 * done the work that is due, so that nothing happens late and no date is missed.
 */
export async function advanceClock(app: App, target: Date, options: AdvanceOptions = {}): Promise<void> {
  const floors = new Map<string, Date>()
  for (let time = app.clock.now(); ; ) {
    await waitUntilDone(app, time, floors, options)
    if (time >= target) return
    const work = await readDueWork(app.db, floors)
    time = await stepClock(app, time, target, work)
    options.onStep?.(
      time,
      work.flatMap(({ table, due_at }) => (due_at <= time ? [table] : [])),
    )
  }
}

/** The delays between two polls. The first are short, because most work is done at once. */
const POLL_DELAYS_MS = [2, 4, 8, 15]

/** A check for progress counts rows, so it is not made at every poll. */
const CHECKS_BEFORE_STUCK = 4

async function waitUntilDone(app: App, time: Date, floors: Map<string, Date>, options: AdvanceOptions): Promise<void> {
  const stuck_after_ms = options.stuck_after_ms ?? STUCK_AFTER_MS
  let last_state = ''
  let progress_at = performance.now()
  let checked_at = progress_at
  for (let polls = 0; ; polls += 1) {
    const overdue = (await readDueWork(app.db, floors)).filter(({ due_at }) => due_at <= time)
    if (overdue.length === 0) return
    if (performance.now() - checked_at > stuck_after_ms / CHECKS_BEFORE_STUCK) {
      checked_at = performance.now()
      const state = JSON.stringify([overdue, await countOverdue(app.db, time)])
      if (state !== last_state) progress_at = checked_at
      last_state = state
      if (checked_at - progress_at > stuck_after_ms) {
        for (const work of overdue) {
          floors.set(work.table, time)
          options.onStuck?.(work)
        }
        return
      }
    }
    await sleep(POLL_DELAYS_MS[Math.min(polls, POLL_DELAYS_MS.length - 1)])
  }
}
