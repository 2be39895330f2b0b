import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLimiter, type Limits, laneOf, type Release } from '../../../src/connections/tools/limiter.ts'
import { stillClock } from './setup.ts'

function setUp(changes: Partial<Limits & { has_long_calls: boolean }> = {}) {
  const clock = stillClock()
  const { has_long_calls = false, ...limits } = { max_concurrent: 4, max_per_second: 10, ...changes }
  return { clock, limiter: createLimiter({ limits, has_long_calls, now_ms: clock.now_ms }) }
}

/** Take as many slots as there are. */
function takeAll(take: () => Release | undefined): Release[] {
  const taken: Release[] = []
  for (let release = take(); release; release = take()) taken.push(release)
  return taken
}

describe('the limiter of a connection', () => {
  it('lets as many operations run at the same time as the connection allows', () => {
    const { limiter } = setUp()
    const taken = takeAll(() => limiter.tryAcquire('short'))
    expect([taken.length, limiter.nextFree('short')]).toEqual([4, 50])
    taken[0]!()
    taken[0]!()
    expect(limiter.nextFree('short')).toBe(0)
    expect(takeAll(() => limiter.tryAcquire('short'))).toHaveLength(1)
  })

  it('starts no more in any second than the connection allows, and says when the next one may', () => {
    const { clock, limiter } = setUp({ max_concurrent: 100 })
    for (let count = 0; count < 10; count += 1) {
      expect(limiter.tryAcquire('short')).toBeDefined()
      clock.advance(0.05)
    }
    expect([limiter.tryAcquire('short'), limiter.nextFree('short')]).toEqual([undefined, 500])
    clock.advance(0.499)
    expect(limiter.tryAcquire('short')).toBeUndefined()
    clock.advance(0.001)
    expect(takeAll(() => limiter.tryAcquire('short'))).toHaveLength(1)
    expect(limiter.nextFree('short')).toBe(50)
  })

  it('does not count unsent calls', () => {
    const { limiter } = setUp()
    for (let count = 0; count < 50; count += 1) limiter.tryAcquire('short')!(false)
    expect(takeAll(() => limiter.tryAcquire('short'))).toHaveLength(4)
  })

  it('keeps both limits in every order of events', () => {
    const event = fc.oneof(
      fc.record({ take: fc.constantFrom('short' as const, 'long' as const) }),
      fc.record({ release: fc.nat(), was_sent: fc.boolean() }),
      fc.record({ wait_ms: fc.nat(400) }),
      fc.record({ share: fc.integer({ min: 1, max: 3 }) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const { clock, limiter } = setUp({ max_concurrent: 6, max_per_second: 8, has_long_calls: true })
        const sent_at: number[] = []
        let running: Release[] = []
        for (const one of events) {
          if ('wait_ms' in one) clock.advance(one.wait_ms / 1_000)
          else if ('share' in one) limiter.share(one.share)
          else if ('take' in one) {
            const can = limiter.nextFree(one.take) === 0
            const release = limiter.tryAcquire(one.take)
            expect(release !== undefined).toBe(can)
            if (!release) continue
            running.push(release)
            sent_at.push(clock.now_ms())
          } else if (running.length > 0) {
            const release = running[one.release % running.length]!
            release()
            running = running.filter((other) => other !== release)
          }
          expect(running.length).toBeLessThanOrEqual(6)
          expect(sent_at.filter((at_ms) => clock.now_ms() - at_ms < 1_000).length).toBeLessThanOrEqual(8)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('starts nothing while its network wants no calls', () => {
    const { clock, limiter } = setUp()
    limiter.pause(3_000)
    limiter.pause(1_000)
    expect([limiter.tryAcquire('long'), limiter.nextFree('long')]).toEqual([undefined, 3_000])
    clock.advance(3)
    expect(limiter.tryAcquire('long')).toBeDefined()
  })

  it('has an equal share of the limits when several processes use the connection, and at least one call', () => {
    const { clock, limiter } = setUp({ max_concurrent: 10, max_per_second: 6 })
    const shareOf = (processes: number) => {
      limiter.share(processes)
      const taken = takeAll(() => limiter.tryAcquire('short'))
      for (const release of taken) release()
      clock.advance(1)
      return taken.length
    }
    expect([1, 2, 3, 20, 1, 2].map(shareOf)).toEqual([6, 3, 2, 1, 6, 3])
    limiter.limit({ max_concurrent: 4, max_per_second: 100 })
    expect([shareOf(2), shareOf(1)]).toEqual([2, 4])
  })
})

describe('long calls', () => {
  it('have a lane of their own from 15 seconds on', () => {
    expect([5, 15, 16, 120].map(laneOf)).toEqual(['short', 'short', 'long', 'long'])
  })

  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [3, 2, 2],
    [4, 2, 3],
    [50, 25, 38],
  ])('of %i slots have at most %i, and short ones at most %i', (max_concurrent, most_long, most_short) => {
    const options = { max_concurrent, max_per_second: 1_000, has_long_calls: true }
    const [one, two] = [setUp(options), setUp(options)]
    expect(takeAll(() => one.limiter.tryAcquire('long'))).toHaveLength(most_long)
    expect(takeAll(() => one.limiter.tryAcquire('short'))).toHaveLength(max_concurrent - most_long)
    expect(takeAll(() => two.limiter.tryAcquire('short'))).toHaveLength(most_short)
    expect(takeAll(() => two.limiter.tryAcquire('long'))).toHaveLength(max_concurrent - most_short)
  })

  it('do not keep short ones waiting: 200 charges of a minute each and 200 questions', () => {
    const { clock, limiter } = setUp({ max_concurrent: 8, max_per_second: 1_000, has_long_calls: true })
    let [waiting_long, waiting_short, waited_s] = [200, 200, 0]
    takeAll(() => (waiting_long-- > 0 ? limiter.tryAcquire('long') : undefined))
    while (waiting_short > 0) {
      const taken = takeAll(() => limiter.tryAcquire('short'))
      waiting_short -= taken.length
      clock.advance(0.1)
      waited_s += 0.1
      for (const release of taken) release()
    }
    expect(waited_s).toBeCloseTo(5)
  })
})
