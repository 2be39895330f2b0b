import type { Tx } from '../../db/client.ts'
import { watchCredit } from '../allocations/credit-changes.ts'
import { type CollectionRow, collectionTable } from '../collections/collections.ts'

/**
 * Locks a collection until the transaction ends, and reads it. Its invoices must be locked before. It also announces
 * the change of credit in the collection by this transaction.
 */
export async function lockWatchedCollection(tx: Tx, now: Date, collection: number): Promise<CollectionRow | undefined> {
  const [row] = await tx<CollectionRow[]>`
    select ${collectionTable.columns} from collections where id = ${collection} for update`
  if (row) await watchCredit(tx, now, [collection])
  return row
}
