import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type Contact, contactsById } from '../contacts/contacts.ts'
import { type NewEvent, recordEvents } from '../events/events.ts'
import type { ClaimTimes } from '../leases.ts'
import { CollectionRequest, isOpen, type RequestRow, type RequestStatus, requestColumns } from './collection-request.ts'
import { type CountChange, recordCountChanges } from './request-counts.ts'
import { buildSuccessMessages, type NewSmsMessage, queueSms } from './sms.ts'

/** The moves that section 3 of the interface and docs/interface-gaps.md allow. */
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
  /** What the request's `error_message` becomes, and the note in its history. */
  error_message?: string
  /** A note in its history that is no error. */
  note?: string
  collection?: number
  /** The SMS that tells the customer how to pay, if this move sends one. */
  instructions?: string
  /** When something must happen next; null when the request is done; `in hand` while its claimant works on. */
  due_at: Date | null | 'in hand'
}

/**
 * Changes the status of requests: the rows, one history row and one `collectionrequest.status.changed` event each, and
 * the SMS that follow from it.
 * @throws Error on a move that the interface does not know, which is a bug of the caller.
 */
export async function transitionRequests(
  tx: Tx,
  now: Date,
  moves: readonly RequestTransition[],
  known?: ReadonlyMap<number, Contact>,
): Promise<RequestRow[]> {
  if (moves.length === 0) return []
  for (const { request, to } of moves)
    if (!allowedTransitions[request.status].includes(to))
      throw new Error(`A request that is ${request.status} cannot become ${to} (request ${request.id}).`)
  const contacts =
    known ??
    (await contactsById(
      tx,
      moves.map((move) => move.request.contact),
    ))
  const moved = moves.map((move) => applyTransition(move, now))
  await Promise.all([
    updateRows(tx, now, moves),
    insertHistory(tx, now, moves),
    recordCountChanges(tx, moves.flatMap(countChangesOf)),
    notifyCustomers(tx, now, moves, contacts),
  ])
  await recordEvents(
    tx,
    now,
    moved.map(
      (row, index): NewEvent => ({
        organization: row.organization,
        type: 'collectionrequest.status.changed',
        data: z.encode(CollectionRequest, { ...row, contact: contacts.get(row.contact)! }),
        author: moves[index]!.author,
      }),
    ),
  )
  return moved
}

function countChangesOf({ request, to }: RequestTransition): CountChange[] {
  const { organization, status } = request
  return [
    { organization, status, change: -1 },
    { organization, status: to, change: 1 },
  ]
}

/** What was sent to a network for a request. */
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

/** Our reference for one attempt at one request. The network gives it back, and money that carries it is for this request. */
export function orderReference(request: number, attempt: number): string {
  return `KR${request}-${attempt}`
}

/** The request that an order reference of ours was made for, or undefined when it is none of ours. */
export function parseOrderReference(reference: string | null): number | undefined {
  const parts = reference === null ? null : /^KR(\d{1,15})-\d{1,3}$/.exec(reference)
  return parts ? Number(parts[1]) : undefined
}

/**
 * Claims requests for which something is due, under a lease on the real clock: what a killed process held is free again
 * when the lease ends.
 */
export async function claimDueRequests(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    update collection_requests set leased_until = ${times.lease_end} where id in (
      select id from collection_requests
      where due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      order by due_at limit ${limit} for update skip locked)
    returning id`
  return rows.map((row) => row.id)
}

/** When the next request falls due that nobody is working on, or null. */
export async function nextDueRequest(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from collection_requests
    where due_at is not null and (leased_until is null or leased_until <= ${real})`
  return row?.due_at ?? null
}

/** Locks requests that are still open, in id order, so that match, expiry and settling meet at the same row. */
export async function lockOpenRequests(tx: Tx, ids: readonly number[]): Promise<RequestRow[]> {
  const rows = await tx<RequestRow[]>`
    select ${requestColumns()} from collection_requests
    where id = any(${ids}::bigint[]) order by id for update`
  return rows.filter(isOpen)
}

/** The order of the last attempt of each of these requests, by request id. */
export async function lastOrders(db: Reader, requests: readonly RequestRow[]): Promise<Map<number, OrderRow>> {
  const references = requests.filter((r) => r.attempt > 0).map((r) => orderReference(r.id, r.attempt))
  const rows = await db<OrderRow[]>`select * from collection_orders where reference = any(${references}::text[])`
  return new Map(rows.map((row) => [row.collection_request, row]))
}

/** Writes down that these attempts begin, before any network is called. */
export async function beginAttempts(tx: Tx, now: Date, requests: readonly RequestRow[]): Promise<void> {
  if (requests.length === 0) return
  const attempts = requests.map((request) => request.attempt + 1)
  await Promise.all([
    tx`
      insert into collection_orders (reference, collection_request, attempt, network, prompt_sent, sent)
      select o.reference, o.request, o.attempt, o.network, o.prompt_sent::boolean, ${now}
      from unnest(${requests.map((r, i) => orderReference(r.id, attempts[i]!))}::text[], ${requests.map((r) => r.id)}::bigint[],
        ${attempts}::integer[], ${requests.map((r) => r.network)}::text[],
        ${requests.map((r) => String(r.send_instructions))}::text[]) as o(reference, request, attempt, network, prompt_sent)`,
    tx`
      update collection_requests set attempt = attempt + 1, status_queries = 0
      where id = any(${requests.map((r) => r.id)}::bigint[])`,
  ])
}

