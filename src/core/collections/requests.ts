import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { initialValues, insert, type NewRow } from '../../db/table.ts'
import type { ItemResult } from '../../lib/batches/batch.ts'
import { zip } from '../../lib/batches/zip.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import {
  type Contact,
  contactColumns,
  findOrInsertContacts,
  readContacts,
  recordNewContacts,
} from '../contacts/contacts.ts'
import { noteFact } from '../facts.ts'
import {
  claimDuplicateKeys,
  type DuplicateKeyClaim,
  fillInDuplicateIds,
  linkKeysToObjects,
  passOnDuplicateKeys,
} from '../idempotency.ts'
import { type Account, findAccountOwners, listActiveWallets } from '../ledger/accounts.ts'
import { countryError } from '../ledger/currencies.ts'
import type { ListPage } from '../list-query.ts'
import { Forbidden, Invalid } from '../refusals.ts'
import { type CollectionRequest, type RequestRow, requestTable, storedRequest } from './collection-request.ts'
import { openRequestTable } from './orders.ts'
import { insertPlans } from './plans.ts'
import type { Schedule } from './recurring/recurrence.ts'
import { recordCountChanges } from './request-counts.ts'
import {
  onlyPhoneOf,
  type PhonePage,
  phonePagesQuery,
  type RequestFilters,
  requestPageQuery,
} from './request-filters.ts'

/** A request that has passed validation and is to be stored. */
export interface NewCollectionRequest
  extends Omit<
    NewRow<typeof requestTable>,
    'account' | 'contact' | 'network' | 'connection' | 'status' | 'created' | 'modified' | 'traceparent'
  > {
  /** The account that the caller named, or null for the oldest local one. */
  account: number | null
  first_name?: string
  last_name?: string
  network: ConnectionRef
  /** The accounts that may collect over this connection; null for all. */
  usable_accounts?: readonly number[] | null
  /** The recurrence of the subscription settings, for a request that is the first of a plan. */
  schedule?: Schedule
  claim?: DuplicateKeyClaim
  origin?: RequestOrigin | undefined
}

/** Origin of a request, for the log and the traces. */
export interface RequestOrigin {
  /** The id of the HTTP request. */
  request_id: string | null
  /** The W3C context of its trace; null where the trace is not exported. */
  traceparent: string | null
}

/**
 * Creates collection requests: claims their duplicate keys, chooses the wallets, finds or creates the contacts, and inserts
 * the rows, `pending` and due.
 * @returns for each item the request, or its own refusal: Invalid, Forbidden or Duplicate
 */
export async function createCollectionRequests(
  tx: Tx,
  now: Date,
  items: readonly NewCollectionRequest[],
): Promise<ItemResult<CollectionRequest>[]> {
  const people = items.map((item) => ({ ...item, phone_number: item.phonenumber, network_name: item.network.name }))
  const claims = items.map(({ claim }) => claim)
  const [wallets, owners, known, ids, claimed] = await Promise.all([
    listActiveWallets(tx, [...new Set(items.map((item) => item.organization))]),
    readOwners(tx, items),
    readContacts(tx, people),
    drawRequestIds(tx, items.length),
    claimDuplicateKeys(tx, now, 'collectionrequest', claims),
  ])
  const choices = items.map((item) => chooseWallet(item, wallets, owners))
  const refused = choices.map((choice) => 'refusal' in choice)
  const duplicates = passOnDuplicateKeys(tx, claims, claimed, refused)

  const accepted = zip(zip(items, people), zip(choices, duplicates)).flatMap(([[item, person], [choice, duplicate]]) =>
    'wallet' in choice && !duplicate ? [{ item, person, account: choice.wallet.id }] : [],
  )
  const { contacts, created, reserved } = await findOrInsertContacts(
    tx,
    now,
    accepted.map(({ person }) => person),
    known,
  )
  const [inserted] = await Promise.all([
    insertRequests(
      tx,
      now,
      zip(accepted, contacts).map(([{ item, account }, { id: contact }]) => ({ ...item, account, contact })),
      ids,
    ),
    recordNewContacts(tx, now, created, reserved),
  ])
  const stored = zip(accepted, inserted).map(([{ item }, request]) => ({ item, request }))
  const keys = stored.map(({ item, request }) => ({ claim: item.claim, object: request.id }))
  linkKeysToObjects(tx, keys)
  await insertPlans(
    tx,
    stored.flatMap(({ item: { schedule }, request }) => (schedule ? [{ request, schedule }] : [])),
  )
  const refusals = fillInDuplicateIds(claims, duplicates, keys)

  const made = new Map(zip(stored, contacts).map(([{ item, request }, contact]) => [item, { ...request, contact }]))
  return zip(items, zip(choices, refusals)).map(([item, [choice, refusal]]) => {
    const value = made.get(item)
    return value ? { ok: true, value } : { ok: false, error: 'wallet' in choice ? refusal : choice.refusal }
  })
}

