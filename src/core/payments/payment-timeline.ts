import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { zip } from '../../lib/batches/zip.ts'
import { readCallbacks, readDeliveries, sharedEntries } from '../collections/timelines.ts'
import { id, timestamp } from '../fields.ts'
import { readApprovals, readNames } from './payment-details.ts'
import type { Payment } from './payments.ts'
import { type PayoutOrderHistory, readOrdersOfPayment } from './payout-orders.ts'

const at = timestamp

/** Event that happened to a payment or because of it. */
export const PaymentTimelineEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), at, author: id, author_name: z.string() }),
  z.object({
    kind: z.literal('payment_move'),
    at,
    to_state: z.string(),
    note: z.string().nullable(),
    /** The person who did it; null: the service. */
    by: z.string().nullable(),
  }),
  z.object({ kind: z.literal('approval'), at, user: id, name: z.string(), number: z.int(), required: z.int() }),
  z.object({
    kind: z.literal('payout_order'),
    at,
    network: z.string(),
    reference: z.string(),
    phonenumber: z.string(),
  }),
  z.object({
    kind: z.literal('payout_answer'),
    at,
    network: z.string(),
    reference: z.string(),
    phonenumber: z.string(),
    outcome: z.string(),
    message: z.string().nullable(),
  }),
  ...sharedEntries,
])
export type PaymentTimelineEntry = z.output<typeof PaymentTimelineEntry>
type Entry<Kind extends PaymentTimelineEntry['kind']> = Extract<PaymentTimelineEntry, { kind: Kind }>

/** Maximum number of recipients with orders in the timeline; the table of recipients has their states. */
const MAX_RECIPIENTS_WITH_ORDERS = 20

/** The order of entries of the same millisecond. */
const kindOrder: PaymentTimelineEntry['kind'][] = [
  ...([
    'created',
    'approval',
    'payout_order',
    'callback',
    'payout_answer',
    'payment_move',
    'event',
    'delivery',
  ] as const),
]

/**
 * Reads all events of a payment, in order: its author and approvers, its states, the orders and the networks' answers,
 * and the events with their deliveries. Events that are past their retention period are missing.
 */
export async function readPaymentTimeline(db: AnyReader, payment: Payment): Promise<PaymentTimelineEntry[]> {
  const [names, moves, approvals, orders] = await Promise.all([
    readNames(db, [payment.author]),
    readMoves(db, payment.id),
    readApprovals(db, payment.id),
    readOrders(db, payment),
  ])
  const [callbacks, events] = await Promise.all([
    readCallbacks(
      db,
      orders.map(({ reference }) => reference),
    ),
    readEvents(db, payment, moves),
  ])
  const deliveries = await readDeliveries(db, payment.organization, events)
  const entries: PaymentTimelineEntry[] = [
    {
      kind: 'created',
      at: moves[0] && moves[0].at < payment.created ? moves[0].at : payment.created,
      author: payment.author,
      author_name: names.get(payment.author) ?? String(payment.author),
    },
    ...approvals.map((approval, index) => ({
      kind: 'approval' as const,
      ...approval,
      number: index + 1,
      required: payment.approvals_required,
    })),
    ...moves,
    ...orders.flatMap(toOrderEntries),
    ...callbacks,
    ...events,
    ...deliveries,
  ]
  const rank = ({ kind }: PaymentTimelineEntry) => kindOrder.indexOf(kind)
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b))
}

function readMoves(db: AnyReader, payment: number): Promise<Entry<'payment_move'>[]> {
  return db<Entry<'payment_move'>[]>`
    select 'payment_move' as kind, t.at, t.to_state, t.note, case when u.kind = 'person' then u.name end as by
    from payment_transitions t left join users u on u.id = t.author where t.payment = ${payment} order by t.id`
}

type OrderOfPhone = PayoutOrderHistory & { phonenumber: string }

async function readOrders(db: AnyReader, { id, phone_nos }: Payment): Promise<OrderOfPhone[]> {
  if (phone_nos.length > MAX_RECIPIENTS_WITH_ORDERS) return []
  const orders = await readOrdersOfPayment(db, id)
  return zip(phone_nos, orders).flatMap(([{ phonenumber }, own]) => own.map((order) => ({ ...order, phonenumber })))
}

function toOrderEntries({ sent, connection, reference, phonenumber, answers }: OrderOfPhone): PaymentTimelineEntry[] {
  const about = { network: connection, reference, phonenumber }
  return [
    ...(sent ? [{ kind: 'payout_order' as const, at: sent, ...about }] : []),
    ...answers.map(({ at, outcome, message }) => ({ kind: 'payout_answer' as const, at, ...about, outcome, message })),
  ]
}

/** The events of a payment. An event has the second of its transaction; the transition to the same state has the exact time. */
async function readEvents(
  db: AnyReader,
  payment: Payment,
  moves: readonly Entry<'payment_move'>[],
): Promise<Entry<'event'>[]> {
  const seconds = [...new Set(moves.map((move) => `${move.at.toISOString().slice(0, 19)}Z`))]
  if (seconds.length === 0) return []
  const events = await db<Entry<'event'>[]>`
    select 'event' as kind, created as at, id, type, status from events
    where organization = ${payment.organization} and created = any(${seconds}::timestamptz[])
      and type = 'payment.status.changed' and object = ${payment.id}
    order by id`
  // The interface calls `processed` otherwise.
  const stateOf = (status: string | null) => (status === 'completed' ? 'processed' : status)
  const times = new Map(moves.map((move) => [move.to_state, move.at]))
  return events.map((event) => ({ ...event, at: times.get(stateOf(event.status) ?? '') ?? event.at }))
}
