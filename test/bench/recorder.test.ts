import { expect, it } from 'vitest'
import { createRecorder } from '../../bench/recorder.ts'

it('counts a request in the interval at whose start it is due, whenever the run began', () => {
  for (let from = 0.1; from < 10_000; from += 7.3) {
    const window = { from, to: from + 2_000, counts_by_due_time: true, interval_ms: 1_000 }
    const recorder = createRecorder(window, 201)
    for (const due_ms of [0, 999, 1_000, 1_999]) recorder.recordAnswer('201', from + due_ms)
    expect(recorder.summarise().intervals.map(({ count }) => count)).toEqual([2, 2])
  }
})
