import { addLatency, type Latencies, mergeLatencies, noLatencies } from '../../lib/latencies.ts'

/** Results of the calls of a period. */
export interface CallFigures {
  calls: number
  /** Calls without an answer, or with one that says that the network does not work. */
  unanswered: number
  durations: Latencies
}

/** Figures of the calls of the last minutes. */
interface CallWindow {
  add(answered: boolean, duration_ms: number): void
  /** The figures of the whole span. */
  figures(): CallFigures
  /** Forget everything. */
  clear(): void
}

/**
 * Count calls over a sliding span of time in periods, each of which is forgotten as a whole. It takes the same room for any
 * number of calls.
 * @param now_ms a clock that is never set back
 */
export function createCallWindow(options: { periods: number; period_ms: number; now_ms: () => number }): CallWindow {
  const { periods, period_ms, now_ms } = options
  let kept: (CallFigures & { number: number })[] = []

  function keepRecent(): number {
    const number = Math.floor(now_ms() / period_ms)
    if (kept.length > 0 && kept[0]!.number <= number - periods)
      kept = kept.filter((period) => period.number > number - periods)
    return number
  }

  return {
    add(answered, duration_ms) {
      const number = keepRecent()
      let period = kept.at(-1)
      if (period?.number !== number) {
        period = { number, ...noCalls() }
        kept.push(period)
      }
      period.calls += 1
      if (!answered) period.unanswered += 1
      addLatency(period.durations, duration_ms)
    },
    figures() {
      keepRecent()
      const sum = noCalls()
      for (const { calls, unanswered, durations } of kept) {
        sum.calls += calls
        sum.unanswered += unanswered
        mergeLatencies(sum.durations, durations)
      }
      return sum
    },
    clear() {
      kept = []
    },
  }
}

function noCalls(): CallFigures {
  return { calls: 0, unanswered: 0, durations: noLatencies() }
}
