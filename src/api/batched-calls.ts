import type { App } from '../app.ts'
import { Unavailable } from '../core/refusals.ts'
import { WriteConflict } from '../core/write-conflict.ts'
import { isConnectionError, mayRetry } from '../db/client.ts'
import { createBatcher, type ItemResult } from '../lib/batch.ts'

/** Above these limits a new call is refused with 503, since the caller loses less time when it tries again. */
const QUEUE_LIMITS = {
  max_items: 5_000,
  max_wait_ms: 1_000,
  overloadError: () => new Unavailable('The service is busy.', 1),
}

/**
 * Makes a write whose concurrent callers share transactions. When a transaction fails, its items are tried again one by
 * one, except when the connection broke: a commit without an answer may have happened and must not be repeated.
 */
export function createBatchedWrite<In, Out>(
  app: App,
  flush: (items: In[]) => Promise<ItemResult<Out>[]>,
  max_wait_ms: number = QUEUE_LIMITS.max_wait_ms,
): (item: In) => Promise<Out> {
  return createBatcher({
    flush,
    max_items: app.config.BATCH_MOST,
    mayRetry,
    isWriteConflict: (error) => error instanceof WriteConflict,
    queue_limits: { ...QUEUE_LIMITS, max_wait_ms },
  })
}

/** Makes a read whose concurrent callers share statements. A statement begins after its callers' calls, so it is current. */
export function createBatchedRead<Key, Out>(
  app: App,
  read: (keys: Key[]) => Promise<Out[]>,
  max_items: number = app.config.BATCH_MOST,
): (key: Key) => Promise<Out> {
  return createBatcher({
    flush: async (keys) => (await read(keys)).map((value) => ({ ok: true, value })),
    max_items: Math.min(max_items, app.config.BATCH_MOST),
    mayRetry: (error) => !isConnectionError(error),
    queue_limits: QUEUE_LIMITS,
  })
}
