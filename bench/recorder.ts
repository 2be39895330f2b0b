import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import type { Latencies, Outcome } from './load.ts'

export interface Recorder {
  /** Records an answer to a request that was due at `since`. */
  recordAnswer(status: string, since: number): void
  /** Records requests that were due and never sent. */
  recordUnsent(count: number): void
  summarise(): Outcome
}

/** The measured window, in the time of `performance.now`. */
export interface TimeWindow {
  from: number
  to: number
  /**
   * Whether an answer counts if its request was due in the window, however late it comes. Otherwise it counts only if it
   * comes before the end, because every caller repeats its requests.
   */
  counts_by_due_time: boolean
}

/** Counts answers and records their latencies. */
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
      const end = window.counts_by_due_time ? Math.max(last, window.to) : last
      const total = Object.values(statuses).reduce((sum, count) => sum + count, 0)
      const measured = Object.fromEntries(
        [...histograms].map(([status, histogram]) => [status, readLatencies(histogram)]),
      )
      const { count, p50_ms, p99_ms } = measured[expected] ?? { count: 0, p50_ms: 0, p99_ms: 0 }
      return {
        answered: count,
        p50_ms,
        p99_ms,
        seconds: (end - window.from) / 1_000,
        errors: total - (statuses[expected] ?? 0),
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
