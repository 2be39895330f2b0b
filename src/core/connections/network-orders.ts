import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, initialValues, insert, type NewRow, type Row, table } from '../../db/table.ts'
import type { Effect, Query } from '../../db/unit-of-work.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'
import { zip } from '../../lib/batches/zip.ts'
import { noteFact } from '../facts.ts'
import { distinctValues, MAX_COUNTED } from '../queues.ts'
import { type NetworkOrder, networkOrderTable } from './network-order.ts'
import { isClosed, type Learnt, type OrderAnswer, type OrderChange, type OrderUpdate } from './order-outcomes.ts'
import { supersedeAttestations } from './superseded-attestations.ts'

export { type NetworkOrder, type OrderKind, type OrderState, orderKinds, orderStates } from './network-order.ts'
export {
  isClosed,
  isPaid,
  type Learnt,
  type LearntOrder,
  needsPersonNow,
  type OrderAnswer,
  type OrderRules,
  type OrderUpdate,
} from './order-outcomes.ts'
export { createReference, type ReferenceForm } from './order-references.ts'

/*
 * A network order is a single request to a network: a charge, a payout or a refund. It has a row of its own that is
 * also its job (jobs/orders/network-orders.ts). This file knows neither requests nor payments; those that order know their
 * orders.
 *
 * Every transaction locks the requests or recipients first, then their orders, then collections, then wallets. An order
 * is changed only under the lock of its request or recipient. Only the claims of the job do without, because they never
 * wait.
 */

type OptionalField = 'collection_request' | 'payment_recipient' | 'collection' | 'airtime' | 'prompt' | 'leased_until'

/** Fields that the creator of an order provides. */
export type NewNetworkOrder = Partial<Pick<NetworkOrder, OptionalField>> &
  Omit<NewRow<typeof networkOrderTable>, OptionalField | 'state' | 'sent' | 'created' | 'due_at'>

/** Draws ids for new orders, rising. */
async function drawOrderIds(tx: Tx, count: number): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`
    select nextval('network_orders_id_seq') as id from generate_series(1, ${count})`
  return drawn.map(({ id }) => id)
}

/** Defaults of a new order. */
const NEW_ORDER = {
  ...initialValues(networkOrderTable),
  ...{ collection_request: null, payment_recipient: null, collection: null, airtime: false, prompt: true },
  leased_until: null,
}

/** Returns an order that begins now. With a lease it counts as sent, as one that the job has claimed. */
export function toNetworkOrder(order: NewNetworkOrder, id: number, now: Date): NetworkOrder {
  const sending = order.leased_until ? { state: 'sent' as const, sent: now } : { state: 'new' as const, sent: null }
  return { ...NEW_ORDER, ...order, ...sending, id, created: now, due_at: now }
}

/** Ids for new orders, one for each key of the caller. Those that are not used are lost. */
export const orderIds: Query<object, number> = {
  read: async (tx, keys) => new Map(zip(keys, await drawOrderIds(tx, keys.length))),
}

/**
 * Stores orders before any network is called. They are due at once. This process sends one with a lease as soon as the
 * transaction has ended.
 * @returns the orders with their ids, in the order given
 */
export async function insertNetworkOrders(
  tx: Tx,
  now: Date,
  orders: readonly NewNetworkOrder[],
): Promise<NetworkOrder[]> {
  if (orders.length === 0) return []
  const ids = await drawOrderIds(tx, orders.length)
  const inserted = zip(orders, ids).map(([order, id]) => toNetworkOrder(order, id, now))
  writeNewOrders(tx, now, inserted)
  return inserted
}

function writeNewOrders(tx: Tx, _now: Date, inserted: readonly NetworkOrder[]): void {
  const orders: readonly (NewRow<typeof networkOrderTable> & { id: number })[] = inserted
  tx.send`${insert(networkOrderTable, orders, { id: ({ id }) => id })}`
  for (const { collection_request, reference: order, connection, attempt } of inserted)
    noteFact(tx, 'order_created', { collection_request, order, connection, attempt })
}

/** Orders that begin, before any network is called. */
export const newOrders: Effect<NetworkOrder> = { write: writeNewOrders }

