import { expect, it } from 'vitest'
import { rememberFor } from '../../src/lib/remember-for.ts'

function createReader() {
  const clock = { ms: 1_000_000, real: () => new Date(clock.ms) }
  const reads = { count: 0, fail: false }
  const read = rememberFor(500, clock, async () => {
    reads.count += 1
    if (reads.fail) throw new Error('The database is unavailable.')
    return reads.count
  })
  return { clock, reads, read }
}

it('reads once for all questions of its time, also of those that come at once', async () => {
  const { clock, reads, read } = createReader()
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  clock.ms += 499
  expect(await read()).toBe(1)
  clock.ms += 1
  expect(await read()).toBe(2)
  expect(reads.count).toBe(2)
})

it('reads again when the clock was set back', async () => {
  const { clock, read } = createReader()
  await read()
  clock.ms -= 3_600_000
  expect(await read()).toBe(2)
})

it('does not remember a failure', async () => {
  const { reads, read } = createReader()
  reads.fail = true
  await expect(read()).rejects.toThrow('The database is unavailable.')
  reads.fail = false
  expect(await read()).toBe(2)
})
