import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type Contact, contactsById } from '../contacts/contacts.ts'
import { type NewEvent, recordEvents } from '../events/events.ts'
import { type ClaimTimes, claimDue, findNextDue, releaseLeases } from '../leases.ts'
import { CollectionRequest, isOpen, type RequestRow, type RequestStatus, requestColumns } from './collection-request.ts'
import { type CountChange, recordCountChanges } from './request-counts.ts'
import { buildSuccessMessages, type NewSmsMessage, queueSms } from './sms.ts'

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

/** One change of a request's status. The row must be locked by the transaction. */
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
  /** When the request is due next; null if never; `claimed` to keep its due date and lease while a job works on it. */
  due_at: Date | null | 'claimed'
}

/**
 * Changes the status of requests. Each change updates the row, adds a history row and a `collectionrequest.status.changed`
 * event, and queues the SMS that follow from it.
 * @param known the contacts of the requests by id, where the caller has read them already
 * @returns the requests with their new status, in the order given
 * @throws Error for a transition that is not allowed, which is a bug of the caller
 */
export async function transitionRequests(
  tx: Tx,
  now: Date,
  transitions: readonly RequestTransition[],
  known?: ReadonlyMap<number, Contact>,
): Promise<RequestRow[]> {
  if (transitions.length === 0) return []
  for (const { request, to } of transitions)
    if (!allowedTransitions[request.status].includes(to))
      throw new Error(`A request that is ${request.status} cannot become ${to} (request ${request.id}).`)
  const contacts =
    known ??
    (await contactsById(
      tx,
      transitions.map(({ request }) => request.contact),
    ))
  const requests = transitions.map((transition) => applyTransition(transition, now))
  await Promise.all([
    updateRows(tx, now, transitions),
    insertHistory(tx, now, transitions),
    recordCountChanges(tx, transitions.flatMap(countChangesOf)),
    notifyCustomers(tx, now, transitions, contacts),
  ])
  await recordEvents(
    tx,
    now,
    requests.map(
      (request, index): NewEvent => ({
        organization: request.organization,
        type: 'collectionrequest.status.changed',
        data: z.encode(CollectionRequest, { ...request, contact: contacts.get(request.contact)! }),
        author: transitions[index]!.author,
      }),
    ),
  )
  return requests
}

function countChangesOf({ request, to }: RequestTransition): CountChange[] {
  const { organization, status } = request
  return [
    { organization, status, change: -1 },
    { organization, status: to, change: 1 },
  ]
}

/** An order that was sent to a network for a request. */
export interface OrderRow {
  reference: string
  collection_request: number
  attempt: number
  network: string
  prompt_sent: boolean
  remote_id: string | null
  outcome: 'accepted' | 'successful' | 'failed' | 'unknown' | 'not_found' | null
  message: string | null
}

/** Our reference for one attempt of a request. The network returns it, and a payment that carries it is for this request. */
export function orderReference(request: number, attempt: number): string {
  return `KR${request}-${attempt}`
}

/** The id of the request in an order reference, or undefined when it is not one of our references. */
export function parseOrderReference(reference: string | null): number | undefined {
  const parts = reference === null ? null : /^KR(\d{1,15})-\d{1,3}$/.exec(reference)
  return parts ? Number(parts[1]) : undefined
}

/**
 * Claims requests that are due, under a lease.
 * @returns their ids
 */
export async function claimDueRequests(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const claimed = await claimDue<{ id: number }>(tx, { table: 'collection_requests', times, limit })
  return claimed.map(({ id }) => id)
}

/** When the next request is due that is not claimed, or null. */
export function nextDueRequest(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'collection_requests', real)
}

/**
 * Locks requests and returns those that are still open. Matching, expiry and network answers all lock the request, so only
 * one of them can end it.
 */
export async function lockOpenRequests(tx: Tx, ids: readonly number[]): Promise<RequestRow[]> {
  const locked = await tx<RequestRow[]>`
    select ${requestColumns()} from collection_requests
    where id = any(${ids}::bigint[]) order by id for update`
  return locked.filter(isOpen)
}

/** The order of the last attempt of each of these requests, by request id. */
export async function lastOrders(db: Reader, requests: readonly RequestRow[]): Promise<Map<number, OrderRow>> {
  const references = requests.filter((r) => r.attempt > 0).map((r) => orderReference(r.id, r.attempt))
  const orders = await db<OrderRow[]>`select * from collection_orders where reference = any(${references}::text[])`
  return new Map(orders.map((order) => [order.collection_request, order]))
}

