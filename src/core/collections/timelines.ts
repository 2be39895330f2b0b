import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { listOrderAnswers, listOrdersOf } from '../connections/network-orders.ts'
import { amount, id, timestamp } from '../fields.ts'
import { RequestAction, readActions } from '../request-actions.ts'
import type { SmsMessage } from '../sms/message.ts'
import { listSms, readSmsAttempts, type SmsAttempt } from '../sms/outbox.ts'
import type { CollectionRequest } from './collection-request.ts'

const at = timestamp

const DeliveryAttempt = z.object({
  attempt: z.int(),
  at,
  duration_ms: z.int(),
  status: z.int().nullable(),
  failure: z.string().nullable(),
})

const CallbackEntry = z.object({
  kind: z.literal('callback'),
  at,
  id,
  network: z.string(),
  verified: z.boolean(),
  state: z.string(),
  note: z.string().nullable(),
  body: z.string(),
})

const EventEntry = z.object({ kind: z.literal('event'), at, id, type: z.string(), status: z.string().nullable() })

const DeliveryEntry = z.object({
  kind: z.literal('delivery'),
  at,
  event: id,
  webhook: id,
  target: z.string(),
  state: z.string(),
  attempts: z.array(DeliveryAttempt),
})

/** The entries that the timelines of requests and of payments have in common: callbacks of networks, and who was notified. */
export const sharedEntries = [CallbackEntry, EventEntry, DeliveryEntry] as const

/** Event that happened to a request or because of it. */
export const TimelineEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), at, author: id }),
  z.object({
    kind: z.literal('move'),
    at,
    from_status: z.string(),
    to_status: z.string(),
    note: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('order'),
    at,
    /** The slug of the connection. */
    network: z.string(),
    reference: z.string(),
    prompt_sent: z.boolean(),
    attempt: z.int(),
    /** The till or short code that the money goes to. */
    receiver: z.string(),
  }),
  z.object({
    kind: z.literal('answer'),
    at,
    network: z.string(),
    outcome: z.string(),
    message: z.string().nullable(),
    /**
     * Reason why the order failed, one of the reasons that all networks share; null for other answers and if unknown.
     */
    reason: z.string().nullable(),
    /** The network's own code. */
    code: z.string().nullable(),
    /** Source of the answer: `reply`, `status`, `callback`, `statement` or `operator`. */
    source: z.string(),
    /** Reference of ours for the order, and the network's id of it. */
    reference: z.string(),
    remote_id: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('text'),
    at,
    purpose: z.string(),
    body: z.string(),
    state: z.string(),
    /** Reason why it did not arrive, for people; null if it did, or may. */
    problem: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('text_answer'),
    at,
    purpose: z.string(),
    /** The slug of the connection that sends it. */
    connection: z.string(),
    outcome: z.string(),
    message: z.string().nullable(),
  }),
  CallbackEntry,
  z.object({
    kind: z.literal('collection'),
    at,
    id,
    amount,
    currency: z.string(),
    remote_transaction_id: z.string(),
    status: z.string(),
  }),
  z.object({ kind: z.literal('action'), at, action: RequestAction }),
  EventEntry,
  DeliveryEntry,
  /** Marks that earlier events are in the archive (npx kusanya archive show). */
  z.object({ kind: z.literal('archived'), at, segment: z.int() }),
])
export type TimelineEntry = z.output<typeof TimelineEntry>
type Entry<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>

/** Sorts entries of the same millisecond: the prompt and its effects come before the end of the request. */
function phaseOf(entry: TimelineEntry, events: readonly Entry<'event'>[]): number {
  switch (entry.kind) {
    case 'created':
      return 0
    case 'order':
      return 1
    case 'move':
      return phases[entry.to_status] ?? LAST_PHASE
    case 'event':
      return phases[entry.status ?? ''] ?? LAST_PHASE
    case 'delivery':
      return phases[events.find(({ id }) => id === entry.event)?.status ?? ''] ?? LAST_PHASE
    case 'text':
    case 'text_answer':
      return entry.purpose === 'instructions' ? 2 : LAST_PHASE
    case 'answer':
      return entry.outcome === 'accepted' ? 2 : LAST_PHASE
    default:
      return LAST_PHASE
  }
}

const phases: Record<string, number> = { processing_started: 1, instructions_sent: 2 }
const LAST_PHASE = 3

/** The order of entries that one transaction wrote. */
const kindOrder: TimelineEntry['kind'][] = [
  'created',
  'action',
  'callback',
  'answer',
  'collection',
  'move',
  'event',
  'order',
  'text',
  'text_answer',
  'delivery',
  'archived',
]

