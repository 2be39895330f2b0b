import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type NewRow, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Contact, contactsById } from '../contacts/contacts.ts'
import { amount, documented, id, timestamp, updatedBy } from '../fields.ts'
import { type ListPage, matches } from '../list-query.ts'
import { distinctValues, MAX_COUNTED } from '../queues.ts'
import { Invalid } from '../refusals.ts'
import { CollectionRequest } from './collection-request.ts'
import { type CollectionFilters, collectionList, collectionPageQuery, isWithoutUse, leftForUse } from './filters.ts'
import { requestsById } from './requests.ts'

/**
 * The states of a collection. `pending`: its acceptance check is open. `failed`: the organization has rejected it, and the
 * money waits to be refunded.
 */
export const collectionStatuses = ['pending', 'successful', 'failed', 'reversed'] as const
export type CollectionStatus = (typeof collectionStatuses)[number]

/**
 * Reasons for which money fulfilled a request: it answers its order; the payer typed the id of the request, or the
 * number of its invoice, customer or link; phone, amount and currency are the same; or a person chose it.
 */
const matchReasons = [
  'order',
  'request_number',
  'invoice_number',
  'customer_number',
  'link_number',
  'same_amount',
  'person',
] as const
export type MatchReason = (typeof matchReasons)[number]

/** The transaction that credited the money. Its account has no balance, because that may have changed since. */
const Credit = z.object({
  id,
  amount: documented(amount, 'The amount that was credited.'),
  type: documented(z.literal('mobile_collection'), 'The type of the transaction.'),
  currency: documented(z.string(), 'Three-letter code.', 'BXC'),
  created: timestamp,
  description: documented(z.string(), 'A description in words.', 'Collection 12 from +80000000000'),
  account: documented(z.object({ id, organization: id, currency: z.string() }), 'The wallet.', {
    id: 5,
    organization: 1,
    currency: 'BXC',
  }),
  fee_transaction: documented(id.nullable(), 'The transaction that charged the fee, if there was one.', null, 8),
})

/** A payment from a customer ("The wider interface"). */
export const Collection = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    remote_transaction_id: documented(
      z.string(),
      "The network operator's id of the payment; until it is known, our reference or the network's id of the order.",
      'TX1',
    ),
    amount: documented(amount, 'The amount that was received.'),
    reversed_amount: documented(
      amount,
      'Amount reversed by the network: the full amount when the status is `reversed`.',
      '0.0000',
      '300.0000',
    ),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id, 'The wallet that the money is for.'),
    phonenumber: documented(z.string(), 'The phone number that paid.', '+80000000000'),
    payment_date: documented(timestamp, 'When the customer paid.'),
    reference: documented(z.string().nullable(), 'The reference that the customer typed.', null, '123'),
    status: documented(
      z.enum(collectionStatuses),
      '`pending` until your acceptance URL has answered, `failed` if it rejected the money, `reversed` if the network took it all back. New values may be added.',
      'successful',
    ),
    created: timestamp,
    author: documented(id, 'The user who recorded it, usually the service user.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'The user who changed it last.', null, '7'),
    contact: Contact,
    collection_request: documented(CollectionRequest.nullable(), 'The request that it fulfilled, if any.'),
    transaction: documented(Credit.nullable(), 'The transaction that credited it to the wallet; null until then.'),
  })
  .meta({ id: 'Collection' })
export type Collection = z.output<typeof Collection>

/** Incoming money, recorded once for each connection and remote transaction. */
export const collectionTable = table('collections', {
  id: column.id(),
  organization: column.bigint(),
  account: column.bigint(),
  network: column.text(),
  /** The slug of the connection. */
  connection: column.text(),
  remote_transaction_id: column.text(),
  amount: column.numeric(),
  currency: column.text(),
  phonenumber: column.text(),
  contact: column.bigint(),
  reference: column.text().nullable(),
  status: column.text<CollectionStatus>(),
  payment_date: column.timestamptz(),
  collection_request: column.bigint().nullable(),
  /** The network order that the money answers. One order is paid once. */
  network_order: column.bigint().nullable(),
  /** The user who claimed it, or null. */
  claimed_by: column.bigint().later(),
  /** Amount that has been refunded or is being refunded. */
  refunded: column.numeric().default(0n),
  /** Amount that the network has reversed in parts. The rest follows when the status becomes `reversed`. */
  reversed_in_parts: column.numeric().default(0n),
  /** Amount that is allocated to invoices, links and accounts of customers. */
  allocated: column.numeric().default(0n),
  /** Reason for which it fulfilled its request, or null if it fulfilled none. */
  match_reason: column.text<MatchReason>().nullable(),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
})
export type CollectionRow = Row<typeof collectionTable>

