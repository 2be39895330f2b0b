import type { FastifyReply } from 'fastify'

/** The place of one request in flight. */
export interface Place {
  readonly reply: FastifyReply
  readonly slot: number
  /** Time at which the place was taken, by the monotonic clock. */
  readonly since_ms: number
  /** Holders of the place: the address, and the caller as soon as the request is authenticated. */
  readonly holders: string[]
}

/** Limit the requests in flight, and share the places between their callers. */
export interface InFlightLimiter {
  /** Return true if a request of this holder would get a place now. */
  hasPlace(holder: string): boolean
  /**
   * Take a place for a request until its response is sent or its connection closes. Undefined when no place is free, or
   * when the holder has its share.
   */
  acquire(reply: FastifyReply, holder: string): Place | undefined
  /** Count a place for a second holder as well. False when that one has its share. */
  assign(place: Place, holder: string): boolean
  /** The admitted requests that have waited at least `wait_ms` and whose response has not begun. */
  findWaiting(wait_ms: number): FastifyReply[]
  /** Resolve when the next request without a place may be refused: a few in each turn of the event loop. */
  waitToRefuse(): Promise<void>
}

const MAX_REFUSALS_PER_TURN = 32

/**
 * Maximum share of a holder, as a multiple of the free places. One caller alone gets four fifths of all places, two get
 * four ninths each. However many there are, some places stay free for a newcomer (the dynamic thresholds of Choudhury
 * and Hahne, 1998).
 */
const SHARE_OF_FREE = 4

/**
 * Create a limiter with `max_in_flight` places.
 *
 * A request in flight needs many turns of the event loop, and each turn accepts all requests that arrived meanwhile. A
 * flood of new requests makes the turns so long that no request finishes, even when the new ones are only refused. A
 * client sends its next request after the response, so refusing only a few in each turn keeps the turns short.
 */
export function createInFlightLimiter(max_in_flight: number): InFlightLimiter {
  // An array and not a Map: each table that a Map outgrows keeps its requests alive until the next major garbage
  // collection, and makes minor collections slower.
  const places: (Place | undefined)[] = Array.from({ length: max_in_flight })
  const free = [...places.keys()]
  const held = new Map<string, number>()
  const hasPlace = (holder: string) => (held.get(holder) ?? 0) < SHARE_OF_FREE * free.length
  const hold = (holder: string) => held.set(holder, (held.get(holder) ?? 0) + 1)
  const release = (place: Place) => {
    places[place.slot] = undefined
    free.push(place.slot)
    for (const holder of place.holders) {
      const left = held.get(holder)! - 1
      if (left > 0) held.set(holder, left)
      else held.delete(holder)
    }
  }
  let waiting: (() => void)[] = []
  const refuseNext = () => {
    const next = waiting.slice(0, MAX_REFUSALS_PER_TURN)
    waiting = waiting.slice(MAX_REFUSALS_PER_TURN)
    for (const refuse of next) refuse()
    if (waiting.length > 0) setImmediate(refuseNext)
  }
  return {
    hasPlace,
    acquire(reply, holder) {
      if (!hasPlace(holder)) return undefined
      const place: Place = { reply, slot: free.pop()!, since_ms: performance.now(), holders: [holder] }
      hold(holder)
      places[place.slot] = place
      reply.raw.once('close', () => release(place))
      return place
    },
    assign(place, holder) {
      if (place.holders.includes(holder)) return true
      // The place itself is no longer free, but it was when the request asked for it.
      if ((held.get(holder) ?? 0) >= SHARE_OF_FREE * (free.length + 1)) return false
      hold(holder)
      place.holders.push(holder)
      return true
    },
    findWaiting(wait_ms) {
      const latest_ms = performance.now() - wait_ms
      return places.flatMap((place) =>
        place && place.since_ms <= latest_ms && !place.reply.raw.headersSent ? [place.reply] : [],
      )
    },
    waitToRefuse: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 1) setImmediate(refuseNext)
      }),
  }
}
