import { Throttled } from '../core/refusals.ts'

/** The decision of the throttle about one request. */
export interface ThrottleVerdict {
  readonly allowed: boolean
  readonly limit: number
  /** Number of further requests that are allowed now. */
  readonly remaining: number
  /** Seconds until the oldest counted request leaves the window; 0 when none is counted. */
  readonly reset_s: number
  /** Seconds until the next request can be allowed; 0 for an allowed one. */
  readonly retry_after_s: number
}

/** Count a request. @throws Throttled above its limit */
export async function requireAllowed(throttle: Throttle, key: string, limit: number): Promise<void> {
  const verdict = await throttle.take(key, limit)
  if (!verdict.allowed) throw new Throttled(verdict.retry_after_s)
}

/** Counter of requests: in this process, or together with other processes, and then asynchronously (throttle-shared.ts). */
export interface Throttle {
  /**
   * Count one request of `key`, unless `limit` requests are already in its window.
   * @param shared a window that the key shares with others; the request counts in both or in none
   * @returns the verdict of the refusing window, or of the key's
   */
  take(key: string, limit: number, shared?: SharedWindow): ThrottleVerdict | Promise<ThrottleVerdict>
  /** Close connections to other processes. */
  close?(): void
}

/** A window in which several keys count together. */
export interface SharedWindow {
  key: string
  limit: number
}

/** Throttle that counts only the requests of this process. */
export interface LocalThrottle extends Throttle {
  take(key: string, limit: number, shared?: SharedWindow): ThrottleVerdict
}

/**
 * Count requests per key in an exact sliding window of one minute (interface section 8): no period of 60 seconds has
 * more than `limit` allowed requests. Refused requests do not count. The limit may change between calls. Above 100,000
 * a minute, timestamps are rounded up to the second, so a request may count up to a second longer.
 *
 * The key names the caller and the kind of request (`12 read`). A key is forgotten after one to two minutes without a
 * request. Above `max_keys`, the least recently used keys are forgotten. A call takes constant time for any limit and
 * any number of keys.
 */
export function createThrottle(options: { now_ms?: () => number; max_keys?: number } = {}): LocalThrottle {
  // A monotonic clock: a wall clock that is set back would lock callers out.
  const { now_ms = () => performance.now(), max_keys = 10_000 } = options
  // Two generations make forgetting take constant time. A used key moves to the current one; a key unused for a whole
  // generation is dropped with the previous one.
  let current = new Map<string, Window>()
  let previous = new Map<string, Window>()
  let current_since_ms = now_ms()

  function findWindow(key: string, now: number): Window {
    if (now - current_since_ms >= WINDOW_MS) startGeneration(now)
    const existing = current.get(key)
    if (existing) return existing
    const window = previous.get(key) ?? createWindow()
    if (current.size * 2 >= max_keys) startGeneration(now)
    current.set(key, window)
    return window
  }

  function startGeneration(now: number) {
    previous = current
    current = new Map()
    current_since_ms = now
  }

  function take(key: string, limit: number, shared?: SharedWindow): ThrottleVerdict {
    const now = now_ms()
    const own = { window: findWindow(key, now), limit }
    if (!shared) return judge(own, now, count([own], now))
    const all = [own, { window: findWindow(shared.key, now), limit: shared.limit }]
    const counted = count(all, now)
    return judge(all.find(({ window, limit }) => !counted && window.total >= limit) ?? own, now, counted)
  }

  return { take }
}

interface LimitedWindow {
  window: Window
  limit: number
}

/** Count a request in all windows, unless one of them is full. */
function count(all: readonly LimitedWindow[], now: number): boolean {
  for (const { window } of all) dropExpired(window, now)
  const allowed = all.every(({ window, limit }) => window.total < limit)
  if (allowed) for (const { window, limit } of all) record(window, limit > MAX_EXACT_LIMIT ? endOfSecond(now) : now)
  return allowed
}

function judge({ window, limit }: LimitedWindow, now: number, allowed: boolean): ThrottleVerdict {
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - window.total),
    reset_s: window.used ? secondsUntil(window.times[window.head]! + WINDOW_MS, now) : 0,
    retry_after_s: allowed ? 0 : secondsUntil(nextAllowedAt(window, limit, now), now),
  }
}

/**
 * The response headers about the rate limit: `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` (IETF
 * draft-ietf-httpapi-ratelimit-headers, in seconds), and `Retry-After` (RFC 9110) on a refusal.
 */
export function rateLimitHeaders(verdict: ThrottleVerdict): Record<string, string> {
  // The headers hold integers, so there are none without a limit (Infinity).
  if (!Number.isFinite(verdict.limit)) return {}
  const headers: Record<string, string> = {
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.reset_s),
  }
  if (!verdict.allowed) headers['Retry-After'] = String(verdict.retry_after_s)
  return headers
}

const WINDOW_MS = 60_000
/** Up to this limit each request keeps its exact timestamp; above it, timestamps are rounded up to the second. */
const MAX_EXACT_LIMIT = 100_000

/**
 * The counted requests of one key in a ring buffer, oldest first: `counts[i]` requests at time `times[i]`. The length is a
 * power of two, so that a mask wraps an index. The buffer grows only with the traffic of its key.
 */
interface Window {
  times: Float64Array
  counts: Float64Array
  /** Index of the oldest entry. */
  head: number
  /** Number of used entries. */
  used: number
  /** The sum of all counts. */
  total: number
}

function createWindow(): Window {
  return { times: new Float64Array(4), counts: new Float64Array(4), head: 0, used: 0, total: 0 }
}

function newestTime({ times, head, used }: Window): number {
  return used ? times[(head + used - 1) & (times.length - 1)]! : Number.NEGATIVE_INFINITY
}

function dropExpired(window: Window, now: number) {
  const { times, counts } = window
  while (window.used && times[window.head]! <= now - WINDOW_MS) {
    window.total -= counts[window.head]!
    window.head = (window.head + 1) & (times.length - 1)
    window.used -= 1
  }
}

function record(window: Window, at: number) {
  // A rounded timestamp may be in the future; a request before it is counted with it, so that entries stay in order.
  const last = newestTime(window)
  if (at > last) {
    if (window.used === window.times.length) grow(window)
    const tail = (window.head + window.used) & (window.times.length - 1)
    window.times[tail] = at
    window.counts[tail] = 1
    window.used += 1
  } else {
    window.counts[(window.head + window.used - 1) & (window.times.length - 1)]! += 1
  }
  window.total += 1
}

function grow(window: Window) {
  window.times = growRing(window.times, window.head)
  window.counts = growRing(window.counts, window.head)
  window.head = 0
}

/** Copy a full ring buffer into one of twice the length that begins with the oldest entry. */
function growRing(ring: Float64Array, head: number): Float64Array {
  const longer = new Float64Array(ring.length * 2)
  longer.set(ring.subarray(head))
  longer.set(ring.subarray(0, head), ring.length - head)
  return longer
}

/** The time at which enough requests have left the window that one more fits under the limit. */
function nextAllowedAt({ times, counts, head, used, total }: Window, limit: number, now: number): number {
  let left = total
  for (let i = 0; i < used; i += 1) {
    const index = (head + i) & (times.length - 1)
    left -= counts[index]!
    if (left < limit) return times[index]! + WINDOW_MS
  }
  return now + WINDOW_MS
}

function endOfSecond(now: number): number {
  return Math.floor(now / 1000) * 1000 + 999
}

function secondsUntil(time_ms: number, now_ms: number): number {
  return Math.max(1, Math.ceil((time_ms - now_ms) / 1000))
}
