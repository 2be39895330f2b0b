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

/** An order, when it was sent, and when the network answered. */
type SentOrder = OrderRow & { sent: Date; answered: Date | null }

/** The history of a request: its transitions (`moves`), and the orders that were sent to networks for it. */
export async function readRequestHistory(
  db: Reader,
  request: number,
): Promise<{ moves: RequestHistoryEntry[]; orders: SentOrder[] }> {
  const [moves, orders] = await Promise.all([
    db<RequestHistoryEntry[]>`
      select at, from_status, to_status, author, note from collection_request_transitions
      where collection_request = ${request} order by id`,
    db<SentOrder[]>`
      select * from collection_orders where collection_request = ${request} order by attempt`,
  ])
  return { moves, orders }
}
