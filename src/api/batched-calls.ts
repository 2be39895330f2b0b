import type { App } from '../app.ts'
import { Unavailable } from '../core/refusals.ts'
import { WriteConflict } from '../core/write-conflict.ts'
import { CommitUnknown, isConnectionError } from '../db/client.ts'
import { createBatcher, type ItemResult } from '../lib/batch.ts'

/** When a newcomer is better off being told to come back. */
const QUEUE_LIMITS = {
  max_items: 5_000,
  max_wait_ms: 1_000,
  overloadError: () => new Unavailable('The service is busy.', 1),
}

/**
 * A write whose concurrent callers share transactions. A lost commit is never repeated, since it may have happened, and
 * with the database away there is nothing to repeat; any other failure is tried again item by item.
 */
export function createBatchedWrite<In, Out>(
  app: App,
  flush: (items: In[]) => Promise<ItemResult<Out>[]>,
  max_wait_ms: number = QUEUE_LIMITS.max_wait_ms,
): (item: In) => Promise<Out> {
  return createBatcher({
    flush,
    max_items: app.config.BATCH_MOST,
    mayRetry: (error) => !(error instanceof CommitUnknown) && !isConnectionError(error),
    isWriteConflict: (error) => error instanceof WriteConflict,
    queue_limits: { ...QUEUE_LIMITS, max_wait_ms },
  })
}

/** A read whose concurrent callers share statements. Each begins after its callers asked, so none sees an older state. */
export function createBatchedRead<Key, Out>(
  app: App,
  read: (keys: Key[]) => Promise<Out[]>,
  most: number = app.config.BATCH_MOST,
): (key: Key) => Promise<Out> {
  return createBatcher({
    flush: async (keys) => (await read(keys)).map((value) => ({ ok: true, value })),
    max_items: Math.min(most, app.config.BATCH_MOST),
    mayRetry: (error) => !isConnectionError(error),
    queue_limits: QUEUE_LIMITS,
  })
}
