import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { encode } from '../../lib/encoding/encode.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type NetworkOrder, networkOrderColumns } from '../connections/network-order.ts'
import { type Contact, contactsById } from '../contacts/contacts.ts'
import { type NewEvent, type ReservedEvents, recordEvents, reserveEvents } from '../events/events.ts'
import { noteFact } from '../facts.ts'
import { type ClaimTimes, findNextInTurn, leaseRows, lockInTurn, releaseLeases } from '../leases.ts'
import { type NewSmsMessage, queueSmsWithoutIds } from '../sms/outbox.ts'
import { CollectionRequest, isOpen, type RequestRow, type RequestStatus, requestColumns } from './collection-request.ts'
import { type CountChange, recordCountChanges } from './request-counts.ts'
import { buildSuccessMessages, type NamedOrganization, readConfirmingOrganizations } from './sms.ts'

/** The transitions that section 3 of the interface and docs/interface-gaps.md allow. */
const allowedTransitions: Record<RequestStatus, readonly RequestStatus[]> = {
  pending: ['processing_started', 'successful', 'failed', 'expired'],
  processing_started: ['instructions_sent', 'successful', 'failed', 'expired'],
  instructions_sent: ['successful', 'failed', 'expired'],
  successful: ['reversed'],
  failed: [],
  expired: [],
  reversed: [],
}

/** Number and receiver of the newest order of a request. */
export type RequestOrder = Pick<RequestRow, 'attempt' | 'network' | 'connection'>

/** Change of a request's status. The row must be locked by the transaction. */
export interface RequestTransition {
  request: RequestRow
  to: RequestStatus
  author: number
  /** The new `error_message` of the request, also the note in its history. */
  error_message?: string
  /** A note in its history that is not an error. */
  note?: string
  collection?: number
  /** The text of the SMS that tells the customer how to pay, if this transition sends one. */
  instructions?: string
  /** The order that begins with this transition, if one does. */
  order?: RequestOrder | undefined
  /** Time when the request is due next; null if never. */
  due_at: Date | null
}

/** Data that the caller of `transitionRequests` knows already. Missing data is read. */
export interface KnownOfRequests {
  /** The contacts of the requests, by id. */
  contacts?: ReadonlyMap<number, Contact>
  /** The organizations of the requests, by id. */
  organizations?: ReadonlyMap<number, NamedOrganization>
  /** Ids for the events, one for each transition. */
  reserved?: ReservedEvents
}

/**
 * Changes the status of requests. Each change updates the row, adds a history row and a
 * `collectionrequest.status.changed` event, and queues the SMS that follow from it.
 * @returns the requests with their new status, in the order given
 * @throws Error for a transition that is not allowed, which is a bug of the caller
 */
export async function transitionRequests(
  tx: Tx,
  now: Date,
  transitions: readonly RequestTransition[],
  known: KnownOfRequests = {},
): Promise<RequestRow[]> {
  if (transitions.length === 0) return []
  for (const { request, to } of transitions)
    if (!allowedTransitions[request.status].includes(to))
      throw new Error(`A request that is ${request.status} cannot become ${to} (request ${request.id}).`)
  const requests = transitions.map((transition) => applyTransition(transition, now))
  const [contacts, organizations, reserved] = await readMissing(tx, transitions, known)
  updateRows(tx, now, transitions)
  insertHistory(tx, now, transitions)
  recordCountChanges(tx, transitions.flatMap(countChangesOf))
  const sms = queueSmsWithoutIds(tx, now, writeSms(transitions, contacts, organizations))
  const events = requests.map(
    (request, index): NewEvent => ({
      organization: request.organization,
      type: 'collectionrequest.status.changed',
      data: encode(CollectionRequest, { ...request, contact: contacts.get(request.contact)! }),
      author: transitions[index]!.author,
    }),
  )
  await Promise.all([sms, recordEvents(tx, now, events, reserved)])
  for (const { request, to, collection = null } of transitions)
    noteFact(tx, 'request_changed', { collection_request: request.id, from: request.status, to, collection })
  return requests
}

/**
 * Reads the missing data for events and SMS of transitions. It does not wait if the caller knows it all, so that the
 * writes begin at once.
 */
function readMissing(
  tx: Tx,
  transitions: readonly RequestTransition[],
  { contacts, organizations, reserved }: KnownOfRequests,
) {
  const requests = transitions.map(({ request }) => request)
  const confirmed = transitions.filter(({ to }) => to === 'successful').map(({ request }) => request)
  return Promise.all([
    contacts ??
      contactsById(
        tx,
        requests.map(({ contact }) => contact),
      ),
    organizations ?? readConfirmingOrganizations(tx, confirmed),
    reserved ?? reserveEvents(tx, requests.map(toChangedEvent)),
  ])
}

/** Builds the known part of the event of a transition before it happens. */
export function toChangedEvent({ organization }: Pick<RequestRow, 'organization'>) {
  return { organization, type: 'collectionrequest.status.changed' as const }
}

function countChangesOf({ request, to }: RequestTransition): CountChange[] {
  const { organization, status } = request
  return [
    { organization, status, change: -1 },
    { organization, status: to, change: 1 },
  ]
}

/** Locks requests that are due, in turn by organization. Those that other transactions have locked are left to them. */
export async function lockDueRequests(
  tx: Tx,
  times: Pick<ClaimTimes, 'now' | 'real'>,
  limit: number,
): Promise<LockedRequest[]> {
  return lockInTurn<LockedRequest>(
    tx,
    { table: 'collection_requests', by: 'organization', times, limit },
    sql`${requestColumns()}, due_at`,
  )
}

