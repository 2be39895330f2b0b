import type { App } from '../app.ts'
import { Overtaken } from '../core/write-conflict.ts'
import { Unavailable } from '../core/refusals.ts'
import { CommitUnknown, isConnectionError } from '../db/client.ts'
import { createBatch, type Settled } from '../lib/batch.ts'

/** When a newcomer is better off being told to come back. */
const waiting = { most: 5_000, longest_ms: 1_000, overloaded: () => new Unavailable('The service is busy.', 1) }

/**
 * A write whose concurrent callers share transactions. A lost commit is never repeated, since it may have happened, and
 * with the database away there is nothing to repeat; any other failure is tried again item by item.
 */
export function createWrite<In, Out>(
  app: App,
  flush: (items: In[]) => Promise<Settled<Out>[]>,
  longest_ms: number = waiting.longest_ms,
): (item: In) => Promise<Out> {
  return createBatch({
    flush,
    most: app.config.BATCH_MOST,
    mayReplay: (error) => !(error instanceof CommitUnknown) && !isConnectionError(error),
    wasOvertaken: (error) => error instanceof Overtaken,
    waiting: { ...waiting, longest_ms },
  })
}

/** A read whose concurrent callers share statements. Each begins after its callers asked, so none sees an older state. */
export function createRead<Key, Out>(
  app: App,
  read: (keys: Key[]) => Promise<Out[]>,
  most: number = app.config.BATCH_MOST,
): (key: Key) => Promise<Out> {
  return createBatch({
    flush: async (keys) => (await read(keys)).map((value) => ({ ok: true, value })),
    most: Math.min(most, app.config.BATCH_MOST),
    mayReplay: (error) => !isConnectionError(error),
    waiting,
  })
}
