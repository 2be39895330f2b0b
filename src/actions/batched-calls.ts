import type { App } from '../app.ts'
import { Refusal, Unavailable } from '../core/refusals.ts'
import { isConnectionError, isUnavailable } from '../db/client.ts'
import { type BatchOptions, createBatcher, type ItemResult } from '../lib/batches/batch.ts'
import { WriteConflict } from '../lib/batches/write-conflict.ts'
import { logEvent } from '../lib/log-events.ts'
import { getMessage } from '../lib/messages/message.ts'

/** Above these limits and a time to wait, a new call is refused with 503, since the caller loses less time when it tries again. */
const QUEUE_LIMITS = { max_items: 5_000, overloadError: () => new Unavailable(getMessage('service.busy'), 1) }

/**
 * Make a write whose concurrent callers share transactions. After a failed transaction the error is logged, and its
 * items are retried in smaller parts. There is no retry while the database is out of reach or slow, since each part
 * would wait again. Nor after a commit without an answer, which may have happened.
 */
export function createBatchedWrite<In, Out>(
  app: App,
  flush: (items: In[]) => Promise<ItemResult<Out>[]>,
  max_wait_ms: number = app.queue_wait_ms,
  order: Pick<BatchOptions<In, Out>, 'groupOf' | 'namesOf'> = {},
): (item: In) => Promise<Out> {
  return createBatcher({
    flush,
    max_items: app.config.BATCH_MOST,
    ...order,
    mayRetry: (error) => !isUnavailable(error),
    onRepeat(error, size) {
      // Two callers may compete for the same money or row. Then each gets its own answer.
      const is_expected = error instanceof Refusal || error instanceof WriteConflict
      if (size > 1 && !is_expected) logEvent(app.log, 'batch_failed', { size, error })
    },
    queue_limits: { ...QUEUE_LIMITS, max_wait_ms },
  })
}

/**
 * Make a read whose concurrent callers share statements. A statement begins after its callers' calls, so it is current.
 */
export function createBatchedRead<Key, Out>(
  app: App,
  read: (keys: Key[]) => Promise<Out[]>,
  max_items: number = app.config.BATCH_MOST,
): (key: Key) => Promise<Out> {
  return createBatcher({
    flush: async (keys) => (await read(keys)).map((value) => ({ ok: true, value })),
    max_items: Math.min(max_items, app.config.BATCH_MOST),
    mayRetry: (error) => !isConnectionError(error),
    queue_limits: { ...QUEUE_LIMITS, max_wait_ms: app.queue_wait_ms },
  })
}