/** What a network said about an order, to be kept with it. */
export interface OrderAnswer {
  reference: string
  outcome: NonNullable<OrderRow['outcome']>
  remote_id?: string
  message?: string
}

/** Keeps the newest answer of the network with each order. */
export async function recordAnswers(tx: Tx, now: Date, answers: readonly OrderAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await tx`
    update collection_orders o set outcome = a.outcome, remote_id = coalesce(a.remote_id, o.remote_id),
      message = a.message, answered = ${now}
    from unnest(${answers.map((a) => a.reference)}::text[], ${answers.map((a) => a.outcome)}::text[],
      ${answers.map((a) => a.remote_id ?? null)}::text[], ${answers.map((a) => a.message ?? null)}::text[])
      as a(reference, outcome, remote_id, message)
    where o.reference = a.reference`
}

/** Says when each request is looked at next, without moving it, and gives its lease back. */
export async function scheduleRequests(
  tx: Tx,
  due: readonly { id: number; due_at: Date; status_queries: number }[],
): Promise<void> {
  if (due.length === 0) return
  await tx`
    update collection_requests r set due_at = d.due_at::timestamptz, status_queries = d.status_queries, leased_until = null
    from unnest(${due.map((d) => d.id)}::bigint[], ${due.map((d) => d.due_at.toISOString())}::text[],
      ${due.map((d) => d.status_queries)}::integer[]) as d(id, due_at, status_queries)
    where r.id = d.id`
}

/** Balances of active wallets, for requests whose start has come. */
export async function balancesOf(db: Reader, accounts: readonly number[]): Promise<Map<number, Amount>> {
  const rows = await db<{ id: number; balance: Amount }[]>`
    select id, balance from accounts where id = any(${[...new Set(accounts)]}::bigint[]) and status = 'active'`
  return new Map(rows.map((row) => [row.id, row.balance]))
}

function applyTransition(move: RequestTransition, now: Date): RequestRow {
  return {
    ...move.request,
    status: move.to,
    error_message: move.error_message ?? move.request.error_message,
    collection: move.collection ?? move.request.collection,
    modified: truncateToSecond(now),
    updated_by: move.author,
  }
}

/** Writes the SMS that follow from moves: how to pay, when a move says so, and that the money has come. */
async function notifyCustomers(
  tx: Tx,
  now: Date,
  moves: readonly RequestTransition[],
  contacts: ReadonlyMap<number, Contact>,
) {
  const instructions = moves.flatMap(({ request, instructions: body }): NewSmsMessage[] =>
    body === undefined ? [] : [{ ...request, collection_request: request.id, purpose: 'instructions', body }],
  )
  const fulfilled = moves.flatMap(({ request, to }) =>
    to === 'successful' ? [{ request, contact: contacts.get(request.contact)! }] : [],
  )
  await queueSms(tx, now, [...instructions, ...(await buildSuccessMessages(tx, fulfilled))])
}

function updateRows(tx: Tx, now: Date, moves: readonly RequestTransition[]) {
  return tx`
    update collection_requests r set status = m.status, error_message = coalesce(m.error_message, r.error_message),
      collection = coalesce(m.collection, r.collection), modified = ${truncateToSecond(now)}, updated_by = m.author,
      due_at = case when m.in_hand::boolean then r.due_at else m.due_at::timestamptz end,
      leased_until = case when m.in_hand::boolean then r.leased_until end
    from unnest(${moves.map((m) => m.request.id)}::bigint[], ${moves.map((m) => m.to)}::text[],
      ${moves.map((m) => m.error_message ?? null)}::text[], ${moves.map((m) => m.collection ?? null)}::bigint[],
      ${moves.map((m) => m.author)}::bigint[], ${moves.map((m) => (m.due_at instanceof Date ? m.due_at.toISOString() : null))}::text[],
      ${moves.map((m) => String(m.due_at === 'in hand'))}::text[])
      as m(id, status, error_message, collection, author, due_at, in_hand)
    where r.id = m.id`
}

function insertHistory(tx: Tx, now: Date, moves: readonly RequestTransition[]) {
  return tx`
    insert into collection_request_transitions (collection_request, from_status, to_status, at, author, note)
    select m.request, m.from_status, m.to_status, ${now}, m.author, m.note
    from unnest(${moves.map((m) => m.request.id)}::bigint[], ${moves.map((m) => m.request.status)}::text[],
      ${moves.map((m) => m.to)}::text[], ${moves.map((m) => m.author)}::bigint[],
      ${moves.map((m) => m.note ?? m.error_message ?? null)}::text[]) as m(request, from_status, to_status, author, note)`
}