/** Stores the next attempts of requests, before a network is called. */
export async function beginAttempts(tx: Tx, now: Date, requests: readonly RequestRow[]): Promise<void> {
  if (requests.length === 0) return
  const orders = rows(requests, {
    reference: ['text', (request) => orderReference(request.id, request.attempt + 1)],
    collection_request: ['bigint', (request) => request.id],
    attempt: ['integer', (request) => request.attempt + 1],
    network: 'text',
    prompt_sent: ['boolean', (request) => request.send_instructions],
  })
  await Promise.all([
    tx`
      insert into collection_orders (${orders.columns}, sent)
      select ${orders.columns}, ${now} from ${orders.as('o')}`,
    tx`
      update collection_requests set attempt = attempt + 1, status_queries = 0
      where id = any(${requests.map((r) => r.id)}::bigint[])`,
  ])
}

/** The answer of a network to an order. */
export interface OrderAnswer {
  reference: string
  outcome: NonNullable<OrderRow['outcome']>
  remote_id?: string
  message?: string
}

/** Stores the newest answer of the network for each order. */
export async function recordAnswers(tx: Tx, now: Date, answers: readonly OrderAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await tx`
    update collection_orders o set outcome = a.outcome, remote_id = coalesce(a.remote_id, o.remote_id),
      message = a.message, answered = ${now}
    from ${rows(answers, { reference: 'text', outcome: 'text', remote_id: 'text', message: 'text' }).as('a')}
    where o.reference = a.reference`
}

/** Sets when each request is due next, without a transition, and ends its lease. */
export async function scheduleRequests(
  tx: Tx,
  due: readonly { id: number; due_at: Date; status_queries: number }[],
): Promise<void> {
  if (due.length === 0) return
  await releaseLeases(
    tx,
    'collection_requests',
    rows(due, { id: 'bigint', due_at: 'timestamptz', status_queries: 'integer' }),
  )
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
    modified: truncateToSecond(now),
    updated_by: transition.author,
  }
}

/** Queues the SMS that follow from transitions: instructions where a transition has them, and confirmations of success. */
async function notifyCustomers(
  tx: Tx,
  now: Date,
  transitions: readonly RequestTransition[],
  contacts: ReadonlyMap<number, Contact>,
) {
  const instructions = transitions.flatMap(({ request, instructions: body }): NewSmsMessage[] =>
    body === undefined ? [] : [{ ...request, collection_request: request.id, purpose: 'instructions', body }],
  )
  const fulfilled = transitions.flatMap(({ request, to }) =>
    to === 'successful' ? [{ request, contact: contacts.get(request.contact)! }] : [],
  )
  await queueSms(tx, now, [...instructions, ...(await buildSuccessMessages(tx, fulfilled))])
}

function updateRows(tx: Tx, now: Date, transitions: readonly RequestTransition[]) {
  const changes = rows(transitions, {
    id: ['bigint', ({ request }) => request.id],
    status: ['text', ({ to }) => to],
    error_message: 'text',
    collection: 'bigint',
    author: 'bigint',
    due_at: ['timestamptz', ({ due_at }) => (due_at === 'claimed' ? null : due_at)],
    claimed: ['boolean', ({ due_at }) => due_at === 'claimed'],
  })
  return tx`
    update collection_requests r set status = t.status, error_message = coalesce(t.error_message, r.error_message),
      collection = coalesce(t.collection, r.collection), modified = ${truncateToSecond(now)}, updated_by = t.author,
      due_at = case when t.claimed then r.due_at else t.due_at end,
      leased_until = case when t.claimed then r.leased_until end
    from ${changes.as('t')} where r.id = t.id`
}

function insertHistory(tx: Tx, now: Date, transitions: readonly RequestTransition[]) {
  const entries = rows(transitions, {
    collection_request: ['bigint', ({ request }) => request.id],
    from_status: ['text', ({ request }) => request.status],
    to_status: ['text', ({ to }) => to],
    author: 'bigint',
    note: ['text', ({ note, error_message }) => note ?? error_message],
  })
  return tx`
    insert into collection_request_transitions (${entries.columns}, at)
    select ${entries.columns}, ${now} from ${entries.as('t')}`
}