/** The requests with these ids, of any organization, by id. */
export async function requestsById(db: AnyReader, ids: readonly number[]): Promise<Map<number, CollectionRequest>> {
  const [requests, contacts] = await Promise.all([
    db<RequestRow[]>`
      select ${storedRequest.columns} from collection_requests where id = any(${[...new Set(ids)]}::bigint[])`,
    contactsOfRequests(db, ids),
  ])
  return new Map(requests.map((row) => [row.id, { ...row, contact: contacts.get(row.contact)! }]))
}

/**
 * Reads the contacts of these requests, by the ids of the contacts. The contact of a request never changes, so this can
 * be sent together with statements that read or lock the requests.
 */
export async function contactsOfRequests(db: AnyReader, ids: readonly number[]): Promise<Map<number, Contact>> {
  const contacts = await db<Contact[]>`
    select ${contactColumns()} from contacts
    where id = any(array(select contact from collection_requests where id = any(${[...new Set(ids)]}::bigint[])))`
  return new Map(contacts.map((contact) => [contact.id, contact]))
}

/** Reads the contacts of these requests, by the ids of the requests. */
export async function readContactsOfRequests(db: AnyReader, ids: readonly number[]): Promise<Map<number, Contact>> {
  const contacts = await db<(Contact & { request: number })[]>`
    select r.id as request, ${contactColumns('c')} from collection_requests r join contacts c on c.id = r.contact
    where r.id = any(${ids}::bigint[])`
  return new Map(contacts.map(({ request, ...contact }) => [request, contact]))
}

/** List of requests: organization, filters and page. */
export interface RequestListQuery {
  organization: number
  filters: RequestFilters
  page: ListPage
}

/** Reads for each list the page of the organization's requests that match, and the exact count of all that match. */
export async function listCollectionRequests(
  db: AnyReader,
  lists: readonly RequestListQuery[],
): Promise<{ rows: CollectionRequest[]; count: number }[]> {
  const pages = await findPages(db, lists)
  const requests = await requestsById(
    db,
    pages.flatMap(({ ids }) => ids),
  )
  return pages.map(({ ids, count }) => ({ rows: ids.map((id) => requests.get(id)!), count }))
}

/** Page of a list: the ids of its rows in order, and the number of all that match. */
interface FoundPage {
  count: number
  ids: number[]
}

/** Finds a page of each list. Lists by phone number share a statement. */
async function findPages(db: AnyReader, lists: readonly RequestListQuery[]): Promise<FoundPage[]> {
  const pages = lists.map((list) => ({ ...list, phonenumber: onlyPhoneOf(list.filters) }))
  const hasPhone = (page: (typeof pages)[number]): page is RequestListQuery & PhonePage =>
    page.phonenumber !== undefined
  const by_order = Map.groupBy(pages.filter(hasPhone), ({ page }) => `${page.field} ${page.descending}`)
  const others = pages.filter((page) => !hasPhone(page))
  const found = new Map<RequestListQuery, FoundPage>()
  await Promise.all([
    ...[...by_order.values()].map(async (group) => {
      const results = await db<FoundPage[]>`${phonePagesQuery(group)}`
      for (const [one, result] of zip(group, results)) found.set(one, result)
    }),
    ...others.map(async (one) => {
      const query = requestPageQuery(one.organization, one.filters, one.page)
      found.set(one, (await db<FoundPage[]>`${query}`)[0]!)
    }),
  ])
  return pages.map((page) => found.get(page)!)
}

/**
 * Returns the reasons why no wallet can take the money of these requests; undefined for those that one can. It changes
 * nothing.
 */
export async function findWalletRefusals(
  db: Reader,
  items: readonly NewCollectionRequest[],
): Promise<(Invalid | undefined)[]> {
  const wallets = await listActiveWallets(db, [...new Set(items.map((item) => item.organization))])
  const owners = await readOwners(db, items)
  return items.map((item) => {
    const choice = chooseWallet(item, wallets, owners)
    return 'refusal' in choice && choice.refusal instanceof Invalid ? choice.refusal : undefined
  })
}

type WalletChoice = { wallet: Account } | { refusal: Invalid | Forbidden }

