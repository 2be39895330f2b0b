import type { Database, Tx } from './client.ts'

/**
 * Runs reads that belong together on one snapshot, so that a page and its count speak of the same moment.
 * Statements are planned for the values at hand: a plan kept for all values would look for a rare status among all
 * requests, because for most statuses that is quick.
 */
export async function snapshot<T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  return (await db.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local plan_cache_mode = force_custom_plan`
    return read(tx)
  })) as T
}
