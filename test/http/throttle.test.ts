import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createThrottle, rateLimitHeaders } from '../../src/http/throttle.ts'

/** A throttle with a clock that the test advances. */
function setUp(max_keys?: number) {
  const clock = { now_ms: 1_000_000 }
  const throttle = createThrottle({ now_ms: () => clock.now_ms, max_keys })
  const takeMany = (times: number, key: string, limit: number) =>
    Array.from({ length: times }, () => throttle.take(key, limit)).filter((verdict) => verdict.allowed).length
  return { clock, throttle, takeMany }
}

describe('a throttle', () => {
  it('allows as many requests a minute as the limit says', () => {
    const { throttle, takeMany } = setUp()
    expect(takeMany(30, 'a', 30)).toBe(30)
    expect(throttle.take('a', 30)).toEqual({ allowed: false, limit: 30, remaining: 0, reset_s: 60, retry_after_s: 60 })
  })

  it('counts every key separately', () => {
    const { takeMany } = setUp()
    expect(takeMany(40, 'a read', 30)).toBe(30)
    expect(takeMany(40, 'a write', 35)).toBe(35)
    expect(takeMany(40, 'b read', 30)).toBe(30)
  })

  it('counts keys together in a window that they share, and a refused request in none', () => {
    const { throttle } = setUp()
    const shared = { key: 'together', limit: 3 }
    const take = (key: string) => throttle.take(key, 2, shared)
    expect([take('a'), take('a'), take('a'), take('b')].map(({ allowed }) => allowed)).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(take('b')).toEqual({ allowed: false, limit: 3, remaining: 0, reset_s: 60, retry_after_s: 60 })
    expect(throttle.take('b', 2)).toMatchObject({ allowed: true, remaining: 0 })
    expect(throttle.take('together', 4)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('returns the remaining requests and the time until the reset', () => {
    const { clock, throttle } = setUp()
    expect(throttle.take('a', 3)).toEqual({ allowed: true, limit: 3, remaining: 2, reset_s: 60, retry_after_s: 0 })
    clock.now_ms += 20_500
    expect(throttle.take('a', 3)).toEqual({ allowed: true, limit: 3, remaining: 1, reset_s: 40, retry_after_s: 0 })
  })

  it('uses a sliding window: a request leaves it exactly one minute later', () => {
    const { clock, throttle } = setUp()
    throttle.take('a', 2)
    clock.now_ms += 30_000
    throttle.take('a', 2)
    clock.now_ms += 29_999
    expect(throttle.take('a', 2)).toMatchObject({ allowed: false, retry_after_s: 1 })
    clock.now_ms += 1
    expect(throttle.take('a', 2).allowed).toBe(true)
    expect(throttle.take('a', 2)).toMatchObject({ allowed: false, retry_after_s: 30 })
  })

  it('does not count refused requests', () => {
    const { clock, takeMany } = setUp()
    takeMany(2, 'a', 2)
    for (let second = 0; second < 59; second += 1) {
      clock.now_ms += 1000
      expect(takeMany(5, 'a', 2)).toBe(0)
    }
    clock.now_ms += 1000
    expect(takeMany(5, 'a', 2)).toBe(2)
  })

  it('applies a changed limit at once', () => {
    const { clock, throttle, takeMany } = setUp()
    expect(takeMany(20, 'a', 10)).toBe(10)
    clock.now_ms += 10_000
    expect(takeMany(20, 'a', 15)).toBe(5)
    expect(throttle.take('a', 12)).toMatchObject({ allowed: false, remaining: 0, retry_after_s: 50 })
    expect(throttle.take('a', 3)).toMatchObject({ allowed: false, remaining: 0, retry_after_s: 60 })
  })

  it('allows nothing under a limit of 0', () => {
    const { throttle } = setUp()
    expect(throttle.take('a', 0)).toEqual({ allowed: false, limit: 0, remaining: 0, reset_s: 0, retry_after_s: 60 })
  })

  it('counts in whole seconds under a very high limit and never allows more', () => {
    const { clock, takeMany } = setUp()
    clock.now_ms = 1_000_500
    expect(takeMany(150_000, 'a', 120_000)).toBe(120_000)
    clock.now_ms += 60_000
    expect(takeMany(1, 'a', 120_000)).toBe(0)
    clock.now_ms += 1000
    expect(takeMany(150_000, 'a', 120_000)).toBe(120_000)
  })

  it('accepts an infinite limit', () => {
    const { takeMany } = setUp()
    expect(takeMany(10_000, 'a', Number.POSITIVE_INFINITY)).toBe(10_000)
  })

  it('forgets the least recently used key when there are too many', () => {
    const { throttle, takeMany } = setUp(2)
    takeMany(1, 'a', 1)
    takeMany(1, 'b', 1)
    expect(throttle.take('a', 1).allowed).toBe(false)
    takeMany(1, 'c', 1)
    expect(throttle.take('a', 1).allowed).toBe(false)
    expect(throttle.take('b', 1).allowed).toBe(true)
  })

  it('keeps a key while the number of keys stays below the maximum', () => {
    const { clock, throttle } = setUp(1000)
    throttle.take('a', 1)
    for (let other = 0; other < 400; other += 1) {
      clock.now_ms += 149
      throttle.take(`other ${other}`, 1)
    }
    expect(throttle.take('a', 1)).toMatchObject({ allowed: false, retry_after_s: 1 })
  })

  it('agrees with a model that lists the times of all allowed requests', () => {
    const step = fc.record({
      wait_ms: fc.oneof(fc.nat(100), fc.nat(20_000), fc.constantFrom(0, 59_999, 60_000, 60_001)),
      key: fc.constantFrom('a', 'b', 'c'),
      limit: fc.oneof({ weight: 4, arbitrary: fc.constant(5) }, fc.nat(12)),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { clock, throttle } = setUp()
        const model = new Map<string, number[]>()
        for (const { wait_ms, key, limit } of steps) {
          clock.now_ms += wait_ms
          const counted = (model.get(key) ?? []).filter((time_ms) => time_ms > clock.now_ms - 60_000)
          const allowed = counted.length < limit
          if (allowed) counted.push(clock.now_ms)
          model.set(key, counted)
          const verdict = throttle.take(key, limit)
          expect(verdict.allowed).toBe(allowed)
          expect(verdict.remaining).toBe(Math.max(0, limit - counted.length))
          const next_to_leave_ms = limit === 0 ? clock.now_ms : counted[counted.length - limit]!
          expect(verdict.retry_after_s).toBe(
            allowed ? 0 : Math.max(1, Math.ceil((next_to_leave_ms + 60_000 - clock.now_ms) / 1000)),
          )
        }
      }),
    )
  })

  it('allows a request after Retry-After seconds and not one second earlier', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30_000), { minLength: 3, maxLength: 40 }), (waits) => {
        const { clock, throttle } = setUp()
        for (const wait_ms of waits) {
          clock.now_ms += wait_ms
          const verdict = throttle.take('a', 3)
          if (verdict.allowed) continue
          clock.now_ms += (verdict.retry_after_s - 1) * 1000
          if (verdict.retry_after_s > 1) expect(throttle.take('a', 3).allowed).toBe(false)
          clock.now_ms += 1000
          expect(throttle.take('a', 3).allowed).toBe(true)
        }
      }),
    )
  })
})

describe('rateLimitHeaders', () => {
  it('contain the limit, the remaining requests and the seconds until the reset', () => {
    const { throttle } = setUp()
    expect(rateLimitHeaders(throttle.take('a', 30))).toEqual({
      'RateLimit-Limit': '30',
      'RateLimit-Remaining': '29',
      'RateLimit-Reset': '60',
    })
  })

  it('contain Retry-After for a refusal', () => {
    const { clock, throttle } = setUp()
    throttle.take('a', 1)
    clock.now_ms += 12_345
    expect(rateLimitHeaders(throttle.take('a', 1))).toEqual({
      'RateLimit-Limit': '1',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '48',
      'Retry-After': '48',
    })
  })

  it('are empty without a limit', () => {
    const { throttle } = setUp()
    expect(rateLimitHeaders(throttle.take('a', Number.POSITIVE_INFINITY))).toEqual({})
  })
})
