import { expect, it } from 'vitest'
import { createInterval } from '../../../src/jobs/shared/interval.ts'

let real_ms = 0
const clock = { real: () => new Date(real_ms) }

it('an interval is over after its time, and until it starts', () => {
  const interval = createInterval(1_000, clock)
  expect(interval.isOver()).toBe(true)
  interval.start()
  real_ms += 999
  expect(interval.isOver()).toBe(false)
  real_ms += 1
  expect(interval.isOver()).toBe(true)
  interval.start()
  interval.end()
  expect(interval.isOver()).toBe(true)
})

it('an interval is over when the clock is set back', () => {
  const interval = createInterval(1_000, clock)
  interval.start()
  expect(interval.isOver()).toBe(false)
  real_ms -= 3_600_000
  expect(interval.isOver()).toBe(true)
  interval.start()
  expect(interval.isOver()).toBe(false)
})
