import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Effect } from '../../db/unit-of-work.ts'
import { encode } from '../../lib/encoding/encode.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type NetworkOrder, networkOrderTable } from '../connections/network-order.ts'
import { type Contact, contactsById } from '../contacts/contacts.ts'
import { type NewEvent, recordEvents, reserveEvents } from '../events/events.ts'
import { noteFact } from '../facts.ts'
import { type ClaimTimes, findNextInTurn, isDue, leaseRows, lockInTurn, releaseLeases } from '../leases.ts'
import { type NewSmsMessage, queueSmsWithoutIds } from '../sms/outbox.ts'
import { CollectionRequest, isOpen, type RequestRow, type RequestStatus, storedRequest } from './collection-request.ts'
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
  reserved?: readonly number[]
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
  const changed = transitions.map((transition) => ({ ...transition, request: applyTransition(transition, now) }))
  const [contacts, organizations, reserved] = await readMissing(tx, transitions, known)
  updateRows(tx, now, transitions)
  insertHistory(tx, now, transitions)
  recordCountChanges(tx, transitions.flatMap(countChangesOf))
  const sms = queueSmsWithoutIds(tx, now, writeSms(transitions, contacts, organizations))
  const events = changed.map(
    ({ request, author }): NewEvent => ({
      organization: request.organization,
      type: 'collectionrequest.status.changed',
      data: encode(CollectionRequest, { ...request, contact: contacts.get(request.contact)! }),
      author,
    }),
  )
  await Promise.all([sms, recordEvents(tx, now, events, reserved)])
  for (const { request, to, collection = null } of transitions)
    noteFact(tx, 'request_changed', { collection_request: request.id, from: request.status, to, collection })
  return changed.map(({ request }) => request)
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
    reserved ?? reserveEvents(tx, requests.length),
  ])
}

function countChangesOf({ request, to }: RequestTransition): CountChange[] {
  const { organization, status } = request
  return [
    { organization, status, change: -1 },
    { organization, status: to, change: 1 },
  ]
}

const transitionTable = table('collection_request_transitions', {
  collection_request: column.bigint().key(),
  id: column.id(),
  from_status: column.text<RequestStatus>(),
  to_status: column.text<RequestStatus>(),
  at: column.timestamptz(),
  author: column.bigint(),
  note: column.text().nullable(),
})

/** The open requests, whose rows are their jobs. */
export const openRequestTable = table('open_collection_requests', {
  collection_request: column.bigint().key(),
  organization: column.bigint(),
  account: column.bigint(),
  phonenumber: column.text(),
  amount: column.numeric(),
  due_at: column.timestamptz(),
  leased_until: column.timestamptz().later(),
})
const OPEN = { table: 'open_collection_requests', key: 'collection_request', by: 'organization' } as const

/** Locks requests that are due, in turn by organization. Those that other transactions have locked are left to them. */
export async function lockDueRequests(
  tx: Tx,
  times: Pick<ClaimTimes, 'now' | 'real'>,
  limit: number,
): Promise<LockedRequest[]> {
  const locked = await lockInTurn<RequestRow>(
    tx,
    { ...OPEN, times, limit },
    'collection_requests',
    storedRequest.columns,
  )
  if (locked.length === 0) return []
  // Read under the locks: another process may have done the work meanwhile.
  const ids = locked.map(({ id }) => id)
  const due = await tx<{ id: number; due_at: Date }[]>`
    select collection_request as id, due_at from open_collection_requests
    where collection_request = any(${ids}::bigint[]) and ${isDue(times)}`
  const due_dates = new Map(due.map(({ id, due_at }) => [id, due_at]))
  return locked.flatMap((request) => {
    const due_at = due_dates.get(request.id)
    return due_at ? [{ ...request, due_at }] : []
  })
}

/** Leaves due requests alone until the end of a lease, because the work on them has failed. */
export function postponeRequests(tx: Tx, ids: readonly number[], { lease_end }: ClaimTimes): Promise<void> {
  return leaseRows(tx, OPEN, ids, lease_end)
}

/** Finds the time when the next unclaimed request is due, or null. */
export function nextDueRequest(db: Reader, real: Date): Promise<Date | null> {
  return findNextInTurn(db, OPEN.table, OPEN.by, real)
}

/** A locked request, with the date when it is due. */
export type LockedRequest = RequestRow & { due_at: Date }

/** Locks requests. Every transaction locks requests before orders, collections and wallets. */
export async function lockRequests(tx: Tx, ids: readonly number[]): Promise<RequestRow[]> {
  return tx<RequestRow[]>`
    select ${storedRequest.columns} from collection_requests
    where id = any(${ids}::bigint[]) order by id for update`
}

/**
 * Locks requests and returns those that are still open. Matching, expiry and network answers all lock the request, so only
 * one of them can end it.
 */
export async function lockOpenRequests(tx: Tx, ids: readonly number[]): Promise<RequestRow[]> {
  return (await lockRequests(tx, ids)).filter(isOpen)
}