/**
 * Stores what was decided about orders: changes them, adds a row for each answer with another outcome, and closes the
 * attestations of those that have ended. The orders must be locked. It waits for nothing.
 */
export function writeOrders(tx: Tx, now: Date, updates: readonly OrderUpdate[]): void {
  if (updates.length === 0) return
  const ended = updates.filter(({ before, after }) => !isClosed(before) && isClosed(after))
  writeUpdates(tx, now, updates)
  supersedeAttestations(
    tx,
    now,
    'network_order',
    ended.map(({ after }) => after.id),
  )
  for (const { learnt, after } of updates) {
    const { collection_request, reference: order, connection, state } = after
    noteFact(tx, 'order_answered', { collection_request, order, connection, outcome: learnt.answer.outcome, state })
  }
}

/** Decisions about orders. */
export const orderUpdates: Effect<OrderUpdate> = { write: writeOrders }

/** Locks orders, by their ids. Send the statement that locks their requests or recipients before. */
export async function lockOrders(tx: Tx, ids: readonly number[]): Promise<Map<number, NetworkOrder>> {
  const locked = await tx<NetworkOrder[]>`
    select ${networkOrderTable.columns} from network_orders where id = any(${ids}::bigint[]) order by id for update`
  return new Map(locked.map((order) => [order.id, order]))
}

/** Orders, locked. */
export const lockedOrders: Query<number, NetworkOrder> = { read: lockOrders }

function writeUpdates(tx: Tx, now: Date, updates: readonly OrderUpdate[]): void {
  const changed = rows(
    updates.map(({ after }): OrderChange & { id: number; organization: number } => after),
    {
      id: 'bigint',
      organization: 'bigint',
      state: 'text',
      remote_id: 'text',
      remote_transaction_id: 'text',
      failure_reason: 'text',
      code: 'text',
      message: 'text',
      fee: 'numeric',
      network_calls: 'integer',
      sent: 'timestamptz',
      answered: 'timestamptz',
      closed: 'timestamptz',
      due_at: 'timestamptz',
      attention: 'text',
    },
  )
  tx.send`
    update network_orders t set leased_until = null, ${changed.assignments('r', 'id', 'organization')}
    from ${changed.as('r')} where t.id = r.id and t.organization = r.organization`
  tx.send`
    ${insert(answerTable, updates.flatMap(toAnswerRow), { at: now })}
    where r.outcome is distinct from (
      select a.outcome from network_order_answers a where a.network_order = r.network_order order by a.id desc limit 1)`
}

const answerTable = table('network_order_answers', {
  network_order: column.bigint().key(),
  id: column.id(),
  at: column.timestamptz(),
  source: column.text<Learnt['source']>(),
  outcome: column.text<Exclude<OrderAnswer['outcome'], 'prepared' | 'asked' | 'not_asked'>>(),
  remote_id: column.text().nullable(),
  amount: column.numeric().nullable(),
  code: column.text().nullable(),
  message: column.text().nullable(),
  reason: column.text<FailureReason>().nullable(),
})

function toAnswerRow({ learnt: { source, answer }, after: { id: network_order } }: OrderUpdate) {
  const { outcome } = answer
  if (outcome === 'prepared' || outcome === 'asked' || outcome === 'not_asked') return []
  return [
    {
      network_order,
      source,
      outcome,
      remote_id: 'remote_id' in answer ? answer.remote_id : undefined,
      amount: 'amount' in answer ? answer.amount : undefined,
      code: 'code' in answer ? answer.code : undefined,
      message: 'message' in answer ? answer.message : undefined,
      reason: answer.outcome === 'failed' ? answer.reason : undefined,
    },
  ]
}

/**
 * Makes orders due now, also closed ones, because they need their last status query. Those who order hold their lock.
 */
function scheduleOrders(tx: Tx, now: Date, ids: readonly number[]): void {
  tx.send`update network_orders set due_at = ${now} where id = any(${ids}::bigint[])`
}

/** Orders that become due now, by their ids. */
export const dueOrders: Effect<number> = { write: scheduleOrders }

/** Closes orders that were never sent, because they are no longer wanted. Orders that were sent stay as they are. */
function withdrawOrders(tx: Tx, now: Date, ids: readonly number[]): void {
  tx.send`
    update network_orders set state = 'not_sent', closed = ${now}, due_at = null, leased_until = null, message = 'It was not needed any more.'
    where id = any(${ids}::bigint[]) and state = 'new'`
}