/**
 * Reads all events of a request, in order: its transitions, orders and answers, the SMS to the customer, callbacks, the
 * collection, actions of people, and events with all delivery attempts. Events that are past their retention period are
 * missing.
 */
export async function readTimeline(
  db: AnyReader,
  request: CollectionRequest,
  suffix: string,
): Promise<TimelineEntry[]> {
  const [{ moves: transitions, orders }, sms, collection, actions, archived] = await Promise.all([
    readRequestHistory(db, request.id),
    listSms(db, { collection_requests: [request.id] }, MAX_SMS, suffix),
    readCollection(db, request),
    readActions(db, { request: request.id }),
    readArchived(db, request.id),
  ])
  const succeeded = transitions.find(({ to_status }) => to_status === 'successful')?.at
  const moves: Entry<'move'>[] = transitions.map((transition) => ({ kind: 'move', ...transition }))
  const [sms_attempts, callbacks, events] = await Promise.all([
    readSmsAttempts(
      db,
      sms.map(({ id }) => id),
    ),
    readCallbacks(
      db,
      orders.map(({ reference }) => reference),
    ),
    readEvents(db, request, moves, succeeded),
  ])
  const deliveries = await readDeliveries(db, request.organization, events)
  const entries: TimelineEntry[] = [
    { kind: 'created', at: request.created, author: request.author },
    ...orders.flatMap(({ network, reference, prompt_sent, attempt, receiver, sent, answers }): TimelineEntry[] => [
      ...(sent ? [{ kind: 'order' as const, at: sent, network, reference, prompt_sent, attempt, receiver }] : []),
      ...answers.map((answer) => ({ kind: 'answer' as const, network, reference, ...answer })),
    ]),
    ...sms.flatMap((message) => [toTextEntry(message), ...toTextAnswers(message, sms_attempts.get(message.id) ?? [])]),
    ...callbacks,
    // `created` of a collection has no fraction of a second. The transition was written by the same transaction.
    ...collection.map((entry) => ({ ...entry, at: succeeded ?? entry.at })),
    ...actions.map((action) => ({ kind: 'action' as const, at: action.created, action })),
    ...moves,
    ...events,
    ...deliveries,
    ...archived,
  ]
  const rank = (entry: TimelineEntry) => phaseOf(entry, events) * kindOrder.length + kindOrder.indexOf(entry.kind)
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b))
}

/** Finds the part of the archive with the history of a request. Empty while its history is here. */
export async function readArchived(db: AnyReader, request: number): Promise<Entry<'archived'>[]> {
  return db<Entry<'archived'>[]>`
    select 'archived' as kind, s.written as at, s.sequence as segment from collection_requests r
    join archive_segments s on s.sequence = r.archived where r.id = ${request}`
}

async function readCollection(db: AnyReader, { collection }: CollectionRequest): Promise<Entry<'collection'>[]> {
  if (collection === null) return []
  return db`
    select 'collection' as kind, created as at, id, amount, currency, remote_transaction_id, status
    from collections where id = ${collection}`
}

function toTextEntry({ created: at, purpose, body, state, last_error }: SmsMessage): Entry<'text'> {
  const problem = state === 'failed' || state === 'unknown' ? last_error : null
  return { kind: 'text', at, purpose, body, state, problem }
}

/** Returns the answers of providers about an SMS. */
function toTextAnswers({ purpose }: SmsMessage, attempts: readonly SmsAttempt[]): Entry<'text_answer'>[] {
  return attempts.flatMap(({ connection, answers }) =>
    answers.map(({ at, outcome, message, reason, code }) => ({
      kind: 'text_answer' as const,
      at,
      purpose,
      connection,
      outcome,
      message: [message ?? reason, code].filter(Boolean).join(', ') || null,
    })),
  )
}

/** Maximum number of SMS: more than the reminders that a request may have. */
const MAX_SMS = 250

/** The callbacks about the orders of a request, which were linked when they were stored or processed. */
export function readCallbacks(db: AnyReader, references: readonly string[]): Promise<Entry<'callback'>[]> {
  return db<Entry<'callback'>[]>`
    select 'callback' as kind, received as at, id, network, verified, state, note, body from callbacks
    where order_reference = any(${[...references]}::text[])
    order by id limit 50`
}

/**
 * The events of a request and of its collection. An event has the second of its transaction. The transition to the same
 * status has the exact time, and each status is entered once.
 */
