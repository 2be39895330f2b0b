import { expect, it } from 'vitest'
import { type Step, stepHolds, stepRates } from '../../../bench/hour/highest-rate.ts'

it('tries rates from seven tenths of what is finished at the full rate, each a tenth of that higher', () => {
  expect(stepRates(200).slice(0, 4)).toEqual([140, 160, 180, 200])
  expect(stepRates(0.5).at(0)).toBe(1)
})

it('a rate holds when answers are quick, none is refused, and little is undone at its end', () => {
  const step: Step = { per_second: 100, created: 3_000, errors: 0, p50_ms: 10, p99_ms: 999, behind_s: 2, backlog_s: 5 }
  expect(stepHolds(step)).toBe(true)
  expect([{ p99_ms: 1_000 }, { errors: 1 }, { behind_s: 2.1 }].map((one) => stepHolds({ ...step, ...one }))).toEqual([
    false,
    false,
    false,
  ])
})
