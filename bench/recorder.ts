import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import type { Latencies, Outcome } from './load.ts'

export interface Recorder {
  /** Takes an answer to what was to be sent at `since`. */
  recordAnswer(status: string, since: number): void
  /** Takes what was due and never sent. */
  recordUnsent(count: number): void
  summarise(): Outcome
}

/** The window that is measured, on the clock of `performance.now`. */
export interface TimeWindow {
  from: number
  to: number
  /**
   * Whether answers count by the moment at which they were due to be asked for, however late they come. Else they count
   * only if they come before the end, since every caller asks again and again.
   */
  counts_by_due_time: boolean
}

/** Keeps count of answers and of how long they took. */
export function createRecorder(window: TimeWindow, expected: number): Recorder {
  const statuses: Record<string, number> = {}
  const histograms = new Map<string, RecordableHistogram>()
  let last = window.from
  return {
    recordAnswer(status, since) {
      const now = performance.now()
      statuses[status] = (statuses[status] ?? 0) + 1
      if (since < window.from || (!window.counts_by_due_time && now > window.to)) return
      last = now
      let histogram = histograms.get(status)
      if (!histogram) {
        histogram = createHistogram()
        histograms.set(status, histogram)
      }
      histogram.record(Math.max(1, Math.round((now - since) * 1_000)))
    },
    recordUnsent(count) {
      if (count > 0) statuses['never sent'] = count
    },
    summarise() {
      const ends = window.counts_by_due_time ? Math.max(last, window.to) : last
      const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
      const measured = Object.fromEntries(
        [...histograms].map(([status, histogram]) => [status, readLatencies(histogram)]),
      )
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

function readLatencies(histogram: RecordableHistogram): Latencies {
  return {
    count: histogram.count,
    p50_ms: histogram.percentile(50) / 1_000,
    p99_ms: histogram.percentile(99) / 1_000,
  }
}
