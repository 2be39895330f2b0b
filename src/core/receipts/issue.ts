import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { createDocumentCode } from '../documents/codes.ts'
import { lockSeries, setLastNumber } from '../documents/series.ts'
import { Invalid } from '../refusals.ts'

const receiptTable = table('receipts', {
  id: column.id(),
  organization: column.bigint(),
  number: column.bigint(),
  code: column.text(),
  collection: column.bigint(),
  /** Name of the organization at that time. */
  issuer: column.text(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
})

/**
 * Makes the receipts of an organization's payments, where they have none yet, and numbers them in the order given. The caller
 * has checked that they are payments of this organization whose money arrived.
 * @returns the ids of the receipts, by collection
 */
export async function issueReceipts(
  tx: Tx,
  now: Date,
  organization: number,
  collections: readonly number[],
): Promise<Map<number, number>> {
  if (collections.length === 0) return new Map()
  const series = await lockSeries(tx, organization, 'receipt')
  // After the lock: nothing else can make receipts of this organization now.
  const known = await readIds(tx, collections)
  const missing = [...new Set(collections)].filter((collection) => !known.has(collection))
  if (missing.length === 0) return known
  const created = truncateToSecond(now)
  await tx`
    ${insert(receiptTable, missing, {
      organization,
      number: (_, index) => series.last_number + 1 + index,
      code: () => createDocumentCode(tx.cell),
      collection: (collection) => collection,
      issuer: sql`(select name from organizations where id = ${organization})`,
      created,
      modified: created,
    })}
    order by r.number`
  await setLastNumber(tx, series, series.last_number + missing.length)
  return readIds(tx, collections)
}

async function readIds(tx: Tx, collections: readonly number[]): Promise<Map<number, number>> {
  const found = await tx<{ id: number; collection: number }[]>`
    select id, collection from receipts where collection = any(${[...collections]}::bigint[])`
  return new Map(found.map(({ id, collection }) => [collection, id]))
}

/**
 * Returns the id of the receipt of one payment, which is made if there is none yet.
 * @throws Invalid if the money has not arrived, or was reversed before there was a receipt
 */
export async function issueReceipt(
  tx: Tx,
  now: Date,
  { id, organization, status }: { id: number; organization: number; status: string },
): Promise<number> {
  const known = await readIds(tx, [id])
  if (known.size === 0 && status !== 'successful')
    throw new Invalid({ collection: [getMessage('collections.no_receipt', { status })] })
  return (await issueReceipts(tx, now, organization, [id])).get(id)!
}
