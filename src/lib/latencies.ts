/** Counts of durations, one for each step of `LATENCY_STEPS_MS` and a last one for everything longer. */
export type Latencies = number[]

/** The upper ends of the steps, in milliseconds. Neighbours differ by at most a factor of two. */
export const LATENCY_STEPS_MS: readonly number[] = [
  5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 7_500, 10_000,
  15_000, 20_000, 30_000, 45_000, 60_000, 90_000, 120_000,
]

export function noLatencies(): Latencies {
  return new Array(LATENCY_STEPS_MS.length + 1).fill(0)
}

/** Counts one duration, in milliseconds. */
export function addLatency(counts: Latencies, duration_ms: number): void {
  const step = LATENCY_STEPS_MS.findIndex((end_ms) => duration_ms <= end_ms)
  counts[step < 0 ? LATENCY_STEPS_MS.length : step]! += 1
}

/** Adds the counts of `more` to `counts`. Counts of other steps, as another version may have stored, are left out. */
export function mergeLatencies(counts: Latencies, more: Latencies): void {
  if (more.length !== counts.length) return
  for (const [step, count] of more.entries()) counts[step]! += count
}

/**
 * Returns the duration that this share of the calls did not exceed, in milliseconds, as exact as the steps are. Null
 * without calls.
 * @param share from 0 to 1: 0.95 for the 95th percentile
 */
export function percentile(counts: Latencies, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let before = 0
  for (const [step, count] of counts.entries()) {
    if (count > 0 && before + count >= total * share) {
      const start_ms = LATENCY_STEPS_MS[step - 1] ?? 0
      const end_ms = LATENCY_STEPS_MS[step] ?? start_ms
      return Math.round(start_ms + ((total * share - before) / count) * (end_ms - start_ms))
    }
    before += count
  }
  return LATENCY_STEPS_MS.at(-1)!
}
