import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { RequestRow } from './collection-request.ts'
import { type CollectionRow, collectionTable, type MatchReason } from './collections.ts'
import { lockOpenRequests, transitionAlone } from './orders.ts'

/** An unmatched collection that names a request and has its account, currency and amount. */
interface PaidRequest {
  request: number
  status: RequestRow['status']
  /** The reference of the paid order; null if the customer typed the id of the request. */
  order: string | null
  collection: number
}

/**
 * Reads open requests with the unmatched collections that name them, at most `limit`. A collection names a request if it
 * paid a successful order of the request, or if the customer typed the id of the request.
 * @returns the ids of the collections, by request
 */
export async function readPaidRequests(db: Reader, limit: number): Promise<Map<number, number[]>> {
  const found = Map.groupBy(await findPaidRequests(db, 'open', limit), ({ request }) => request)
  return new Map([...found].map(([request, rows]) => [request, rows.map(({ collection }) => collection)]))
}

/**
 * Matches a request to the first of these collections that is free, unless it has ended. The money stays in its wallet,
 * and its own event was recorded when it arrived. Only the request changes and gets an event.
 * @returns true if the request is successful now
 */
export async function matchPaidRequest(tx: Tx, now: Date, id: number, named_by: readonly number[]): Promise<boolean> {
  // Requests are locked before collections, as for incoming payments, so that transactions do not wait in a circle.
  const [request] = await lockOpenRequests(tx, [id])
  const collections = await tx<CollectionRow[]>`
    select ${collectionTable.columns} from collections where id = any(${named_by}::bigint[]) order by id for update`
  const collection = request && collections.find((row) => isFree(row) && fits(row, request))
  if (!collection) return false
  const { author, network_order } = collection
  const reason = network_order === null ? 'request_number' : 'order'
  await fulfilRequest(tx, now, { request, collection, reason, author, note: getMessage('requests.matched_later') })
  return true
}

/** Fulfils an open request with a collection that is in its wallet. Both are locked. */
export async function fulfilRequest(
  tx: Tx,
  now: Date,
  match: { request: RequestRow; collection: { id: number }; reason: MatchReason; author: number; note: string },
): Promise<void> {
  const { request, reason, author, note } = match
  const collection = match.collection.id
  await tx`
    update collections set collection_request = ${request.id}, match_reason = ${reason},
      modified = ${truncateToSecond(now)}, updated_by = ${author}
    where id = ${collection}`
  await transitionAlone(tx, now, { request, to: 'successful', author, collection, note, due_at: null })
}

/**
 * Finds requests that were paid while they were open and are not successful. A payment after the end of a request is
 * unmatched, which is correct.
 * @returns one sentence for each such request
 */
export async function checkPaidRequests(db: Reader): Promise<string[]> {
  const [open, ended] = await Promise.all([
    findPaidRequests(db, 'open', MAX_FINDINGS),
    findPaidRequests(db, 'ended', MAX_FINDINGS),
  ])
  return [
    ...open.map(
      ({ request, status, order, collection }) =>
        `Request ${request} is ${status}, although ${paidBy(order, collection)}. The service matches the two within the hour.`,
    ),
    ...ended.map(
      ({ request, status, order, collection }) =>
        `Request ${request} is ${status}, although ${paidBy(order, collection)} before it ended. Return collection ${collection}, or serve the customer.`,
    ),
  ]
}

/**
 * Finds orders that are paid, but whose money is not in the books, and orders whose money may be in the books twice: under
 * the reference of the order, and under an id of the network. Returns one sentence for each.
 */
export async function checkPaidOrders(db: Reader): Promise<string[]> {
  const missing = await db<{ reference: string; connection: string; remote_id: string | null }[]>`
    select o.reference, o.connection, o.remote_transaction_id as remote_id from network_orders o
    where o.kind = 'charge' and o.state in ('successful', 'reversed')
      and not exists (select from collections c where c.network_order = o.id)
    order by reference limit ${MAX_FINDINGS}`
  const twice = await db<{ reference: string; collection: number; other: number }[]>`
    select o.reference, c.id as collection, d.id as other from network_orders o
    join collections c on c.network_order = o.id
    join collections d on d.connection = o.connection and d.remote_transaction_id = o.remote_transaction_id and d.id <> c.id
    where o.kind = 'charge' and o.state = 'successful' and c.remote_transaction_id in (o.reference, o.remote_id)
    order by o.reference limit ${MAX_FINDINGS}`
  return [
    ...missing.map(
      ({ reference, connection, remote_id }) =>
        `Order ${reference} was paid on ${connection} (${remote_id ?? 'the network gave no id'}), and the money is not in the books. \`npx kusanya reconcile\` compares them with the network's statement.`,
    ),
    ...twice.map(
      ({ reference, collection, other }) =>
        `Order ${reference} was paid once, and collections ${collection} and ${other} may both be its money. Compare them with the network's statement.`,
    ),
  ]
}

/** Maximum number of findings: enough for a person to see the fault. */
const MAX_FINDINGS = 200

function paidBy(order: string | null, collection: number): string {
  return order === null ? `collection ${collection} named it` : `collection ${collection} paid its order ${order}`
}

/**
 * Reads open requests with an unmatched collection, or requests that ended in a later second than their unmatched
 * collection was recorded. Times are whole seconds. Money with a typed id must be from a later second than the request:
 * in the same second it may have come before a request had this id.
 */
async function findPaidRequests(db: Reader, state: 'open' | 'ended', limit: number): Promise<PaidRequest[]> {
  const condition =
    state === 'open'
      ? sql`r.status in ('pending', 'processing_started', 'instructions_sent')`
      : sql`r.status in ('failed', 'expired') and c.created < r.modified`
  return db`
    select * from (
      select r.id as request, r.status, o.reference as "order", c.id as collection
      from collection_requests r
      join network_orders o on o.collection_request = r.id and o.state = 'successful'
      join collections c on c.network_order = o.id
      where ${condition} and ${isUnmatched}
      union
      select r.id, r.status, null, c.id
      from collections c
      join collection_requests r on r.id = case when c.reference ~ '^\\s*\\d{1,16}\\s*$' then c.reference::bigint end
      where ${condition} and ${isUnmatched} and c.created > r.created) found
    order by request, "order" nulls last, collection limit ${limit}`
}

const isUnmatched = sql`c.collection_request is null and c.claimed_by is null and c.allocated = 0 and c.refunded = 0
  and c.reversed_in_parts = 0 and c.status = 'successful' and c.account = r.account and c.amount = r.amount and c.currency = r.currency`

/** The same condition for a row that is locked. */
function isFree(collection: CollectionRow): boolean {
  const { collection_request, claimed_by, allocated, refunded, reversed_in_parts, status } = collection
  const untouched = claimed_by === null && allocated === 0n && refunded === 0n && reversed_in_parts === 0n
  return collection_request === null && untouched && status === 'successful'
}

function fits(collection: CollectionRow, request: RequestRow): boolean {
  return (['account', 'amount', 'currency'] as const).every((field) => collection[field] === request[field])
}
