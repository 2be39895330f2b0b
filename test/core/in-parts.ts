import { begin, type Database, type Tx } from '../../src/db/client.ts'
import { createBatcher, type ItemResult } from '../../src/lib/batches/batch.ts'

/**
 * Does work on items as the doors do: in one transaction, and after a failure or a conflict in parts.
 * @returns the result or the error of each item, in their order
 */
export async function inParts<Item, Out>(
  db: Database,
  items: readonly Item[],
  work: (tx: Tx, part: readonly Item[]) => Promise<ItemResult<Out>[]>,
): Promise<ItemResult<Out>[]> {
  const write = createBatcher<Item, Out>({
    flush: (part) => begin(db, (tx) => work(tx, part)),
    max_items: items.length,
    mayRetry: () => true,
  })
  const ended = await Promise.allSettled(items.map(write))
  return ended.map((one) =>
    one.status === 'fulfilled' ? { ok: true, value: one.value } : { ok: false, error: one.reason },
  )
}