async function readEvents(
  db: AnyReader,
  request: CollectionRequest,
  moves: readonly Entry<'move'>[],
  succeeded: Date | undefined,
): Promise<Entry<'event'>[]> {
  const seconds = [...new Set(moves.map((move) => floorSecond(move.at)))]
  if (seconds.length === 0) return []
  const events = await db<Entry<'event'>[]>`
    select 'event' as kind, created as at, id, type, status from events
    where organization = ${request.organization} and created = any(${seconds}::timestamptz[])
      and (type = 'collectionrequest.status.changed' and object = ${request.id}
        or type = 'collection.received' and object = ${request.collection ?? 0})
    order by id`
  const times = new Map(moves.map((move) => [move.to_status, move.at]))
  return events.map((event) => {
    const exact = event.type === 'collection.received' ? succeeded : times.get(event.status ?? '')
    return { ...event, at: exact ?? event.at }
  })
}

type DeliveryRow = Omit<Entry<'delivery'>, 'attempts' | 'kind'>
type AttemptRow = z.output<typeof DeliveryAttempt> & { webhook: number; event: number }

/** The deliveries of events to webhooks, with all attempts. */
export async function readDeliveries(
  db: AnyReader,
  organization: number,
  events: readonly Entry<'event'>[],
): Promise<Entry<'delivery'>[]> {
  if (events.length === 0) return []
  const ids = events.map((event) => event.id)
  const [deliveries, attempts] = await Promise.all([
    db<DeliveryRow[]>`
      select d.webhook, d.event, w.target, d.state, d.created as at from webhooks w
      cross join lateral (
        select * from webhook_deliveries where webhook = w.id and event = any(${ids}::bigint[])) d
      where w.organization = ${organization} order by d.event, d.webhook`,
    db<AttemptRow[]>`
      select a.webhook, a.event, a.attempt, a.recorded as at, a.duration_ms, a.status, a.failure from webhooks w
      cross join lateral (
        select * from webhook_attempts where webhook = w.id and event = any(${ids}::bigint[])) a
      where w.organization = ${organization} order by a.attempt`,
  ])
  const times = new Map(events.map((event) => [event.id, event.at]))
  return deliveries.map((delivery) => ({
    kind: 'delivery',
    ...delivery,
    at: times.get(delivery.event) ?? delivery.at,
    attempts: attempts.filter(({ webhook, event }) => webhook === delivery.webhook && event === delivery.event),
  }))
}

function floorSecond(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

/** Change of a request's status. */
interface RequestHistoryEntry {
  at: Date
  from_status: string
  to_status: string
  author: number
  note: string | null
}

/** Order to a network, with its network and the network's answers. */
export interface OrderHistory {
  reference: string
  attempt: number
  /** The slug of the connection. */
  network: string
  prompt_sent: boolean
  /** Time when it was sent first; null if it was not sent. */
  sent: Date | null
  state: string
  /** Reason why a person must look at it, or null. */
  attention: string | null
  /** The till or short code that the money goes to. */
  receiver: string
  answers: OrderAnswerEntry[]
}

/** Answer of a network about an order. */
type OrderAnswerEntry = Omit<Entry<'answer'>, 'kind' | 'network' | 'reference'>

/** The history of a request: its transitions (`moves`), and the orders to networks that were made for it. */
export async function readRequestHistory(
  db: AnyReader,
  request: number,
): Promise<{ moves: RequestHistoryEntry[]; orders: OrderHistory[] }> {
  const [moves, orders] = await Promise.all([
    db<RequestHistoryEntry[]>`
      select at, from_status, to_status, author, note from collection_request_transitions
      where collection_request = ${request} order by id`,
    listOrdersOf(db, { collection_request: request }),
  ])
  const answers = Map.groupBy(
    await listOrderAnswers(
      db,
      orders.map(({ id }) => id),
    ),
    ({ network_order }) => network_order,
  )
  const own = orders.map(
    ({ id, reference, attempt, connection, prompt, state, attention, receiver, created, sent }) => ({
      reference,
      attempt,
      network: connection,
      prompt_sent: prompt,
      state,
      attention,
      receiver,
      // It is called within milliseconds of its creation; a second call changes `sent`, but not the customer's first
      // prompt.
      sent: sent && created,
      answers: (answers.get(id) ?? []).map(({ at, outcome, message, reason, code, source, remote_id }) => ({
        at,
        outcome,
        message,
        reason,
        code,
        source,
        remote_id,
      })),
    }),
  )
  return { moves, orders: own.sort((a, b) => a.attempt - b.attempt) }
}