/** Leaves due requests alone until the end of a lease, because the work on them has failed. */
export function postponeRequests(tx: Tx, ids: readonly number[], { lease_end }: ClaimTimes): Promise<void> {
  return leaseRows(tx, 'collection_requests', ids, lease_end)
}

/** Finds the time when the next unclaimed request is due, or null. */
export function nextDueRequest(db: Reader, real: Date): Promise<Date | null> {
  return findNextInTurn(db, 'collection_requests', 'organization', real)
}

/** A locked request, with the date when it is due. */
export type LockedRequest = RequestRow & { due_at: Date | null }

/** Locks requests. Every transaction locks requests before orders, collections and wallets. */
export async function lockRequests(tx: Tx, ids: readonly number[]): Promise<LockedRequest[]> {
  return tx<LockedRequest[]>`
    select ${requestColumns()}, due_at from collection_requests
    where id = any(${ids}::bigint[]) order by id for update`
}

/**
 * Locks requests and returns those that are still open. Matching, expiry and network answers all lock the request, so only
 * one of them can end it.
 */
export async function lockOpenRequests(tx: Tx, ids: readonly number[]): Promise<LockedRequest[]> {
  return (await lockRequests(tx, ids)).filter(isOpen)
}

/** The order of the last attempt of each of these requests, by request id. The requests must be locked. */
export async function lastOrders(db: Reader, requests: readonly RequestRow[]): Promise<Map<number, NetworkOrder>> {
  const attempts = requests.filter((request) => request.attempt > 0)
  if (attempts.length === 0) return new Map()
  const orders = await db<NetworkOrder[]>`
    select ${networkOrderColumns('o')} from ${rows(attempts, { id: 'bigint', attempt: 'integer' }).as('r')}
    join network_orders o on o.collection_request = r.id and o.attempt = r.attempt`
  return new Map(orders.map((order) => [order.collection_request!, order]))
}

/** Sets when each request is due next and which order it has, without a transition, and ends its lease. */
export async function scheduleRequests(
  tx: Tx,
  due: readonly (RequestOrder & { id: number; due_at: Date })[],
): Promise<void> {
  if (due.length === 0) return
  const columns = {
    id: 'bigint',
    due_at: 'timestamptz',
    attempt: 'integer',
    network: 'text',
    connection: 'text',
  } as const
  releaseLeases(tx, 'collection_requests', rows(due, columns))
}

/** The balances of the active wallets among these accounts, by id. */
export async function balancesOf(db: Reader, accounts: readonly number[]): Promise<Map<number, Amount>> {
  const wallets = await db<{ id: number; balance: Amount }[]>`
    select id, balance from accounts where id = any(${[...new Set(accounts)]}::bigint[]) and status = 'active'`
  return new Map(wallets.map(({ id, balance }) => [id, balance]))
}

function applyTransition(transition: RequestTransition, now: Date): RequestRow {
  return {
    ...transition.request,
    status: transition.to,
    error_message: transition.error_message ?? transition.request.error_message,
    collection: transition.collection ?? transition.request.collection,
    ...transition.order,
    modified: truncateToSecond(now),
    updated_by: transition.author,
  }
}

/** The SMS that follow from transitions: instructions where a transition has them, and confirmations of success. */
function writeSms(
  transitions: readonly RequestTransition[],
  contacts: ReadonlyMap<number, Contact>,
  organizations: ReadonlyMap<number, NamedOrganization>,
): NewSmsMessage[] {
  const instructions = transitions.flatMap(({ request, instructions: body }): NewSmsMessage[] =>
    body === undefined ? [] : [toInstructions(request, body)],
  )
  const fulfilled = transitions.flatMap(({ request, to }) =>
    to === 'successful' ? [{ request, contact: contacts.get(request.contact)! }] : [],
  )
  return [...instructions, ...buildSuccessMessages(fulfilled, organizations)]
}

function toInstructions(request: RequestRow, body: string): NewSmsMessage {
  const { organization, id: collection_request, phonenumber, expiry_date: valid_until } = request
  return { organization, collection_request, purpose: 'instructions', phonenumber, body, valid_until }
}

function updateRows(tx: Tx, now: Date, transitions: readonly RequestTransition[]): void {
  const changes = rows(transitions, {
    id: ['bigint', ({ request }) => request.id],
    organization: ['bigint', ({ request }) => request.organization],
    status: ['text', ({ to }) => to],
    error_message: 'text',
    collection: 'bigint',
    author: 'bigint',
    due_at: 'timestamptz',
    attempt: ['integer', ({ order, request }) => (order ?? request).attempt],
    network: ['text', ({ order, request }) => (order ?? request).network],
    connection: ['text', ({ order, request }) => (order ?? request).connection],
  })
  tx.send`
    update collection_requests r set status = t.status, error_message = coalesce(t.error_message, r.error_message),
      collection = coalesce(t.collection, r.collection), modified = ${truncateToSecond(now)}, updated_by = t.author,
      attempt = t.attempt, network = t.network, connection = t.connection, due_at = t.due_at, leased_until = null
    from ${changes.as('t')} where r.id = t.id and r.organization = t.organization`
}

function insertHistory(tx: Tx, now: Date, transitions: readonly RequestTransition[]): void {
  const entries = rows(transitions, {
    collection_request: ['bigint', ({ request }) => request.id],
    from_status: ['text', ({ request }) => request.status],
    to_status: ['text', ({ to }) => to],
    author: 'bigint',
    note: ['text', ({ note, error_message }) => note ?? error_message],
  })
  tx.send`
    insert into collection_request_transitions (${entries.columns}, at)
    select ${entries.columns}, ${now} from ${entries.as('t')}`
}
