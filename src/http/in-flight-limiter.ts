import type { FastifyReply } from 'fastify'

/** Limits how many requests are in flight at once. */
export interface InFlightLimiter {
  /** Takes a slot for a request until its response is sent or its connection closes. False when no slot is free. */
  acquire(reply: FastifyReply): boolean
  /** The admitted requests that have waited at least `wait_ms` and whose response has not begun. */
  findWaiting(wait_ms: number): FastifyReply[]
  /** Resolves when the next request without a slot may be refused: a few in each turn of the event loop. */
  waitToRefuse(): Promise<void>
}

const MAX_REFUSALS_PER_TURN = 32

/**
 * Creates a limiter with `max_in_flight` slots.
 *
 * A request in flight needs many turns of the event loop, and each turn accepts all requests that arrived meanwhile. A
 * flood of new requests makes the turns so long that no request finishes, even when the new ones are only refused. A
 * client sends its next request after the response, so refusing only a few in each turn keeps the turns short.
 */
export function createInFlightLimiter(max_in_flight: number): InFlightLimiter {
  // An array and not a Map: each table that a Map outgrows keeps its requests alive until the next major garbage
  // collection, and makes minor collections slower.
  const slots: (FastifyReply | undefined)[] = Array.from({ length: max_in_flight })
  const free = [...slots.keys()]
  let waiting: (() => void)[] = []
  const refuseNext = () => {
    const next = waiting.slice(0, MAX_REFUSALS_PER_TURN)
    waiting = waiting.slice(MAX_REFUSALS_PER_TURN)
    for (const refuse of next) refuse()
    if (waiting.length > 0) setImmediate(refuseNext)
  }
  return {
    acquire(reply) {
      const slot = free.pop()
      if (slot === undefined) return false
      slots[slot] = reply
      reply.raw.once('close', () => {
        slots[slot] = undefined
        free.push(slot)
      })
      return true
    },
    findWaiting: (wait_ms) =>
      slots.flatMap((reply) => (reply && reply.elapsedTime >= wait_ms && !reply.raw.headersSent ? [reply] : [])),
    waitToRefuse: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 1) setImmediate(refuseNext)
      }),
  }
}
