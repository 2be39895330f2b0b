import type { FastifyReply } from 'fastify'

/** A door that lets in only so many requests at once. */
export interface InFlightLimiter {
  /** Lets a request in, if there is room, until its answer has left or its connection is gone. */
  acquire(reply: FastifyReply): boolean
  /** Those who have waited for an answer so long, and have not got the beginning of one. */
  findWaiting(wait_ms: number): FastifyReply[]
  /** When to tell the next who found no room: a few in each turn of the event loop. */
  waitToRefuse(): Promise<void>
}

/** So many are told in one turn of the event loop that there is no room. */
const MAX_REFUSALS_PER_TURN = 32

/**
 * What is under way needs many turns of the event loop, and each turn takes in all who have come meanwhile. A flood of
 * newcomers makes the turns so long that nobody is answered, even if all that is done for them is to refuse them. Since a
 * caller asks again only after he was answered, refusing a few in each turn is what keeps the turns short.
 */
export function createInFlightLimiter(most: number): InFlightLimiter {
  // Places that are taken and cleared, and not a Map: of the tables that a Map outgrows each one keeps its requests alive
  // until the great collection, and small collections take longer for it.
  const places: (FastifyReply | undefined)[] = Array.from({ length: most })
  const free = [...places.keys()]
  let refused: (() => void)[] = []
  const tellSome = () => {
    const some = refused.slice(0, MAX_REFUSALS_PER_TURN)
    refused = refused.slice(MAX_REFUSALS_PER_TURN)
    for (const tell of some) tell()
    if (refused.length > 0) setImmediate(tellSome)
  }
  return {
    acquire(reply) {
      const place = free.pop()
      if (place === undefined) return false
      places[place] = reply
      reply.raw.once('close', () => {
        places[place] = undefined
        free.push(place)
      })
      return true
    },
    findWaiting: (wait_ms) =>
      places.flatMap((reply) => (reply && reply.elapsedTime >= wait_ms && !reply.raw.headersSent ? [reply] : [])),
    waitToRefuse: () =>
      new Promise((resolve) => {
        refused.push(resolve)
        if (refused.length === 1) setImmediate(tellSome)
      }),
  }
}