/** A collection to store. */
export type NewCollection = Omit<NewRow<typeof collectionTable>, 'created' | 'modified'>

/** Stores collections in the order given, without those whose remote transaction, request or order has one already. */
export function insertCollections(tx: Tx, now: Date, items: readonly NewCollection[]): Promise<CollectionRow[]> {
  const created = truncateToSecond(now)
  return tx`
    ${insert(collectionTable, items, { created, modified: created })} on conflict do nothing
    returning ${collectionTable.columns}`
}

/** The transfer that has credited a collection to its wallet. */
interface CreditTransfer {
  id: number
  amount: Amount
  created: Date
  description: string
}

/** Builds the `transaction` of a collection. */
export function buildCredit(
  row: CollectionRow,
  transfer: CreditTransfer,
  fee_transaction: number | null,
): Collection['transaction'] {
  const { currency, organization, account } = row
  return {
    ...transfer,
    currency,
    type: 'mobile_collection',
    fee_transaction,
    account: { id: account, organization, currency },
  }
}

/** Computes the amount of a collection that the network has reversed. */
export function readReversedAmount(row: Pick<CollectionRow, 'status' | 'amount' | 'reversed_in_parts'>): Amount {
  return row.status === 'reversed' ? row.amount : row.reversed_in_parts
}

/** The reference of the transfer that credits a collection to its wallet. */
export function creditReference(collection: number): string {
  return `collection:${collection}`
}

/** The reference of the transfer that charges the fee of a collection. */
export function feeReference(collection: number): string {
  return `${creditReference(collection)}:fee`
}

/** The collections with these ids, of any organization, by id. */
export async function collectionsById(db: AnyReader, ids: readonly number[]): Promise<Map<number, Collection>> {
  const collections = await db<CollectionRow[]>`
    select ${collectionTable.columns} from collections where id = any(${[...new Set(ids)]}::bigint[])`
  const [contacts, requests, transfers] = await Promise.all([
    contactsById(
      db,
      collections.map((row) => row.contact),
    ),
    requestsById(
      db,
      collections.flatMap((row) => row.collection_request ?? []),
    ),
    db<(CreditTransfer & { reference: string })[]>`
      select id, amount, created, description, reference from transfers
      where reference = any(${collections.flatMap(({ id }) => [creditReference(id), feeReference(id)])}::text[])`,
  ])
  const credits = new Map(transfers.map(({ reference, ...transfer }) => [reference, transfer]))
  return new Map(
    collections.map((row) => {
      const credit = credits.get(creditReference(row.id))
      const { reversed_in_parts: _, allocated: __, ...shown } = row
      return [
        row.id,
        {
          ...shown,
          reversed_amount: readReversedAmount(row),
          contact: contacts.get(row.contact)!,
          collection_request: requests.get(row.collection_request ?? 0) ?? null,
          transaction: credit ? buildCredit(row, credit, credits.get(feeReference(row.id))?.id ?? null) : null,
        },
      ]
    }),
  )
}

/** The row of a collection, of any organization. */
export async function findCollectionRow(db: AnyReader, collection: number): Promise<CollectionRow | undefined> {
  const [row] = await db<CollectionRow[]>`select ${collectionTable.columns} from collections where id = ${collection}`
  return row
}

/** Facts about a collection for a person who decides what to do with it; the interface does not have them. */
export const Disposition = z.object({
  network: z.string(),
  /** True if it fulfilled no request, is not claimed, and is not wholly allocated. */
  unmatched: z.boolean(),
  claimed_by: id.nullable(),
  /** Amount that can still be refunded: neither refunded yet nor reversed by the network in parts. */
  left: amount,
  /** The payments that refunded it, or tried to. */
  given_back_by: z.array(id),
  /** True if its id is our reference of the order: the network has not told its own id of the payment. */
  is_stand_in: z.boolean(),
})
export type Disposition = z.output<typeof Disposition>

/**
 * SQL: condition that the id of a collection is our reference of its order, until the network tells its own id of the
 * money.
 */
