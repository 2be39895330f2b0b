import type { Reader } from '../db/client.ts'
import type { Tracing } from '../lib/tracing/tracing.ts'

/** Traces of collection requests: their contexts, which are stored with them, and the spans that continue them. */
export interface RequestTraces {
  tracing: Tracing
  /**
   * Finds the W3C contexts of these requests. Requests without one are left out: they were stored without traces, or
   * their traces are not exported. Requests that cannot be read now are left out too.
   */
  find(requests: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Remembers the context that a new request was stored with. */
  remember(request: number, traceparent: string | null): void
}

/**
 * Maximum number of contexts in memory: the requests that are open in a busy minute. The others are read from the
 * database.
 */
const MAX_REMEMBERED = 10_000

/** Opens the traces of the requests of this database. */
export function openRequestTraces(db: Reader, tracing: Tracing): RequestTraces {
  const known = new Map<number, string | null>()
  const remember = (request: number, traceparent: string | null) => {
    known.delete(request)
    known.set(request, traceparent)
    if (known.size > MAX_REMEMBERED) known.delete(known.keys().next().value!)
  }
  return {
    tracing,
    remember,
    async find(requests) {
      const unknown = requests.filter((request) => !known.has(request))
      const read = unknown.length === 0 ? [] : await readTraceparents(db, unknown)
      for (const { id, traceparent } of read) remember(id, traceparent)
      const of_read = new Map(read.map(({ id, traceparent }) => [id, traceparent]))
      return new Map(
        requests.flatMap((request) => {
          const traceparent = of_read.get(request) ?? known.get(request)
          return traceparent ? [[request, traceparent] as const] : []
        }),
      )
    },
  }
}

async function readTraceparents(db: Reader, requests: readonly number[]) {
  try {
    return await db<{ id: number; traceparent: string | null }[]>`
      select id, traceparent from collection_requests where id = any(${[...requests]}::bigint[])`
  } catch {
    // The work itself reports that the database is out of reach. It is done without a trace.
    return []
  }
}
