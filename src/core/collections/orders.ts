import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, table } from '../../db/table.ts'
import { type Effect, type Query, rowsById, together, type Work, workAlone } from '../../db/unit-of-work.ts'
import { encode } from '../../lib/encoding/encode.ts'
import type { Amount } from '../../lib/money.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type NetworkOrder, networkOrderTable } from '../connections/network-order.ts'
import { type Contact, contactsById } from '../contacts/contacts.ts'
import { eventIds, type NewEvent, recordedEvents } from '../events/events.ts'
import { noteFact } from '../facts.ts'
import { type ClaimTimes, findNextInTurn, isDue, leaseRows, lockInTurn, releaseLeases } from '../leases.ts'
import { queueOrSendSms } from '../sms/direct.ts'
import type { NewSmsMessage } from '../sms/outbox.ts'
import { CollectionRequest, isOpen, type RequestRow, type RequestStatus, storedRequest } from './collection-request.ts'
import { buildSuccessMessage, type NamedOrganization } from './sms.ts'

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

/** A transition of a request, with what its event and its SMS say besides. */
type KnownTransition = RequestTransition & {
  contact: Contact
  owner: NamedOrganization
  /** An id of `eventIds`. */
  event_id: number
}

/**
 * Changes the status of a request: updates the row with its history, records a `collectionrequest.status.changed` event,
 * and queues the SMS that follow from it.
 * @returns the request with its new status
 * @throws Error for a transition that is not allowed, which is a bug of the caller
 */
export async function transitionRequest(work: Work, transition: RequestTransition): Promise<RequestRow> {
  const { request } = transition
  const known = await together({
    contact: work.load(contacts, request.contact),
    owner: work.load(organizations, request.organization),
    event_id: work.load(eventIds, transition),
  })
  work.add(requestTransitions, { ...transition, ...known })
  return applyTransition(transition, work.now)
}

/** Changes the status of one request, as `transitionRequest` does. */
export function transitionAlone(tx: Tx, now: Date, transition: RequestTransition): Promise<RequestRow> {
  return workAlone({ tx, now, effects: [requestTransitions] }, (work) => transitionRequest(work, transition))
}

/** The contacts of requests, by their own ids. */
export const contacts: Query<number, Contact> = { read: contactsById }

/** An organization with the user in whose name the service acts, and the name that a prompt without a reason shows. */
export interface ActingOrganization extends NamedOrganization {
  id: number
  service_user: number
}

/** The organizations of requests. */
export const organizations = rowsById(
  (tx, ids) => tx<ActingOrganization[]>`
    select id, name, service_user from organizations where id = any(${ids}::bigint[])`,
)

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

export const lockedRequests = rowsById(lockRequests)

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
type RequestSchedule = RequestOrder & { id: number; due_at: Date }

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

/** Transitions of requests. */
export const requestTransitions: Effect<KnownTransition> = {
  async write(tx, now, transitions) {
    for (const { request, to } of transitions)
      if (!allowedTransitions[request.status].includes(to))
        throw new Error(`A request that is ${request.status} cannot become ${to} (request ${request.id}).`)
    updateRows(tx, now, transitions)
    const sms = queueOrSendSms(
      tx,
      now,
      transitions.flatMap((transition) => toSms(transition) ?? []),
    )
    await recordedEvents.write(
      tx,
      now,
      transitions.map((transition) => toEvent(transition, now)),
    )
    await sms
    for (const { request, to, collection = null } of transitions)
      noteFact(tx, 'request_changed', { collection_request: request.id, from: request.status, to, collection })
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

/** Returns the SMS of a transition: its instructions, or the confirmation of success. */
function toSms({ request, to, instructions, contact, owner }: KnownTransition): NewSmsMessage | undefined {
  if (instructions !== undefined) return toInstructions(request, instructions)
  return to === 'successful' ? buildSuccessMessage(request, contact, owner) : undefined
}

function toEvent(transition: KnownTransition, now: Date): NewEvent & { id: number } {
  const { request, author, contact, event_id } = transition
  return {
    id: event_id,
    organization: request.organization,
    type: 'collectionrequest.status.changed',
    data: encode(CollectionRequest, { ...applyTransition(transition, now), contact }),
    author,
    previous_status: request.status,
  }
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
    history: ['text', (transition) => `${JSON.stringify(toHistory(transition, now))}\n`],
  })
  tx.send`
    update collection_requests r set status = t.status, error_message = coalesce(t.error_message, r.error_message),
      collection = coalesce(t.collection, r.collection), modified = ${truncateToSecond(now)}, updated_by = t.author,
      attempt = t.attempt, network = t.network, connection = t.connection, history = r.history || t.history
    from ${changes.as('t')} where r.id = t.id and r.organization = t.organization`
  scheduleOrClose(tx, transitions)
}

/** The line of a transition in the history of its request, which `collection_request_transitions` reads. */
function toHistory({ to, author, note, error_message }: RequestTransition, now: Date): (string | number)[] {
  const text = note ?? error_message
  return [to, now.getTime(), author, ...(text === undefined ? [] : [toStorableText(text)])]
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
