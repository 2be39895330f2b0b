import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import type { Latencies, Outcome } from './load.ts'

export interface Recorder {
  /** Takes an answer to what was to be sent at `since`. */
  note(status: string, since: number): void
  /** Takes what was due and never sent. */
  miss(count: number): void
  read(): Outcome
}

/** The window that is measured, on the clock of `performance.now`. */
export interface Window {
  from: number
  to: number
  /**
   * Whether answers count by the moment at which they were due to be asked for, however late they come. Else they count
   * only if they come before the end, since every caller asks again and again.
   */
  by_due: boolean
}

/** Keeps count of answers and of how long they took. */
export function createRecorder(window: Window, expected: number): Recorder {
  const statuses: Record<string, number> = {}
  const histograms = new Map<string, RecordableHistogram>()
  let last = window.from
  return {
    note(status, since) {
      const now = performance.now()
      statuses[status] = (statuses[status] ?? 0) + 1
      if (since < window.from || (!window.by_due && now > window.to)) return
      last = now
      let histogram = histograms.get(status)
      if (!histogram) {
        histogram = createHistogram()
        histograms.set(status, histogram)
      }
      histogram.record(Math.max(1, Math.round((now - since) * 1_000)))
    },
    miss(count) {
      if (count > 0) statuses['never sent'] = count
    },
    read() {
      const ends = window.by_due ? Math.max(last, window.to) : last
      const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
      const measured = Object.fromEntries([...histograms].map(([status, histogram]) => [status, summarise(histogram)]))
      const { count, p50_ms, p99_ms } = measured[expected] ?? { count: 0, p50_ms: 0, p99_ms: 0 }
      return {
        answered: count,
        p50_ms,
        p99_ms,
        seconds: (ends - window.from) / 1_000,
        errors: all - (statuses[expected] ?? 0),
        statuses,
        measured,
      }
    },
  }
}

function summarise(histogram: RecordableHistogram): Latencies {
  return {
    count: histogram.count,
    p50_ms: histogram.percentile(50) / 1_000,
    p99_ms: histogram.percentile(99) / 1_000,
  }
}
