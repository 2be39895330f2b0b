import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { RequestRow } from './collection-request.ts'
import type { CollectionRow } from './collections.ts'
import { lockOpenRequests, transitionRequests } from './orders.ts'

/** Money that names a request, fits it in account, currency and amount, and was left unmatched. */
interface PaidRequest {
  request: number
  status: RequestRow['status']
  /** The order that the network calls successful; null where the customer typed the request's id. */
  order: string | null
  collection: number
}

/**
 * Matches money that was left unmatched to the open requests that it names, at most `limit` at once: the order of the request
 * is successful and this collection paid it, or the customer typed the request's id. The money stays in its wallet, where it
 * was credited and announced when it came; what changes, and is announced, is the request. A request that has ended is left
 * alone.
 * @returns the requests that are successful now.
 */
export async function matchPaidRequests(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const found = await findPaidRequests(tx, 'open', limit)
  if (found.length === 0) return []
  // Requests before collections, as where money comes in, so that two transactions do not wait for each other.
  const requests = await lockOpenRequests(tx, [...new Set(found.map(({ request }) => request))])
  const collections = await tx<CollectionRow[]>`
    select * from collections where id = any(${found.map(({ collection }) => collection)}::bigint[]) order by id for update`
  const matches = requests.flatMap((request) => {
    const mine = found.filter((one) => one.request === request.id).map((one) => one.collection)
    const collection = collections.find((one) => mine.includes(one.id) && isFree(one) && fits(one, request))
    return collection ? [{ request, collection }] : []
  })
  // One collection fulfils one request, also where two requests are named by the same money.
  const distinct = matches.filter(
    (match, index) => matches.findIndex((other) => other.collection.id === match.collection.id) === index,
  )
  if (distinct.length === 0) return []
  await tx`
    update collections c set collection_request = m.request, modified = ${truncateToSecond(now)}, updated_by = c.author
    from unnest(${distinct.map(({ collection }) => collection.id)}::bigint[],
      ${distinct.map(({ request }) => request.id)}::bigint[]) as m(collection, request)
    where c.id = m.collection`
  await transitionRequests(
    tx,
    now,
    distinct.map(({ request, collection }) => ({
      request,
      to: 'successful' as const,
      author: collection.author,
      collection: collection.id,
      note: 'Matched later: the money had come and was left unmatched.',
      due_at: null,
    })),
  )
  return distinct.map(({ request }) => request.id)
}

/**
 * What is wrong with requests whose money has come, in sentences; empty when every request is successful whose money named it
 * while it was open. Money that comes after the end of a request is unmatched, and nothing is wrong with it.
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

/** The orders that a network calls paid and whose money is not in the books, in sentences. */
export async function checkPaidOrders(db: Reader): Promise<string[]> {
  const rows = await db<{ reference: string; network: string; remote_id: string | null }[]>`
    select o.reference, o.network, o.remote_id from collection_orders o
    where o.outcome = 'successful' and not exists (
      select from collections c where c.network = o.network and c.remote_transaction_id = o.remote_id)
    order by o.reference limit ${MAX_FINDINGS}`
  return rows.map(
    ({ reference, network, remote_id }) =>
      `Order ${reference} was paid on ${network} (${remote_id}), and the money is not in the books. \`npx kusanya reconcile\` compares them with the network's statement.`,
  )
}

/** Nobody reads more of one kind. */
const MAX_FINDINGS = 200

function paidBy(order: string | null, collection: number): string {
  return order === null ? `collection ${collection} named it` : `collection ${collection} paid its order ${order}`
}

/**
 * Open requests with unmatched money, or requests that ended although their unmatched money had been recorded in an earlier
 * second.
 */
async function findPaidRequests(db: Reader, which: 'open' | 'ended', limit: number): Promise<PaidRequest[]> {
  const candidates =
    which === 'open'
      ? sql`r.status in ('pending', 'processing_started', 'instructions_sent')`
      : sql`r.status in ('failed', 'expired') and c.created < r.modified`
  const rows = await db<PaidRequest[]>`
    select * from (
      select r.id as request, r.status, o.reference as "order", c.id as collection
      from collection_requests r
      join collection_orders o on o.collection_request = r.id and o.outcome = 'successful'
      join collections c on c.network = o.network and c.remote_transaction_id = o.remote_id
      where ${candidates} and ${isUnmatched}
      union
      select r.id, r.status, null, c.id
      from collections c
      join collection_requests r on r.id = case when c.reference ~ '^\\s*\\d{1,15}\\s*$' then c.reference::bigint end
      where ${candidates} and ${isUnmatched} and c.created >= r.created) found
    order by request, "order" nulls last, collection limit ${limit}`
  return [...rows]
}

const isUnmatched = sql`c.collection_request is null and c.claimed_by is null and c.refunded = 0
  and c.status = 'successful' and c.account = r.account and c.amount = r.amount and c.currency = r.currency`

/** The same of locked rows. */
function isFree(collection: CollectionRow): boolean {
  const { collection_request, claimed_by, refunded, status } = collection
  return collection_request === null && claimed_by === null && refunded === 0n && status === 'successful'
}

function fits(collection: CollectionRow, request: RequestRow): boolean {
  return (['account', 'amount', 'currency'] as const).every((field) => collection[field] === request[field])
}
