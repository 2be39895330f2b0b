import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { drawIds } from '../../db/drawn-ids.ts'
import { initialValues, insert, type NewRow } from '../../db/table.ts'
import { type AnyEffect, type Effect, idsDrawnBy, together, type Work, workApart } from '../../db/unit-of-work.ts'
import type { ItemResult } from '../../lib/batches/batch.ts'
import { zip } from '../../lib/batches/zip.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import { type Contact, completeContact, contactColumns, knownContacts } from '../contacts/contacts.ts'
import { noteFact } from '../facts.ts'
import { claimKey, type DuplicateKeyClaim, keyClaims, linkedKeys, releasedKeys } from '../idempotency.ts'
import { type Account, accountOwners, activeWallets, findAccountOwners, listActiveWallets } from '../ledger/accounts.ts'
import { countryError } from '../ledger/currencies.ts'
import type { ListPage } from '../list-query.ts'
import { Forbidden, Invalid, isRefusal, Refusal } from '../refusals.ts'
import { type CollectionRequest, type RequestRow, requestTable, storedRequest } from './collection-request.ts'
import { openRequestTable } from './orders.ts'
import { newPlans } from './plans.ts'
import type { Schedule } from './recurring/recurrence.ts'
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
 * Creates collection requests, each alone as `createRequest` does.
 * @returns for each item the request, or its own refusal: Invalid, Forbidden or Duplicate
 * @throws WriteConflict if two items have the same duplicate key. The caller then tries the items in parts.
 */
export function createCollectionRequests(
  tx: Tx,
  now: Date,
  items: readonly NewCollectionRequest[],
): Promise<ItemResult<CollectionRequest>[]> {
  return workApart({ tx, now, effects: requestEffects }, isRefusal, items, createRequest)
}

/**
 * Creates a request, `pending` and due: claims its duplicate key, chooses the wallet, and finds or creates the contact.
 * @throws Invalid, Forbidden, Duplicate
 */
async function createRequest(work: Work, item: NewCollectionRequest): Promise<CollectionRequest> {
  const { organization, account, claim, schedule } = item
  const person = { ...item, phone_number: item.phonenumber, network_name: item.network.name }
  const { id, wallets, owner, known, duplicate } = await together({
    id: work.load(requestIds, {}),
    wallets: work.load(activeWallets, organization),
    owner: account === null ? NOBODY : work.find(accountOwners, account),
    known: work.find(knownContacts, person),
    duplicate: claimKey(work, requestKeys, item),
  })
  const wallet = chooseWallet(item, wallets, owner)
  if (wallet instanceof Refusal) throw wallet
  if (duplicate) throw duplicate
  const contact = await completeContact(work, person, known)
  const request = { ...item, id, account: wallet.id, contact: contact.id }
  work.add(newRequests, request)
  if (claim) work.add(linkedKeys, { claim, object: id })
  const row = toRow(request, work.now)
  if (schedule) work.add(newPlans, { request: row, schedule })
  return { ...row, contact }
}

export const requestIds = idsDrawnBy((tx, count) => drawIds(tx, 'collection_requests', count))
const requestKeys = keyClaims('collectionrequest')
const NOBODY = Promise.resolve(undefined)

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
 * Reads the wallets of an organization. It changes nothing.
 * @returns a function that returns the reason why no wallet can take the money of a request; undefined if one can
 */
export async function readWalletRefusals(
  db: Reader,
  organization: number,
  requests: readonly NewCollectionRequest[],
): Promise<(request: NewCollectionRequest) => Invalid | undefined> {
  const wallets = await listActiveWallets(db, [organization])
  const owners = await findAccountOwners(db, [...new Set(requests.flatMap(({ account }) => account ?? []))])
  return (request) => {
    const choice = chooseWallet(request, wallets, owners.get(request.account ?? 0))
    return choice instanceof Invalid ? choice : undefined
  }
}

/**
 * Chooses the wallet for the money. A request needs a wallet in its currency that has funds (interface 4.3.1).
 * @param wallets the active ones of its organization
 * @param owner the organization of the account that it names
 * @returns the wallet, or the reason why there is none
 */
function chooseWallet(
  item: NewCollectionRequest,
  wallets: readonly Account[],
  owner: number | undefined,
): Account | Invalid | Forbidden {
  const local = wallets.filter(({ currency, kind }) => currency === item.currency && kind === 'local')
  const wallet =
    item.account === null
      ? (local.find(({ id }) => item.usable_accounts?.includes(id) ?? true) ?? local[0])
      : wallets.find(({ id }) => id === item.account)
  if (item.account !== null && !wallet) return refuseAccount(item, owner)
  if (!wallet) return refuse('currency', getMessage('wallets.none_in', { currency: item.currency }))
  if (wallet.currency !== item.currency)
    return refuse('account', getMessage('wallets.other_currency', { currency: wallet.currency }))
  const country_error = wallet.kind === 'local' && countryError(item.currency, readKnownPhone(item.phonenumber)!)
  if (country_error) return refuse('currency', country_error)
  if (wallet.kind === 'cross_border' && item.subscription_settings !== null)
    return refuse('subscription_settings', getMessage('wallets.recurring_local'))
  if (wallet.balance <= 0n && item.start_date === null)
    return refuse('currency', getMessage('wallets.add_funds', { currency: item.currency }))
  return wallet
}

function refuse(field: string, message: string): Invalid {
  return new Invalid({ [field]: [message] })
}

function refuseAccount(item: NewCollectionRequest, owner: number | undefined): Invalid | Forbidden {
  if (owner !== undefined && owner !== item.organization) return new Forbidden()
  const key = owner === undefined ? 'fields.no_object' : 'fields.inactive_account'
  return new Invalid({ account: [getMessage(key, { id: item.account })] })
}

/** A request whose id, wallet and contact are known. */
type RequestToInsert = Omit<NewCollectionRequest, 'account' | 'network' | 'usable_accounts'> & {
  id: number
  account: number
  contact: number
  network: { slug: string; code: string }
}

/** Requests that begin, `pending` and due at their start. */
export const newRequests: Effect<RequestToInsert> = {
  write(tx, now, requests) {
    const created = truncateToSecond(now)
    tx.send`${insert(requestTable, requests, {
      id: ({ id }) => id,
      network: ({ network }) => network.code,
      connection: ({ network }) => network.slug,
      status: 'pending',
      created,
      modified: created,
      traceparent: ({ origin }) => origin?.traceparent,
    })}`
    tx.send`${insert(openRequestTable, requests, {
      collection_request: ({ id }) => id,
      due_at: ({ start_date }) => start_date ?? now,
    })}`
    for (const { id: collection_request, organization, origin } of requests) {
      const { request_id = null, traceparent = null } = origin ?? {}
      noteFact(tx, 'request_created', { collection_request, organization, request_id }, traceparent)
    }
  },
}

const NEW_REQUEST = initialValues(storedRequest)

/** Returns the row of a new request. To read it back would take half as long again. */
function toRow(request: RequestToInsert, now: Date): RequestRow {
  const { code: network, slug: connection } = request.network
  const created = truncateToSecond(now)
  return { ...NEW_REQUEST, ...request, network, connection, status: 'pending', created, modified: created }
}

/** The effects of new requests, in the order in which they are written. */
const requestEffects: readonly AnyEffect[] = [newRequests, linkedKeys, newPlans, releasedKeys]