export function isStandIn(collections: string): Fragment {
  const c = sql.identifier(collections)
  return sql`exists (select from network_orders o where o.id = ${c}.network_order and o.reference = ${c}.remote_transaction_id)`
}

/** The dispositions of these collections, by id. */
export async function readDispositions(db: AnyReader, ids: readonly number[]): Promise<Map<number, Disposition>> {
  const found = await db<(Disposition & { id: number })[]>`
    select id, network, ${isWithoutUse('collections')} as unmatched,
      claimed_by, greatest(amount - refunded - reversed_in_parts, 0) as "left",
      array(select p.id from payments p where p.collection = collections.id order by p.id) as given_back_by,
      ${isStandIn('collections')} as is_stand_in
    from collections where id = any(${[...ids]}::bigint[])`
  return new Map(found.map((row) => [row.id, row]))
}

/** Lists one page of the organization's collections that match the filters, with the exact count of all that match. */
export async function listCollections(
  db: AnyReader,
  organization: number,
  filters: CollectionFilters,
  page: ListPage,
): Promise<{ rows: Collection[]; count: number }> {
  const [found] = await db<{ count: number; ids: number[] }[]>`${collectionPageQuery(organization, filters, page)}`
  const collections = await collectionsById(db, found!.ids)
  return { rows: found!.ids.map((id) => collections.get(id)!), count: found!.count }
}

/**
 * Claims the unmatched collection that the filters describe, for good. It can no longer be matched, and only this user
 * can claim it again. A repeated call returns the same collection.
 * @returns the collection, or nothing when there is none that this user can claim
 * @throws Invalid when a filter that identifies a payment is missing, or when several collections match
 */
export async function claimCollection(
  tx: Tx,
  now: Date,
  caller: { organization: number; user: number },
  filters: CollectionFilters,
): Promise<Collection[]> {
  const missing = (['amount', 'remote_transaction_id', 'phonenumber'] as const).filter((name) => !filters[name])
  if (missing.length > 0)
    throw new Invalid(Object.fromEntries(missing.map((name) => [name, [getMessage('collections.claim')]])))
  const findClaimable = (condition: Fragment) => tx<{ id: number; claimed_by: number | null }[]>`
    select id, claimed_by from collections
    where ${matches(collectionList, caller.organization, filters)} and ${condition}
      and status = 'successful' and collection_request is null and allocated = 0 and refunded = 0 and coalesce(claimed_by, ${caller.user}) = ${caller.user}`
  const found = (await findClaimable(sql.always)).map(({ id }) => id)
  if (found.length === 0) return []
  await tx`select from collections where id = any(${found}::bigint[]) order by id for update`
  // A new statement sees the writes of the transactions that held the locks.
  const claimable = await findClaimable(sql`id = any(${found}::bigint[])`)
  if (claimable.length > 1)
    throw new Invalid({ claim: [getMessage('collections.several_match', { count: claimable.length })] })
  const [row] = claimable
  if (!row) return []
  if (row.claimed_by === null)
    await tx`
      update collections set claimed_by = ${caller.user}, modified = ${truncateToSecond(now)}, updated_by = ${caller.user}
      where id = ${row.id}`
  return [...(await collectionsById(tx, [row.id])).values()]
}

/** Unmatched money in one currency. */
interface UnmatchedTotal {
  currency: string
  count: number
  /** Amount that is left of it for use. */
  amount: Amount
}

/** Returned money stays among the rows that are read, so that more of them are read than are counted elsewhere. */
const MAX_UNMATCHED = 5 * MAX_COUNTED

/** The unmatched money of all organizations, by currency: of `max` collections at most, the newest of each organization. */
export async function sumUnmatched(db: AnyReader, max = MAX_UNMATCHED): Promise<UnmatchedTotal[]> {
  const is_unmatched = isWithoutUse('t')
  return db<UnmatchedTotal[]>`
    with recursive ${distinctValues('collections', ['organization'], is_unmatched)}
    select currency, count(*) as count, sum(left_over)::numeric(38,4) as amount from (
      select c.currency, c.left_over from queues q cross join lateral (
        select t.currency, ${leftForUse('t')} as left_over from collections t
        where t.organization = q.organization and ${is_unmatched} order by t.id desc limit ${max}) c
      limit ${max}) counted
    where left_over > 0 group by currency`
}