/** Chooses the wallet for the money. A request needs a wallet in its currency that has funds (interface 4.3.1). */
function chooseWallet(
  item: NewCollectionRequest,
  wallets: readonly Account[],
  owners: ReadonlyMap<number, number>,
): WalletChoice {
  const own = wallets.filter((wallet) => wallet.organization === item.organization)
  const local = own.filter(({ currency, kind }) => currency === item.currency && kind === 'local')
  const wallet =
    item.account === null
      ? (local.find(({ id }) => item.usable_accounts?.includes(id) ?? true) ?? local[0])
      : own.find(({ id }) => id === item.account)
  if (item.account !== null && !wallet) return { refusal: refuseAccount(item, owners.get(item.account)) }
  if (!wallet) return refuse('currency', getMessage('wallets.none_in', { currency: item.currency }))
  if (wallet.currency !== item.currency)
    return refuse('account', getMessage('wallets.other_currency', { currency: wallet.currency }))
  const country_error = wallet.kind === 'local' && countryError(item.currency, readKnownPhone(item.phonenumber)!)
  if (country_error) return refuse('currency', country_error)
  if (wallet.kind === 'cross_border' && item.subscription_settings !== null)
    return refuse('subscription_settings', getMessage('wallets.recurring_local'))
  if (wallet.balance <= 0n && item.start_date === null)
    return refuse('currency', getMessage('wallets.add_funds', { currency: item.currency }))
  return { wallet }
}

function refuse(field: string, message: string): WalletChoice {
  return { refusal: new Invalid({ [field]: [message] }) }
}

function refuseAccount(item: NewCollectionRequest, owner: number | undefined): Invalid | Forbidden {
  if (owner !== undefined && owner !== item.organization) return new Forbidden()
  const key = owner === undefined ? 'fields.no_object' : 'fields.inactive_account'
  return new Invalid({ account: [getMessage(key, { id: item.account })] })
}

async function readOwners(tx: Reader, items: readonly NewCollectionRequest[]): Promise<Map<number, number>> {
  const accounts = items.flatMap((item) => item.account ?? [])
  return accounts.length === 0 ? new Map() : findAccountOwners(tx, [...new Set(accounts)])
}

/** A request whose wallet and contact are known. */
export type RequestToInsert = Omit<NewCollectionRequest, 'account' | 'network' | 'usable_accounts'> & {
  account: number
  contact: number
  network: { slug: string; code: string }
}

/** Ids for new requests, rising. Those that are not used are lost. */
export async function drawRequestIds(tx: Tx, count: number): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`
    select nextval('collection_requests_id_seq') as id from generate_series(1, ${count})`
  return drawn.map(({ id }) => id)
}

/**
 * Inserts requests, `pending` and due at their start. The rows are built from the written values, because reading them
 * back takes half as long again.
 * @param drawn ids from `drawRequestIds`, if the caller has drawn enough of them already
 * @returns the requests in the order given, with rising ids
 */
export async function insertRequests(
  tx: Tx,
  now: Date,
  given: readonly RequestToInsert[],
  drawn?: readonly number[],
): Promise<RequestRow[]> {
  if (given.length === 0) return []
  const created = truncateToSecond(now)
  const ids = drawn ?? (await drawRequestIds(tx, given.length))
  const items = zip(given, ids.slice(0, given.length)).map(([item, id]) => ({ ...item, id }))
  insertRows(tx, now, items)
  recordCountChanges(
    tx,
    items.map(({ organization }) => ({ organization, status: 'pending', change: 1 })),
  )
  for (const { id: collection_request, organization, origin } of items) {
    const { request_id = null, traceparent = null } = origin ?? {}
    noteFact(tx, 'request_created', { collection_request, organization, request_id }, traceparent)
  }
  return items.map((item) => ({
    ...NEW_REQUEST,
    ...item,
    network: item.network.code,
    connection: item.network.slug,
    status: 'pending',
    created,
    modified: created,
  }))
}

const NEW_REQUEST = initialValues(storedRequest)

function insertRows(tx: Tx, now: Date, items: readonly (RequestToInsert & { id: number })[]): void {
  const created = truncateToSecond(now)
  tx.send`${insert(requestTable, items, {
    id: ({ id }) => id,
    network: ({ network }) => network.code,
    connection: ({ network }) => network.slug,
    status: 'pending',
    created,
    modified: created,
    traceparent: ({ origin }) => origin?.traceparent,
  })}`
  tx.send`${insert(openRequestTable, items, {
    collection_request: ({ id }) => id,
    due_at: ({ start_date }) => start_date ?? now,
  })}`
}
