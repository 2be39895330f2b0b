/** Calls that may take long have lanes of their own, so that they do not keep short ones waiting. */
export type Lane = 'short' | 'long'

/** Maximum seconds of a short operation. */
const SHORT_CALL_S = 15

/** The lane of an operation whose calls may take `call_s` seconds. */
export function laneOf(call_s: number): Lane {
  return call_s > SHORT_CALL_S ? 'long' : 'short'
}

/**
 * Give a slot back. `was_sent` is false when nothing was sent after all: then the operation does not count for the
 * rate. A second call does nothing.
 */
export type Release = (was_sent?: boolean) => void

/** Limits that the operator sets for a connection, over all processes. */
export interface Limits {
  max_concurrent: number
  max_per_second: number
}

/** Keep the operations of one connection below its limits. */
export interface Limiter {
  /** Take a slot for one operation, or return undefined when there is none now. */
  tryAcquire(lane: Lane): Release | undefined
  /**
   * Return the milliseconds until a slot may be free; 0 for now. While all slots are used: the time until another look.
   */
  nextFree(lane: Lane): number
  /** Send nothing for this long, as the network requested. */
  pause(ms: number): void
  /** Other limits count from now on. */
  limit(limits: Limits): void
  /** Divide the limits equally: this process is one of `processes` that use the connection now. */
  share(processes: number): void
}

interface LimiterOptions {
  limits: Limits
  /** True if any operation of the driver belongs to the long lane. */
  has_long_calls: boolean
  /** Monotonic clock, in milliseconds. */
  now_ms: () => number
}

/** Pause before another look while all slots are used. */
const LOOK_AGAIN_MS = 50
const SECOND_MS = 1_000

/**
 * Create the limiter of one connection. At most `max_concurrent` operations run at once, and at most `max_per_second`
 * start in any second. With long calls, these hold at most half of the slots, and short ones leave a quarter to them.
 * The limits apply to this process; `share` divides them.
 */
export function createLimiter({ now_ms, has_long_calls, limits }: LimiterOptions): Limiter {
  let all = limits
  let processes = 1
  let { max_concurrent, max_per_second } = limits
  /** Start times of the last second's operations. */
  let started_ms: number[] = []
  let paused_until_ms = 0
  const in_lane = { short: 0, long: 0 }

  function hasSlot(lane: Lane): boolean {
    const held_back = has_long_calls ? reserved(max_concurrent, lane) : 0
    return in_lane.short + in_lane.long < max_concurrent && in_lane[lane] < max_concurrent - held_back
  }

  function rateWait(now: number): number {
    const first_kept = started_ms.findIndex((at_ms) => now - at_ms < SECOND_MS)
    if (first_kept !== 0) started_ms = first_kept < 0 ? [] : started_ms.slice(first_kept)
    if (started_ms.length < max_per_second) return 0
    return started_ms[started_ms.length - max_per_second]! + SECOND_MS - now
  }

  function divide(): void {
    max_concurrent = Math.max(1, Math.floor(all.max_concurrent / processes))
    max_per_second = Math.max(1, Math.floor(all.max_per_second / processes))
  }

  return {
    tryAcquire(lane) {
      const now = now_ms()
      if (now < paused_until_ms || !hasSlot(lane) || rateWait(now) > 0) return undefined
      in_lane[lane] += 1
      started_ms.push(now)
      let released = false
      return (was_sent = true) => {
        if (released) return
        released = true
        in_lane[lane] -= 1
        if (!was_sent) forget(started_ms, now)
      }
    },
    nextFree(lane) {
      const now = now_ms()
      const slot_wait = hasSlot(lane) ? 0 : LOOK_AGAIN_MS
      return Math.max(0, paused_until_ms - now, rateWait(now), slot_wait)
    },
    pause(ms) {
      paused_until_ms = Math.max(paused_until_ms, now_ms() + ms)
    },
    limit(changed) {
      all = changed
      divide()
    },
    share(count) {
      processes = count
      divide()
    },
  }
}

/** Return the slots that a lane leaves to the other one. */
function reserved(max_concurrent: number, lane: Lane): number {
  const half = Math.floor(max_concurrent / 2)
  return lane === 'long' ? half : Math.min(half, Math.max(1, Math.floor(max_concurrent / 4)))
}

function forget(started_ms: number[], at_ms: number): void {
  const index = started_ms.lastIndexOf(at_ms)
  if (index >= 0) started_ms.splice(index, 1)
}
