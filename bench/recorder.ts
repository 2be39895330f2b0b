import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import { type Latencies, type Outcome, SLOW_MS } from './load.ts'

export interface Recorder {
  /** Record an answer to a request that was due at `since`. */
  recordAnswer(status: string, since: number): void
  /** Record requests that were due and never sent. */
  recordUnsent(count: number): void
  summarise(): Outcome
}

/** The measured window, in the time of `performance.now`. */
export interface TimeWindow {
  from: number
  to: number
  /**
   * True if an answer counts whenever its request was due in the window, however late it comes. Otherwise it must come
   * before the end, because every caller repeats its requests.
   */
  counts_by_due_time: boolean
  /** The length of the intervals in ms; without it there is one. */
  interval_ms?: number
}

/** Latencies, with the number of those above SLOW_MS, which a histogram knows only by its percentiles. */
interface Recorded {
  histogram: RecordableHistogram
  slow: number
}

/** Tolerance for rounding: a request at the start of an interval may be due a fraction of a microsecond earlier. */
const ROUNDING_MS = 0.001

/** Count answers and record their latencies. */
export function createRecorder(window: TimeWindow, expected: number): Recorder {
  const statuses: Record<string, number> = {}
  const by_status = new Map<string, Recorded>()
  const by_interval: Recorded[] = []
  const interval_ms = window.interval_ms ?? window.to - window.from
  let last = window.from
  return {
    recordAnswer(status, since) {
      const now = performance.now()
      statuses[status] = (statuses[status] ?? 0) + 1
      if (since < window.from || (!window.counts_by_due_time && now > window.to)) return
      last = now
      let recorded = by_status.get(status)
      if (!recorded) {
        recorded = startRecorded()
        by_status.set(status, recorded)
      }
      record(recorded, now - since)
      if (status !== String(expected)) return
      const interval = Math.floor((since - window.from + ROUNDING_MS) / interval_ms)
      while (by_interval.length <= interval) by_interval.push(startRecorded())
      record(by_interval[interval]!, now - since)
    },
    recordUnsent(count) {
      if (count > 0) statuses['never sent'] = count
    },
    summarise() {
      const end = window.counts_by_due_time ? Math.max(last, window.to) : last
      const total = Object.values(statuses).reduce((sum, count) => sum + count, 0)
      const measured = Object.fromEntries([...by_status].map(([status, recorded]) => [status, readLatencies(recorded)]))
      const { count, p50_ms, p99_ms } = measured[expected] ?? { count: 0, p50_ms: 0, p99_ms: 0 }
      return {
        answered: count,
        p50_ms,
        p99_ms,
        seconds: (end - window.from) / 1_000,
        errors: total - (statuses[expected] ?? 0),
        statuses,
        measured,
        intervals: by_interval.map(readLatencies),
        cut_off: 0,
      }
    },
  }
}

function startRecorded(): Recorded {
  return { histogram: createHistogram(), slow: 0 }
}

function record(recorded: Recorded, latency_ms: number): void {
  recorded.histogram.record(Math.max(1, Math.round(latency_ms * 1_000)))
  if (latency_ms > SLOW_MS) recorded.slow += 1
}

function readLatencies({ histogram, slow }: Recorded): Latencies {
  return {
    slow,
    count: histogram.count,
    p50_ms: histogram.percentile(50) / 1_000,
    p99_ms: histogram.percentile(99) / 1_000,
  }
}
