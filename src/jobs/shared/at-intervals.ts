import type { App } from '../../app.ts'
import type { Job } from '../../lib/loop.ts'

/** Returns a job that works at intervals of the real clock. @param work returns true if it has left some for now */
export function atIntervals(app: App, name: string, interval_ms: number, work: () => Promise<unknown>): Job<never> {
  let next_ms = 0
  return {
    name,
    limit: 1,
    concurrency: 1,
    nextDue: async () => null,
    async claim() {
      const real_ms = app.clock.real().getTime()
      if (real_ms < next_ms) return []
      next_ms = real_ms + interval_ms
      if ((await work()) === true) next_ms = 0
      return []
    },
    run: async () => {},
  }
}
