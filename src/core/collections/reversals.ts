import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, table } from '../../db/table.ts'
import type { NetworkTransaction, PartialReversal } from '../../lib/adapter-types.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { watchCredit } from '../allocations/credit-changes.ts'
import { recordEvents } from '../events/events.ts'
import { takeParts } from '../ledger/partial-reversals.ts'
import { type RequestRow, storedRequest } from './collection-request.ts'
import {
  Collection,
  type CollectionRow,
  type CollectionStatus,
  collectionsById,
  collectionTable,
} from './collections.ts'
import { type CollectionReversal, postReversals } from './ledger-postings.ts'
import { transitionRequests } from './orders.ts'

/** Part of a network's report about reversals. */
export type ReversalReport = Pick<NetworkTransaction, 'remote_id' | 'status' | 'reversals'> & {
  network: { slug: string }
}

/** True if a report says that the network has reversed the money or a part of it. */
export function takesMoneyBack({ status, reversals = [] }: ReversalReport): boolean {
  return status === 'reversed' || reversals.length > 0
}

/** Returns a key that identifies a transaction among those of all networks. */
export function remoteTransactionKey(report: { network: { slug: string }; remote_id: string }): string {
  return `${report.network.slug}:${report.remote_id}`
}

/** The transactions of reports as rows to join with collections. */
export function remoteTransactions(reports: readonly { network: { slug: string }; remote_id: string }[]) {
  return rows(reports, { connection: ['text', (report) => report.network.slug], remote_id: 'text' })
}

/**
 * Takes collections, or parts of them, out of the books again. Each part is taken once, by the id of its reversal, and
 * all together never exceed the collection. Partial reversals leave the status as it is until nothing is left. Then the
 * collection is `reversed`, and so is the request that it had fulfilled. Each collection that changes causes a
 * `collection.reversed` event. Requests are locked before collections, as everywhere.
 * @returns the keys of the transactions that were reversed now, at least in part
 * @throws WriteConflict when such a collection was matched to a request meanwhile
 */
export async function reverseCollections(tx: Tx, now: Date, reports: readonly ReversalReport[]): Promise<Set<string>> {
  const reported = mergeReports(reports.filter(takesMoneyBack))
  if (reported.size === 0) return new Set()
  const found = await tx<{ id: number; request: number | null }[]>`
    select c.id, c.collection_request as request from ${remoteTransactions([...reported.values()]).as('r')}
    join collections c on c.connection = r.connection and c.remote_transaction_id = r.remote_id`
  const requests = await tx<RequestRow[]>`
    select ${storedRequest.columns} from collection_requests
    where id = any(${found.flatMap(({ request }) => request ?? [])}::bigint[]) order by id for update`
  const ids = found.map(({ id }) => id)
  const collections = await tx<CollectionRow[]>`
    select ${collectionTable.columns} from collections where id = any(${ids}::bigint[]) order by id for update`
  const locked = new Map(requests.map((request) => [request.id, request]))
  if (collections.some((row) => row.collection_request !== null && !locked.has(row.collection_request)))
    throw new WriteConflict()
  const known = await tx<{ collection: number; remote_id: string }[]>`
    select collection, remote_id from collection_reversals where collection = any(${ids}::bigint[])`
  const taken_before = new Set(known.map(({ collection, remote_id }) => `${collection}:${remote_id}`))
  const changes = collections.flatMap((row) => {
    const report = reported.get(collectionKey(row))!
    const new_parts = report.parts.filter(({ remote_id }) => !taken_before.has(`${row.id}:${remote_id}`))
    return planReversal(row, { ...report, parts: new_parts }) ?? []
  })
  await watchCredit(
    tx,
    now,
    changes.flatMap(({ collection: { id, allocated } }) => (allocated > 0n ? [id] : [])),
  )
  await writeReversals(tx, now, changes)
  await reverseRequests(tx, now, changes, locked)
  await announceReversals(tx, now, changes)
  await postReversals(tx, now, changes)
  return new Set(changes.map(({ collection }) => collectionKey(collection)))
}

/** Combined content of all reports about one transaction. */
interface ReportedReversal {
  network: { slug: string }
  remote_id: string
  /** The whole rest is reversed. */
  whole: boolean
  parts: PartialReversal[]
}

function mergeReports(reports: readonly ReversalReport[]): Map<string, ReportedReversal> {
  const merged = new Map<string, ReportedReversal>()
  for (const report of reports) {
    const { network, remote_id, status, reversals = [] } = report
    const key = remoteTransactionKey(report)
    const earlier = merged.get(key) ?? { network, remote_id, whole: false, parts: [] }
    const parts = new Map([...earlier.parts, ...reversals].map((part) => [part.remote_id, part]))
    merged.set(key, { ...earlier, whole: earlier.whole || status === 'reversed', parts: [...parts.values()] })
  }
  return merged
}

function collectionKey({ connection, remote_transaction_id }: CollectionRow): string {
  return remoteTransactionKey({ network: { slug: connection }, remote_id: remote_transaction_id })
}

type Change = CollectionReversal & { status: CollectionStatus }

/** Plans the reversal of a collection now, or undefined if nothing is to be reversed. */
function planReversal(
  collection: CollectionRow,
  { whole, parts }: Pick<ReportedReversal, 'whole' | 'parts'>,
): Change | undefined {
  if (collection.status === 'reversed') return undefined
  const { taken, left } = takeParts(collection.amount - collection.reversed_in_parts, parts)
  if (taken.length === 0 && !whole) return undefined
  const ends = whole || left === 0n
  return { collection, parts: taken, rest: whole ? left : 0n, status: ends ? 'reversed' : collection.status }
}

const reversalTable = table('collection_reversals', {
  collection: column.bigint().key(),
  remote_id: column.text().key(),
  amount: column.numeric(),
  created: column.timestamptz(),
})

async function writeReversals(tx: Tx, now: Date, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const parts = changes.flatMap(({ collection, parts }) =>
    parts.map((part) => ({ ...part, collection: collection.id })),
  )
  const updated = rows(changes, {
    id: ['bigint', ({ collection }) => collection.id],
    status: 'text',
    reversed_in_parts: [
      'numeric',
      ({ collection, parts }) => parts.reduce((sum, { amount }) => sum + amount, collection.reversed_in_parts),
    ],
  })
  await Promise.all([
    tx`${insert(reversalTable, parts, { created: truncateToSecond(now) })}`,
    tx`
      update collections c set ${updated.assignments('u', 'id')}, modified = ${truncateToSecond(now)}, updated_by = c.author
      from ${updated.as('u')} where c.id = u.id`,
  ])
}

/** Reverses the requests of collections without a rest. */
async function reverseRequests(
  tx: Tx,
  now: Date,
  changes: readonly Change[],
  locked: ReadonlyMap<number, RequestRow>,
): Promise<void> {
  const transitions = changes.flatMap(({ collection, status }) => {
    const request = locked.get(collection.collection_request ?? 0)
    if (status !== 'reversed' || request?.status !== 'successful') return []
    const error_message = getMessage('networks.taken_back')
    return [{ request, to: 'reversed' as const, author: collection.author, error_message, due_at: null }]
  })
  await transitionRequests(tx, now, transitions)
}

async function announceReversals(tx: Tx, now: Date, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const collections = await collectionsById(
    tx,
    changes.map(({ collection }) => collection.id),
  )
  await recordEvents(
    tx,
    now,
    changes.map(({ collection: { id, organization, author } }) => ({
      organization,
      type: 'collection.reversed',
      data: encode(Collection, collections.get(id)!),
      author,
    })),
  )
}
