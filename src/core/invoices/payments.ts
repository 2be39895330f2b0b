import type { Reader, Tx } from '../../db/client.ts'
import type { ReadOptions } from './invoices.ts'
import { lockSettled } from './states.ts'

/** The organizations that have issued invoices, and have events after their position. */
export async function findIssuers(db: Reader, committed: number): Promise<number[]> {
  const found = await db<{ organization: number }[]>`
    select organization from money_positions where event_position < ${committed} order by organization`
  return found.map(({ organization }) => organization)
}

/** The types of events after which an invoice may be paid, or open again. */
const MONEY_EVENTS = ['collection.received', 'collection.reversed']

/**
 * Counts the next payments and reversals of an organization for its invoices, and moves its position. All of it is one
 * transaction, so each change of an invoice is reported once however often a process is killed.
 * @param options.committed the end of the feed, read before this transaction began
 * @returns how many events it looked at; 0 also when another process is at work
 */
export async function countNextPayments(
  tx: Tx,
  organization: number,
  { committed, limit, ...options }: ReadOptions & { committed: number; limit: number },
): Promise<number> {
  const [position] = await tx<{ event_position: number }[]>`
    select event_position from money_positions where organization = ${organization} for update skip locked`
  if (!position) return 0
  const events = await tx<{ id: number; collection: number }[]>`
    select id, (data->>'id')::bigint as collection from events
    where organization = ${organization} and type = any(${MONEY_EVENTS}::text[])
      and id > ${position.event_position} and id <= ${committed}
    order by id limit ${limit}`
  // The position stays: to move it for the events of others would write a row a second for nothing.
  if (events.length === 0) return 0
  const collections = events.map(({ collection }) => collection)
  const invoices = await tx<{ id: number }[]>`
    select distinct i.invoice as id from collections c join invoice_requests i on i.request = c.collection_request
    where c.id = any(${collections}::bigint[]) order by i.invoice`
  for (const { id } of invoices) await lockSettled(tx, id, options)
  await tx`
    update money_positions set event_position = ${events.at(-1)!.id} where organization = ${organization}`
  return events.length
}