/** The order of the last attempt of each of these requests, by request. The requests must be locked. */
export async function lastOrders<Request extends RequestRow>(
  db: Reader,
  requests: readonly Request[],
): Promise<Map<Request, NetworkOrder>> {
  const by_id = new Map(requests.flatMap((request) => (request.attempt > 0 ? [[request.id, request]] : [])))
  if (by_id.size === 0) return new Map()
  const attempts: RequestRow[] = [...by_id.values()]
  const orders = await db<NetworkOrder[]>`
    select ${networkOrderTable.columnsOf('o')} from ${rows(attempts, { id: 'bigint', attempt: 'integer' }).as('r')}
    join network_orders o on o.collection_request = r.id and o.attempt = r.attempt`
  return new Map(orders.map((order) => [by_id.get(order.collection_request!)!, order]))
}

/** Due date and newest order of a request. */
export type RequestSchedule = RequestOrder & { id: number; due_at: Date }

/** Sets when each request is due next and which order it has, without a transition, and ends its lease. */
function scheduleRequests(tx: Tx, due: readonly RequestSchedule[]): void {
  const next = rows(due, { collection_request: ['bigint', ({ id }) => id], due_at: 'timestamptz' })
  releaseLeases(tx, OPEN.table, next, [OPEN.key])
  const orders = rows(due, { id: 'bigint', attempt: 'integer', network: 'text', connection: 'text' })
  tx.send`
    update collection_requests r set ${orders.assignments('o', 'id')} from ${orders.as('o')}
    where r.id = o.id and r.attempt <> o.attempt`
}

/** The balances of the active wallets among these accounts, by id. */
export async function balancesOf(db: Reader, accounts: readonly number[]): Promise<Map<number, Amount>> {
  const wallets = await db<{ id: number; balance: Amount }[]>`
    select id, balance from accounts where id = any(${[...new Set(accounts)]}::bigint[]) and status = 'active'`
  return new Map(wallets.map(({ id, balance }) => [id, balance]))
}

/** A transition of a request, with what its event and its SMS say. Without an id, its event draws one. */
type KnownTransition = RequestTransition & {
  contact: Contact
  owner: NamedOrganization & { id: number }
  event_id?: number
}

/** Transitions of requests. */
export const requestTransitions: Effect<KnownTransition> = {
  async write(tx, now, transitions) {
    const reserved = transitions.flatMap(({ event_id }) => event_id ?? [])
    await transitionRequests(tx, now, transitions, {
      contacts: new Map(transitions.map(({ contact }) => [contact.id, contact])),
      organizations: new Map(transitions.map(({ owner }) => [owner.id, owner])),
      ...(reserved.length === transitions.length && { reserved }),
    })
  },
}

/** Transitions that follow on others of the same requests. */
export const furtherTransitions: typeof requestTransitions = { ...requestTransitions }

/** New due dates of requests without a transition. */
export const requestSchedules: Effect<RequestSchedule> = { write: (tx, _, due) => scheduleRequests(tx, due) }

/** Returns a request as a transition leaves it. */
export function applyTransition(transition: RequestTransition, now: Date): RequestRow {
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
    attempt: ['integer', ({ order, request }) => (order ?? request).attempt],
    network: ['text', ({ order, request }) => (order ?? request).network],
    connection: ['text', ({ order, request }) => (order ?? request).connection],
  })
  tx.send`
    update collection_requests r set status = t.status, error_message = coalesce(t.error_message, r.error_message),
      collection = coalesce(t.collection, r.collection), modified = ${truncateToSecond(now)}, updated_by = t.author,
      attempt = t.attempt, network = t.network, connection = t.connection
    from ${changes.as('t')} where r.id = t.id and r.organization = t.organization`
  scheduleOrClose(tx, transitions)
}

/** Sets when open requests are due next, and takes those that have ended out of the open ones. */
function scheduleOrClose(tx: Tx, transitions: readonly RequestTransition[]): void {
  const ended = transitions.flatMap(({ request, due_at }) => (isOpen(request) && due_at === null ? [request.id] : []))
  if (ended.length > 0) tx.send`delete from open_collection_requests where collection_request = any(${ended}::bigint[])`
  const waiting = transitions.filter(({ due_at }) => due_at !== null)
  if (waiting.length === 0) return
  const next = rows(waiting, { id: ['bigint', ({ request }) => request.id], due_at: 'timestamptz' })
  // A row that is written again is written to all indexes.
  tx.send`
    update open_collection_requests o set due_at = n.due_at, leased_until = null from ${next.as('n')}
    where o.collection_request = n.id and (o.due_at <> n.due_at or o.leased_until is not null)`
}

function insertHistory(tx: Tx, now: Date, transitions: readonly RequestTransition[]): void {
  tx.send`${insert(transitionTable, transitions, {
    collection_request: ({ request }) => request.id,
    from_status: ({ request }) => request.status,
    to_status: ({ to }) => to,
    at: now,
    note: ({ note, error_message }) => note ?? error_message,
  })}`
}
