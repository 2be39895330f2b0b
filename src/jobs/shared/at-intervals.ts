import type { App } from '../../app.ts'
import type { Job } from '../../lib/loop.ts'
import { createInterval } from './interval.ts'

/** Returns a job that works at intervals of the real clock. @param work returns true if it has left some for now */
export function atIntervals(app: App, name: string, interval_ms: number, work: () => Promise<unknown>): Job<never> {
  const interval = createInterval(interval_ms, app.clock)
  return {
    name,
    limit: 1,
    concurrency: 1,
    nextDue: async () => null,
    async claim() {
      if (!interval.isOver()) return []
      interval.start()
      if ((await work()) === true) interval.end()
      return []
    },
    run: async () => {},
  }
}
