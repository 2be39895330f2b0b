import { setTimeout as sleep } from 'node:timers/promises'
import { readDueWork } from '../../src/core/events/due-work.ts'
import type { TestApp } from '../test-app.ts'

/** Longer than a call to a network that never answers. */
const TIMEOUT_MS = 60_000

/**
 * Advance the clock from one due time to the next, so that all work happens at its time. At each due time it waits
 * until all due work is done.
 */
export async function advanceClock(testApp: TestApp, seconds: number): Promise<void> {
  const { clock, app, db } = testApp
  const end = clock.now().getTime() + seconds * 1_000
  for (;;) {
    app.wake()
    const next = await nextDue()
    if (clock.now().getTime() >= end) return
    clock.advance((Math.min(next, end) - clock.now().getTime()) / 1_000)
  }

  /** The next due time, as soon as no work is due. */
  async function nextDue(): Promise<number> {
    const deadline = Date.now() + TIMEOUT_MS
    for (;;) {
      const work = await readDueWork(db)
      const due = work.filter(({ due_at }) => due_at <= clock.now())
      if (due.length === 0) return Math.min(...work.map(({ due_at }) => due_at.getTime()))
      if (Date.now() > deadline) throw new Error(`Due work was not done in time: ${JSON.stringify(due)}`)
      await sleep(5)
    }
  }
}
