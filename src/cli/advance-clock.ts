import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { advanceClock as setClock } from '../core/clock.ts'
import { countOverdue, type DueWork, readDueWork } from '../core/events/due-work.ts'
import { begin } from '../db/client.ts'

export interface AdvanceOptions {
  /** How long work that is due may take without any of it getting done, before the walk goes on without it. */
  stuck_after_ms?: number
  /** Told of every moment at which the clock stops, and in which tables work falls due there. */
  onStep?(moment: Date, tables: readonly string[]): void
  /** Told of work that the walk goes on without. */
  onStuck?(work: DueWork): void
}

/**
 * Longer than a call to the outside may take, and than the lease of a process that was killed. Offers of money are the
 * exception: who answers them has a minute.
 */
const STUCK_AFTER_MS = 20_000

/**
 * Moves the sandbox's clock forward to `target`, from one due moment to the next: at each it waits until all that is due
 * there has been done by whoever runs the jobs, so that nothing happens late and no date is missed. Moments of the same
 * second are one step.
 */
export async function advanceClock(app: App, target: Date, options: AdvanceOptions = {}): Promise<void> {
  const floors = new Map<string, Date>()
  for (let moment = app.clock.now(); ; ) {
    await waitUntilDone(app, moment, floors, options)
    if (moment >= target) return
    const work = await readDueWork(app.db, floors)
    const next = Math.min(target.getTime(), ...work.map(({ due_at }) => ceilToSecond(due_at)))
    // Only a process whose clock is behind could make something new that is due before this moment.
    moment = new Date(Math.max(moment.getTime(), next))
    await begin(app.db, (tx) => setClock(tx, app.clock.real(), moment))
    await app.refreshClock()
    options.onStep?.(
      moment,
      work.flatMap(({ table, due_at }) => (due_at <= moment ? [table] : [])),
    )
  }
}

/** Pauses between two looks: a short one at first, since most work is done at once. */
const POLL_DELAYS_MS = [2, 4, 8, 15]

/** Each check of the patience counts rows, so it is not made at every look. */
const CHECKS_BEFORE_STUCK = 4

async function waitUntilDone(
  app: App,
  moment: Date,
  floors: Map<string, Date>,
  options: AdvanceOptions,
): Promise<void> {
  const patience_ms = options.stuck_after_ms ?? STUCK_AFTER_MS
  let seen = ''
  let moved_at = performance.now()
  let checked_at = moved_at
  for (let looks = 0; ; looks += 1) {
    const overdue = (await readDueWork(app.db, floors)).filter(({ due_at }) => due_at <= moment)
    if (overdue.length === 0) return
    if (performance.now() - checked_at > patience_ms / CHECKS_BEFORE_STUCK) {
      checked_at = performance.now()
      const now = JSON.stringify([overdue, await countOverdue(app.db, moment)])
      if (now !== seen) moved_at = checked_at
      seen = now
      if (checked_at - moved_at > patience_ms) {
        for (const work of overdue) {
          floors.set(work.table, moment)
          options.onStuck?.(work)
        }
        return
      }
    }
    await sleep(POLL_DELAYS_MS[Math.min(looks, POLL_DELAYS_MS.length - 1)])
  }
}

function ceilToSecond(date: Date): number {
  return Math.ceil(date.getTime() / 1_000) * 1_000
}