/** Orders that were never sent and are no longer wanted, by their ids. */
export const unwantedOrders: Effect<number> = { write: withdrawOrders }

/** Closes orders that this transaction has claimed to send them, because they are no longer wanted. They are never sent. */
export function withdrawClaimed(tx: Tx, now: Date, ids: readonly number[]): void {
  if (ids.length === 0) return
  tx.send`
    update network_orders set state = 'not_sent', sent = null, closed = ${now}, due_at = null, leased_until = null,
      message = 'It was not needed any more.'
    where id = any(${ids}::bigint[])`
}

/** The orders with these references of ours, by reference. */
export async function ordersByReference(db: Reader, references: readonly string[]): Promise<Map<string, NetworkOrder>> {
  if (references.length === 0) return new Map()
  const orders = await db<NetworkOrder[]>`
    select ${networkOrderTable.columns} from network_orders where reference = any(${[...new Set(references)]}::text[])`
  return new Map(orders.map((order) => [order.reference, order]))
}

/** The newest order that this network knows under its own id; undefined when there is none. */
export async function findOrderByRemoteId(
  db: Reader,
  connection: string,
  remote_id: string,
): Promise<NetworkOrder | undefined> {
  const [order] = await db<NetworkOrder[]>`
    select * from network_orders where connection = ${connection} and remote_id = ${remote_id} order by id desc limit 1`
  return order
}

/** The orders of a request or of a recipient, the first attempt first. */
export function listOrdersOf(
  db: AnyReader,
  owner: { collection_request: number } | { payment_recipient: number },
): Promise<NetworkOrder[]> {
  const condition =
    'collection_request' in owner
      ? sql`collection_request = ${owner.collection_request}`
      : sql`payment_recipient = ${owner.payment_recipient}`
  return db<NetworkOrder[]>`select * from network_orders where ${condition} order by attempt`
}

/** The ids of the requests whose orders have these references, by reference. */
export async function findRequestsOfOrders(db: Reader, references: readonly string[]): Promise<Map<string, number>> {
  if (references.length === 0) return new Map()
  const found = await db<{ reference: string; collection_request: number }[]>`
    select reference, collection_request from network_orders
    where reference = any(${references}::text[]) and collection_request is not null`
  return new Map(found.map(({ reference, collection_request }) => [reference, collection_request]))
}

/** Number of open orders of one kind and state on a connection, and the age of the oldest in seconds. */
export interface OpenOrders extends Pick<NetworkOrder, 'connection' | 'kind' | 'state'> {
  count: number
  oldest_s: number
}

/**
 * Counts the open orders by connection, kind and state: of each connection and kind `max` at most. Closed orders, which
 * are many, are not read.
 */
export async function countOpenOrders(db: Reader, now: Date, max = MAX_COUNTED): Promise<OpenOrders[]> {
  const found = await db<(Omit<OpenOrders, 'oldest_s'> & { oldest: Date })[]>`
    with recursive ${distinctValues('network_orders', ['connection', 'kind'], sql`t.due_at is not null`)}
    select connection, kind, state, count(*) as count, min(created) as oldest from queues q cross join lateral (
      select state, created from network_orders t
      where t.connection = q.connection and t.kind = q.kind and t.due_at is not null and t.closed is null limit ${max}) o
    group by connection, kind, state`
  return found.map(({ oldest, ...open }) => ({
    ...open,
    oldest_s: Math.max(0, (now.getTime() - oldest.getTime()) / 1_000),
  }))
}

/** Answer of a network about an order that changed its outcome. `reason` is null for other answers. */
export type StoredAnswer = Omit<Row<typeof answerTable>, 'id'>

/** Lists the answers of networks about these orders, oldest first. */
export async function listOrderAnswers(db: AnyReader, orders: readonly number[]): Promise<StoredAnswer[]> {
  if (orders.length === 0) return []
  return db<StoredAnswer[]>`
    select network_order, at, source, outcome, remote_id, amount, code, message, reason from network_order_answers
    where network_order = any(${orders}::bigint[]) order by id`
}
