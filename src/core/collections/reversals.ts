import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, table } from '../../db/table.ts'
import {
  type AnyEffect,
  type Effect,
  groupFor,
  type Query,
  rowsById,
  together,
  type Work,
  workTogether,
} from '../../db/unit-of-work.ts'
import type { NetworkTransaction } from '../../lib/adapter-types.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { watchCredit } from '../allocations/credit-changes.ts'
import { type NewEvent, recordEvents } from '../events/events.ts'
import { takeParts } from '../ledger/partial-reversals.ts'
import {
  Collection,
  type CollectionRow,
  type CollectionStatus,
  collectionsById,
  collectionTable,
} from './collections.ts'
import { type CollectionReversal, moneyTakenBack, takeBack } from './ledger-postings.ts'
import { lockedRequests, requestTransitions, transitionRequest } from './orders.ts'

/** Part of a network's report about reversals. */
type ReversalReport = Pick<NetworkTransaction, 'remote_id' | 'status' | 'reversals'> & {
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

/** A report that takes money back, with its collection and the request that this has fulfilled. */
type ReversedMoney = ReversalReport & { id: number; request: number | null }

/**
 * Takes collections, or parts of them, out of the books again, each as `reverseCollection` does.
 * @returns the reports that have changed something
 * @throws WriteConflict when two reports are about one collection, or when it was matched to a request meanwhile
 */
export async function reverseCollections<Report extends ReversedMoney>(
  tx: Tx,
  now: Date,
  reports: readonly Report[],
): Promise<Report[]> {
  const changed = await workTogether({ tx, now, effects: reversalEffects }, reports, async (work, report) =>
    (await reverseCollection(work, report)) ? [report] : [],
  )
  return changed.flat()
}

/**
 * Takes a collection, or parts of it, out of the books again. Each part is taken once, by the id of its reversal, and all
 * together never exceed the collection. Partial reversals leave the status as it is until nothing is left. Then the
 * collection is `reversed`, and so is the request that it had fulfilled. Each change causes a `collection.reversed` event.
 * Requests are locked before collections, as everywhere.
 * @returns true if something changes
 */
async function reverseCollection(work: Work, report: ReversedMoney): Promise<boolean> {
  const { request, collection, taken_before, given_back } = await together({
    request: report.request === null ? NO_REQUEST : work.lock(lockedRequests, report.request),
    collection: work.lock(lockedCollections, report.id),
    taken_before: work.load(takenParts, report.id),
    given_back: work.find(givenBack, report.id),
  })
  if (collection.collection_request !== report.request) throw new WriteConflict()
  const change = planReversal(collection, report, taken_before, given_back)
  if (!change) return false
  const { author, allocated } = collection
  if (allocated > 0n) work.add(changedCredit, collection.id)
  work.add(reversals, change)
  work.add(announcedReversals, collection)
  const error_message = getMessage('networks.taken_back')
  const ended = change.status === 'reversed' && request?.status === 'successful' ? request : undefined
  await Promise.all([
    takeBack(work, change),
    ended && transitionRequest(work, { request: ended, to: 'reversed', author, error_message, due_at: null }),
  ])
  return true
}

const NO_REQUEST = Promise.resolve(undefined)

const lockedCollections = rowsById(
  (tx, ids) => tx<CollectionRow[]>`
    select ${collectionTable.columns} from collections where id = any(${ids}::bigint[]) order by id for update`,
)

/** The ids of the parts of collections that were taken before. */
const takenParts: Query<number, readonly string[]> = {
  async read(tx, collections) {
    const parts = await tx<{ collection: number; remote_id: string }[]>`
      select collection, remote_id from collection_reversals where collection = any(${collections}::bigint[])`
    const of_collections = groupFor(collections, parts, ({ collection }) => collection)
    return new Map([...of_collections].map(([id, rows]) => [id, rows.map(({ remote_id }) => remote_id)]))
  },
}

/**
 * Amounts that refund orders of ours have given back: at their networks the payment is reversed by that. An order without an end may
 * never have arrived, so a reversal before it counts. Payouts to the same customer are no such orders.
 */
const givenBack: Query<number, Amount> = {
  async read(tx, collections) {
    const found = await tx<{ collection: number; amount: Amount }[]>`
      select p.collection, sum(o.amount) as amount from payments p
      join payment_recipients r on r.payment = p.id
      join network_orders o on o.payment_recipient = r.id and o.kind = 'refund' and o.state = 'successful'
      where p.collection = any(${collections}::bigint[]) group by p.collection`
    return new Map(found.map(({ collection, amount }) => [collection, amount]))
  },
}

type Change = CollectionReversal & { status: CollectionStatus }

/**
 * Plans the reversal of a collection now, or undefined if nothing is to be reversed. A report that all of it is reversed takes only
 * what no refund of ours has given back.
 */
function planReversal(
  collection: CollectionRow,
  { status, reversals = [] }: ReversalReport,
  taken_before: readonly string[],
  given_back: Amount = 0n,
): Change | undefined {
  if (collection.status === 'reversed') return undefined
  // Money that was kept until it had an account may have the same part twice.
  const parts = new Map(reversals.map((part) => [part.remote_id, part]))
  for (const remote_id of taken_before) parts.delete(remote_id)
  const { taken, left } = takeParts(collection.amount - collection.reversed_in_parts, [...parts.values()])
  const rest = status === 'reversed' && left > given_back ? left - given_back : 0n
  if (taken.length === 0 && rest === 0n) return undefined
  const ends = rest > 0n || left === 0n
  return { collection, parts: taken, rest, status: ends ? 'reversed' : collection.status }
}

const reversalTable = table('collection_reversals', {
  collection: column.bigint().key(),
  remote_id: column.text().key(),
  amount: column.numeric(),
  created: column.timestamptz(),
})

/** Collections whose money, or a part of it, goes back. */
const reversals: Effect<Change> = {
  write(tx, now, changes) {
    const parts = changes.flatMap(({ collection, parts }) =>
      parts.map((part) => ({ ...part, collection: collection.id })),
    )
    if (parts.length > 0) tx.send`${insert(reversalTable, parts, { created: truncateToSecond(now) })}`
    const updated = rows(changes, {
      id: ['bigint', ({ collection }) => collection.id],
      status: 'text',
      reversed_in_parts: [
        'numeric',
        ({ collection, parts }) => parts.reduce((sum, { amount }) => sum + amount, collection.reversed_in_parts),
      ],
    })
    tx.send`
      update collections c set ${updated.assignments('u', 'id')}, modified = ${truncateToSecond(now)}, updated_by = c.author
      from ${updated.as('u')} where c.id = u.id`
  },
}

/** Collections of which parts are allocated, before they change. */
const changedCredit: Effect<number> = { write: watchCredit }

/** Events of reversals. Written when the collections and their requests are as the events show them. */
const announcedReversals: Effect<CollectionRow> = {
  async write(tx, now, reversed) {
    const collections = await collectionsById(
      tx,
      reversed.map(({ id }) => id),
    )
    const events = reversed.map(({ id, organization, author }): NewEvent => {
      return { organization, type: 'collection.reversed', data: encode(Collection, collections.get(id)!), author }
    })
    await recordEvents(tx, now, events)
  },
}

/** The effects of reversals, in the order in which they are written. Money moves last. */
const reversalEffects: readonly AnyEffect[] = [
  changedCredit,
  reversals,
  requestTransitions,
  announcedReversals,
  moneyTakenBack,
]
