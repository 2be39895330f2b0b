import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { ItemResult } from '../../lib/batch.ts'
import type { Amount } from '../../lib/money.ts'
import { parsePhone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { contactsById, findOrCreateContacts, readContacts } from '../contacts/contacts.ts'
import { claimDuplicateKeys, type DuplicateKeyClaim, fillInDuplicateIds, linkKeysToObjects } from '../idempotency.ts'
import { type Account, findAccountOwners, listActiveWallets } from '../ledger/accounts.ts'
import { countryError } from '../ledger/currencies.ts'
import { Forbidden, Invalid } from '../refusals.ts'
import { type CollectionRequest, type RequestRow, requestColumns } from './collection-request.ts'
import { insertPlans } from './plans.ts'
import type { Schedule } from './recurrence.ts'
import { recordCountChanges } from './request-counts.ts'
import { type RequestFilters, type RequestPageOptions, requestPageQuery } from './request-filters.ts'

/** A request that has passed validation and waits for its row. */
export interface NewCollectionRequest {
  organization: number
  author: number
  amount: Amount
  currency: string
  /** The account that the caller named, or null for the oldest local one. */
  account: number | null
  phonenumber: string
  first_name?: string
  last_name?: string
  network: { code: string; name: string }
  reason: string
  metadata: Record<string, unknown>
  success_message: string
  send_instructions: boolean
  instructions: string | null
  expiry_date: Date
  start_date: Date | null
  retry_interval_minutes: number | null
  max_attempts: number
  subscription_settings: unknown
  /** What the subscription settings say, for a request that is the first of a plan. */
  schedule?: Schedule
  claim?: DuplicateKeyClaim
}

/**
 * Makes collection requests: key claimed, wallet looked at, contact found or made, row `pending` and due.
 * @returns for each item the request, or the refusal that it alone gets: Invalid, Forbidden or Duplicate.
 */
export async function createCollectionRequests(
  tx: Tx,
  now: Date,
  items: readonly NewCollectionRequest[],
): Promise<ItemResult<CollectionRequest>[]> {
  const people = items.map((item) => ({ ...item, phone_number: item.phonenumber, network_name: item.network.name }))
  const [wallets, owners, known] = await Promise.all([
    listActiveWallets(tx, [...new Set(items.map((item) => item.organization))]),
    readOwners(tx, items),
    readContacts(tx, people),
  ])
  const choices = items.map((item) => chooseWallet(item, wallets, owners))
  const claims = items.map((item, index) => ('wallet' in choices[index]! ? item.claim : undefined))
  const duplicates = await claimDuplicateKeys(tx, now, 'collectionrequest', claims)

  const accepted = items.flatMap((item, index) => {
    const choice = choices[index]!
    return 'wallet' in choice && !duplicates[index] ? [{ item, index, account: choice.wallet.id }] : []
  })
  const contacts = await findOrCreateContacts(
    tx,
    now,
    accepted.map(({ index }) => people[index]!),
    known,
  )
  const inserted = await insertRequests(
    tx,
    now,
    accepted.map(({ item, account }, place) => ({ ...item, account, contact: contacts[place]!.id })),
  )
  const made = accepted.map(({ item }, place) => ({ claim: item.claim, object: inserted[place]!.id }))
  await linkKeysToObjects(tx, made)
  await insertPlans(
    tx,
    accepted.flatMap(({ item: { schedule } }, place) => (schedule ? [{ request: inserted[place]!, schedule }] : [])),
  )
  const twins = fillInDuplicateIds(claims, duplicates, made)

  const settled: ItemResult<CollectionRequest>[] = items.map((_, index) => {
    const choice = choices[index]!
    return { ok: false, error: 'wallet' in choice ? twins[index] : choice.refusal }
  })
  accepted.forEach(({ index }, place) => {
    settled[index] = { ok: true, value: { ...inserted[place]!, contact: contacts[place]! } }
  })
  return settled
}

/** The requests with these ids, whoever owns them, by id. */
export async function requestsById(db: Reader, ids: readonly number[]): Promise<Map<number, CollectionRequest>> {
  const requests = await db<RequestRow[]>`
    select ${requestColumns()} from collection_requests where id = any(${[...new Set(ids)]}::bigint[])`
  const contacts = await contactsById(
    db,
    requests.map((row) => row.contact),
  )
  return new Map(requests.map((row) => [row.id, { ...row, contact: contacts.get(row.contact)! }]))
}

/** What one list asks for. */
export interface RequestListQuery {
  organization: number
  filters: RequestFilters
  slice: RequestPageOptions
}

/** For each list the page of the organization's requests that match, and the exact count of all of them. */
export async function listCollectionRequests(
  db: Reader,
  lists: readonly RequestListQuery[],
): Promise<{ rows: CollectionRequest[]; count: number }[]> {
  const pages = await Promise.all(
    lists.map(async ({ organization, filters, slice }) => {
      const page = requestPageQuery(organization, filters, slice)
      return (await db<{ count: number; ids: number[] }[]>`${page}`)[0]!
    }),
  )
  const requests = await requestsById(
    db,
    pages.flatMap(({ ids }) => ids),
  )
  return pages.map(({ ids, count }) => ({ rows: ids.map((id) => requests.get(id)!), count }))
}

type WalletChoice = { wallet: Account } | { refusal: Invalid | Forbidden }

/** Where the money will go. A request needs a funded wallet in its currency (interface 4.3.1). */
function chooseWallet(
  item: NewCollectionRequest,
  wallets: readonly Account[],
  owners: ReadonlyMap<number, number>,
): WalletChoice {
  const mine = wallets.filter((wallet) => wallet.organization === item.organization)
  const wallet =
    item.account === null
      ? mine.find((one) => one.currency === item.currency && one.kind === 'local')
      : mine.find((one) => one.id === item.account)
  if (item.account !== null && !wallet) return { refusal: refuseAccount(item, owners.get(item.account)) }
  if (!wallet) return refuse('currency', `You have no active account in ${item.currency}.`)
  if (wallet.currency !== item.currency) return refuse('account', `This account is in ${wallet.currency}.`)
  const foreign = wallet.kind === 'local' && countryError(item.currency, parsePhone(item.phonenumber)!)
  if (foreign) return refuse('currency', foreign)
  if (wallet.kind === 'cross_border' && item.subscription_settings !== null)
    return refuse('subscription_settings', 'Recurring requests need a local account.')
  if (wallet.balance <= 0n && item.start_date === null)
    return refuse('currency', `Your ${item.currency} account has no funds. Add funds before you collect.`)
  return { wallet }
}

function refuse(field: string, message: string): WalletChoice {
  return { refusal: new Invalid({ [field]: [message] }) }
}

function refuseAccount(item: NewCollectionRequest, owner: number | undefined): Invalid | Forbidden {
  if (owner !== undefined && owner !== item.organization) return new Forbidden()
  const why = owner === undefined ? 'object does not exist' : 'the account is not active'
  return new Invalid({ account: [`Invalid pk "${item.account}" - ${why}.`] })
}

async function readOwners(tx: Tx, items: readonly NewCollectionRequest[]): Promise<Map<number, number>> {
  const named = items.flatMap((item) => item.account ?? [])
  return named.length === 0 ? new Map() : findAccountOwners(tx, [...new Set(named)])
}

/** A request whose wallet and contact are known. */
export type RequestToInsert = Omit<NewCollectionRequest, 'account' | 'network'> & {
  account: number
  contact: number
  network: { code: string }
}

/**
 * Inserts requests, `pending` and due at their start, in the order given: `unnest` and the identity column keep it, so
 * ids rise with it. The rows are put together from what was written; to read them back would cost half as much again.
 */
export async function insertRequests(tx: Tx, now: Date, items: readonly RequestToInsert[]): Promise<RequestRow[]> {
  if (items.length === 0) return []
  const created = truncateToSecond(now)
  const counted = items.map(({ organization }) => ({ organization, status: 'pending' as const, change: 1 }))
  const [inserted] = await Promise.all([insertRows(tx, now, items), recordCountChanges(tx, counted)])
  return items.map((item, place) => ({
    ...item,
    id: inserted[place]!.id,
    network: item.network.code,
    status: 'pending',
    error_message: null,
    collection: null,
    created,
    modified: created,
    updated_by: null,
    attempt: 0,
    status_queries: 0,
  }))
}

function insertRows(tx: Tx, now: Date, items: readonly RequestToInsert[]) {
  const created = truncateToSecond(now)
  const requests = rows(items, {
    organization: 'bigint',
    amount: 'numeric',
    currency: 'text',
    account: 'bigint',
    phonenumber: 'text',
    contact: 'bigint',
    network: ['text', (item) => item.network.code],
    reason: 'text',
    metadata: 'json',
    success_message: 'text',
    send_instructions: 'boolean',
    instructions: 'text',
    expiry_date: 'timestamptz',
    start_date: 'timestamptz',
    due_at: ['timestamptz', (item) => item.start_date ?? now],
    retry_interval_minutes: 'integer',
    max_attempts: 'integer',
    // An object, or a JSON text of one, which is stored as it was given.
    subscription_settings: ['json', (item) => item.subscription_settings as object | null],
    author: 'bigint',
  })
  return tx<{ id: number }[]>`
    insert into collection_requests (${requests.columns}, status, created, modified)
    select ${requests.columns}, 'pending', ${created}, ${created} from ${requests.as('r')}
    returning id`
}
