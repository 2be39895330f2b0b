import { describe, expect, it } from 'vitest'
import { addLatency, LATENCY_STEPS_MS, mergeLatencies, noLatencies, percentile } from '../../src/lib/latencies.ts'

const countsOf = (...durations_ms: number[]) => {
  const counts = noLatencies()
  for (const duration_ms of durations_ms) addLatency(counts, duration_ms)
  return counts
}

describe('percentiles of counted durations', () => {
  it('are null without calls', () => {
    expect(percentile(noLatencies(), 0.5)).toBeNull()
  })

  it('are within the step of the true value', () => {
    const durations = Array.from({ length: 1_000 }, (_, index) => (index + 1) ** 1.5)
    const counts = countsOf(...durations)
    for (const share of [0.01, 0.5, 0.9, 0.95, 0.999]) {
      const exact = durations[Math.ceil(share * 1_000) - 1]!
      const found = percentile(counts, share)!
      const step = LATENCY_STEPS_MS.findIndex((end_ms) => exact <= end_ms)
      expect(found).toBeGreaterThanOrEqual(LATENCY_STEPS_MS[step - 1] ?? 0)
      expect(found).toBeLessThanOrEqual(LATENCY_STEPS_MS[step]!)
    }
  })

  it('end with the last step', () => {
    expect(percentile(countsOf(500_000), 0.5)).toBe(120_000)
    expect(percentile(countsOf(1, 500_000), 0.95)).toBe(120_000)
  })

  it('are those of all processes after their counts were added', () => {
    const all = countsOf(10, 10, 10)
    mergeLatencies(all, countsOf(1_000))
    expect(all.reduce((sum, count) => sum + count)).toBe(4)
    expect(percentile(all, 0.5)).toBeLessThanOrEqual(10)
    expect(percentile(all, 0.95)).toBeGreaterThan(750)
  })

  it('leave out counts of other steps', () => {
    const counts = countsOf(10)
    mergeLatencies(counts, [1, 2, 3])
    expect(counts).toEqual(countsOf(10))
  })
})
