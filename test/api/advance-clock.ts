import { setTimeout as sleep } from 'node:timers/promises'
import { readDueWork } from '../../src/core/events/due-work.ts'
import type { TestApp } from '../test-app.ts'

/** Longer than a call to a network that never answers. */
const TIMEOUT_MS = 60_000

/**
 * Moves a house's clock forward from one due moment to the next, so that everything happens at its time. At each it waits
 * until all that is due has been done.
 */
export async function advanceClock(house: TestApp, seconds: number): Promise<void> {
  const { clock, app, db } = house
  const end = clock.now().getTime() + seconds * 1_000
  for (;;) {
    app.wake()
    const next = await nextDue()
    if (clock.now().getTime() >= end) return
    clock.advance((Math.min(next, end) - clock.now().getTime()) / 1_000)
  }

  /** When something falls due next, once nothing is due any more. */
  async function nextDue(): Promise<number> {
    const deadline = Date.now() + TIMEOUT_MS
    for (;;) {
      const work = await readDueWork(db)
      const due = work.filter(({ due_at }) => due_at <= clock.now())
      if (due.length === 0) return Math.min(...work.map(({ due_at }) => due_at.getTime()))
      if (Date.now() > deadline) throw new Error(`Nobody did what was due: ${JSON.stringify(due)}`)
      await sleep(5)
    }
  }
}
