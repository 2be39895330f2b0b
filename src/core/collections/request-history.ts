import type { Reader } from '../../db/client.ts'
import type { OrderRow } from './orders.ts'

/** One change of a request's status. */
export interface RequestHistoryEntry {
  at: Date
  from_status: string
  to_status: string
  author: number
  note: string | null
}

/** What happened to a request: its moves, and what was sent to networks for it. */
export async function readRequestHistory(
  db: Reader,
  request: number,
): Promise<{ moves: RequestHistoryEntry[]; orders: (OrderRow & { sent: Date; answered: Date | null })[] }> {
  const [moves, orders] = await Promise.all([
    db<RequestHistoryEntry[]>`
      select at, from_status, to_status, author, note from collection_request_transitions
      where collection_request = ${request} order by id`,
    db<(OrderRow & { sent: Date; answered: Date | null })[]>`
      select * from collection_orders where collection_request = ${request} order by attempt`,
  ])
  return { moves: [...moves], orders: [...orders] }
}
