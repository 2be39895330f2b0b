import type { App } from '../app.ts'
import { Overtaken } from '../core/collections.ts'
import { Unavailable } from '../core/refusals.ts'
import { CommitUnknown, isConnectionError } from '../db/client.ts'
import { createBatch, type Settled } from '../lib/batch.ts'

/** Beyond this many waiting callers a newcomer is better off being told to come back. */
const MOST_WAITING = 5_000

/**
 * A write whose concurrent callers share transactions. A lost commit is never repeated, since it may have happened, and
 * with the database away there is nothing to repeat; any other failure is tried again item by item.
 */
export function createWrite<In, Out>(
  app: App,
  flush: (items: In[]) => Promise<Settled<Out>[]>,
): (item: In) => Promise<Out> {
  return createBatch({
    flush,
    most: app.config.BATCH_MOST,
    mayReplay: (error) => !(error instanceof CommitUnknown) && !isConnectionError(error),
    wasOvertaken: (error) => error instanceof Overtaken,
    waiting: { most: MOST_WAITING, overloaded: () => new Unavailable('The service is busy.', 1) },
  })
}
