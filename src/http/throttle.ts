/** What the throttle said about one request. */
export interface ThrottleVerdict {
  readonly allowed: boolean
  readonly limit: number
  /** How many more requests would be allowed right now. */
  readonly remaining: number
  /** Seconds until the oldest counted request is forgotten and its place is free again; 0 when none is counted. */
  readonly reset_s: number
  /** Seconds until the next request can be allowed; 0 for an allowed one. */
  readonly retry_after_s: number
}

/** Counts requests, in this process or together with others (see throttle-shared.ts); then the verdict takes a moment. */
export interface Throttle {
  take(key: string, limit: number): ThrottleVerdict | Promise<ThrottleVerdict>
  /** Lets go of what is held outside this process. */
  close?(): void
}

/** A throttle that counts what this process alone is asked. */
export interface LocalThrottle extends Throttle {
  take(key: string, limit: number): ThrottleVerdict
}

/**
 * Counts requests per key in an exact sliding window of a minute (interface section 8): in no 60 seconds, wherever they
 * begin, are more than `limit` requests of a key allowed. Refused requests do not count. The limit may change from call
 * to call. Above 100,000 a minute whole seconds are counted, so a request may then count up to a second longer.
 *
 * The key says who and what (`12 read`). Keys are forgotten after a minute or two without a request, and beyond
 * `most_keys` the longest unused are. A call takes constant time, whatever the limit and the number of keys.
 */
export function createThrottle(options: { now_ms?: () => number; most_keys?: number } = {}): LocalThrottle {
  // The wall clock may be set back, which would lock callers out; this one only runs forward.
  const { now_ms = () => performance.now(), most_keys = 10_000 } = options
  // Two generations: what is used moves to the recent one, and what was not used for a whole generation goes with the
  // former one. So forgetting costs nothing, however many keys there are.
  let recent = new Map<string, Window>()
  let former = new Map<string, Window>()
  let recent_since = now_ms()

  function findWindow(key: string, now: number): Window {
    if (now - recent_since >= WINDOW_MS) startGeneration(now)
    const known = recent.get(key)
    if (known) return known
    const window = former.get(key) ?? createWindow()
    if (recent.size * 2 >= most_keys) startGeneration(now)
    recent.set(key, window)
    return window
  }

  function startGeneration(now: number) {
    former = recent
    recent = new Map()
    recent_since = now
  }

  function take(key: string, limit: number): ThrottleVerdict {
    const now = now_ms()
    const window = findWindow(key, now)
    dropExpired(window, now)
    const allowed = window.total < limit
    if (allowed) record(window, limit > MAX_EXACT_LIMIT ? endOfSecond(now) : now)
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - window.total),
      reset_s: window.used ? secondsUntil(window.times[window.head]! + WINDOW_MS, now) : 0,
      retry_after_s: allowed ? 0 : secondsUntil(freeAt(window, limit, now), now),
    }
  }

  return { take }
}

/**
 * The answer headers that tell a caller where it stands: `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`
 * (IETF draft-ietf-httpapi-ratelimit-headers, in seconds), and `Retry-After` (RFC 9110) on a refusal.
 */
export function rateLimitHeaders(verdict: ThrottleVerdict): Record<string, string> {
  // Without a limit there is nothing to tell: the headers hold whole numbers.
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
const MAX_EXACT_LIMIT = 100_000

/**
 * The counted requests of one key, oldest first, in a ring: at `times[i]` there were `counts[i]` of them. The ring is
 * as long as a power of two, so that a mask wraps an index, and grows only as far as the key's own traffic makes it.
 */
interface Window {
  times: Float64Array
  counts: Float64Array
  /** Index of the oldest entry. */
  head: number
  /** How many entries are in use. */
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
  // After a call that counted whole seconds, the last entry may lie in the future; entries stay in order.
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

/** A full ring twice as long, beginning with its oldest entry. */
function growRing(ring: Float64Array, head: number): Float64Array {
  const longer = new Float64Array(ring.length * 2)
  longer.set(ring.subarray(head))
  longer.set(ring.subarray(0, head), ring.length - head)
  return longer
}

/** When so many requests will be forgotten that one more fits under the limit. */
function freeAt({ times, counts, head, used, total }: Window, limit: number, now: number): number {
  let left = total
  for (let i = 0; i < used; i += 1) {
    const at = (head + i) & (times.length - 1)
    left -= counts[at]!
    if (left < limit) return times[at]! + WINDOW_MS
  }
  return now + WINDOW_MS
}

function endOfSecond(now: number): number {
  return Math.floor(now / 1000) * 1000 + 999
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000))
}
