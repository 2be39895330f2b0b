import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, initialValues, insert, type NewRow, table } from '../../db/table.ts'
import type { Effect, Query } from '../../db/unit-of-work.ts'
import type { FailureReason, VendFailureReason } from '../../lib/adapter-types.ts'
import { zip } from '../../lib/batches/zip.ts'
import type { Amount } from '../../lib/money.ts'
import { noteFact } from '../facts.ts'
import { distinctValues, MAX_COUNTED } from '../queues.ts'
import { type AnswerOutcome, type AnswerSource, type NetworkOrder, networkOrderTable } from './network-order.ts'
import { addAnswer } from './order-answers.ts'
import { isClosed, type OrderAnswer, type OrderUpdate, type VendNews } from './order-outcomes.ts'

export {
  type MoneyKind,
  type MoneyOrder,
  type NetworkOrder,
  type OrderKind,
  type OrderState,
  orderKinds,
  orderStates,
} from './network-order.ts'
export {
  isClosed,
  isPaid,
  type Learnt,
  type LearntOrder,
  needsPersonNow,
  type OrderAnswer,
  type OrderRules,
  type OrderUpdate,
  type VendNews,
} from './order-outcomes.ts'
export { createReference, type ReferenceForm } from './order-references.ts'

/*
 * A network order is a single request to a network, a charge, a payout or a refund, or to a bill provider, a vend. It has
 * a row of its own that is also its job (jobs/orders/network-orders.ts). This file knows neither requests nor payments nor
 * purchases; those that order know their orders.
 *
 * Every transaction locks the requests, recipients or purchases first, then their orders, then collections, then wallets.
 * An order is changed only under the lock of its owner. Only the claims of the job do without, because they never wait.
 */

/** Fields that only some kinds have. */
type OfKind = 'collection_request' | 'payment_recipient' | 'collection' | 'bill_purchase' | 'airtime' | 'prompt'
type OptionalField = OfKind | 'remote_service' | 'remote_product' | 'cost' | 'leased_until' | 'due_at'

/** Fields that the creator of an order provides. */
export type NewNetworkOrder = Partial<Pick<NetworkOrder, OptionalField>> &
  Omit<NewRow<typeof networkOrderTable>, OptionalField | 'state' | 'sent' | 'created'>

/** Draws ids for new orders, rising. */
export async function drawOrderIds(tx: Tx, count: number): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`
    select nextval('network_orders_id_seq') as id from generate_series(1, ${count})`
  return drawn.map(({ id }) => id)
}

/** Defaults of a new order. */
const NEW_ORDER = {
  ...initialValues(networkOrderTable),
  collection_request: null,
  payment_recipient: null,
  collection: null,
  bill_purchase: null,
  airtime: false,
  prompt: true,
  remote_service: null,
  remote_product: null,
  cost: null,
  leased_until: null,
}

/**
 * Returns an order that begins now, and is due now unless it says another time. With a lease it counts as sent, as one that the
 * job has claimed.
 */
export function toNetworkOrder(order: NewNetworkOrder, id: number, now: Date): NetworkOrder {
  const sending = order.leased_until ? { state: 'sent' as const, sent: now } : { state: 'new' as const, sent: null }
  return { ...NEW_ORDER, due_at: now, ...order, ...sending, id, created: now }
}

/** Ids for new orders, one for each key of the caller. Those that are not used are lost. */
export const orderIds: Query<object, number> = {
  read: async (tx, keys) => new Map(zip(keys, await drawOrderIds(tx, keys.length))),
}

/**
 * Stores orders before any network is called. This process sends one with a lease as soon as the transaction has
 * ended.
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
 * Stores what was decided about orders: changes them, with the answers that have another outcome than the one before, and closes
 * the attestations of those that have ended. The orders must be locked. It waits for nothing.
 */
export function writeOrders(tx: Tx, now: Date, updates: readonly AnyUpdate[]): void {
  if (updates.length === 0) return
  const ended = updates.flatMap(({ before, after }) => (!isClosed(before) && isClosed(after) ? [after.id] : []))
  writeUpdates(tx, now, updates)
  if (ended.length > 0)
    tx.send`
      update order_attestations set state = 'superseded', decided = ${now}
      where network_order = any(${ended}::bigint[]) and state = 'waiting'`
  for (const { learnt, after } of updates) {
    const { collection_request, reference: order, connection, state } = after
    noteFact(tx, 'order_answered', { collection_request, order, connection, outcome: learnt.answer.outcome, state })
  }
}

type AnyUpdate = OrderUpdate<OrderAnswer | VendNews>

/** Decisions about orders. */
export const orderUpdates: Effect<AnyUpdate> = { write: writeOrders }

/** Locks orders, by their ids. Send the statement that locks their requests or recipients before. */
export async function lockOrders(tx: Tx, ids: readonly number[]): Promise<Map<number, NetworkOrder>> {
  const locked = await tx<NetworkOrder[]>`
    select ${networkOrderTable.columns} from network_orders where id = any(${ids}::bigint[]) order by id for update`
  return new Map(locked.map((order) => [order.id, order]))
}

/** Orders, locked. */
export const lockedOrders: Query<number, NetworkOrder> = { read: lockOrders }

function writeUpdates(tx: Tx, now: Date, updates: readonly AnyUpdate[]): void {
  const changed = rows(updates, {
    id: ['bigint', ({ after }) => after.id],
    organization: ['bigint', ({ after }) => after.organization],
    state: ['text', ({ after }) => after.state],
    remote_id: ['text', ({ after }) => after.remote_id],
    remote_transaction_id: ['text', ({ after }) => after.remote_transaction_id],
    failure_reason: ['text', ({ after }) => after.failure_reason],
    code: ['text', ({ after }) => after.code],
    message: ['text', ({ after }) => after.message],
    fee: ['numeric', ({ after }) => after.fee],
    network_calls: ['integer', ({ after }) => after.network_calls],
    sent: ['timestamptz', ({ after }) => after.sent],
    answered: ['timestamptz', ({ after }) => after.answered],
    closed: ['timestamptz', ({ after }) => after.closed],
    due_at: ['timestamptz', ({ after }) => after.due_at],
    attention: ['text', ({ after }) => after.attention],
    charged: ['numeric', ({ after }) => after.charged],
    charged_currency: ['text', ({ after }) => after.charged_currency],
    answers: ['json', ({ before, learnt }) => addAnswer(before.answers, learnt, now)],
  })
  tx.send`
    update network_orders t set leased_until = null, ${changed.assignments('r', 'id', 'organization')}
    from ${changed.as('r')} where t.id = r.id and t.organization = r.organization`
  writeRemoteIds(tx, updates)
}

/** The orders by the networks' ids of them, unless those are our references. */
const remoteIdTable = table('network_order_remote_ids', {
  remote_id: column.text().key(),
  network_order: column.bigint().key(),
})

/** Stores the networks' ids of orders where they have changed. The orders must be locked. */
function writeRemoteIds(tx: Tx, updates: readonly Pick<OrderUpdate, 'before' | 'after'>[]): void {
  const changed = updates.filter(({ before, after }) => before.remote_id !== after.remote_id)
  const left = changed.flatMap(({ before }) => toRow(before))
  if (left.length > 0) {
    const l = rows(left, { remote_id: 'text', network_order: 'bigint' })
    tx.send`
      delete from network_order_remote_ids t using ${l.as('l')}
      where t.remote_id = l.remote_id and t.network_order = l.network_order`
  }
  const learnt = changed.flatMap(({ after }) => toRow(after))
  if (learnt.length > 0) tx.send`${insert(remoteIdTable, learnt, {})}`
}

function toRow({ id: network_order, reference, remote_id }: NetworkOrder) {
  return remote_id === null || remote_id === reference ? [] : [{ remote_id, network_order }]
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

/** The newest order that this network or bill provider knows under its own id; undefined when there is none. */
export async function findOrderByRemoteId(
  db: Reader,
  connection: string,
  remote_id: string,
  to: 'network' | 'biller' = 'network',
): Promise<NetworkOrder | undefined> {
  const [order] = await db<NetworkOrder[]>`
    select o.* from (
      select network_order as id from network_order_remote_ids where remote_id = ${remote_id}
      union all
      select id from network_orders where reference = ${remote_id} and remote_id = ${remote_id}) k
    join network_orders o using (id) where o.connection = ${connection} and (o.kind = 'vend') = ${to === 'biller'}
    order by o.id desc limit 1`
  return order
}

/** The orders of a request, a recipient or a purchase, the first attempt first. */
export function listOrdersOf(
  db: AnyReader,
  owner: { collection_request: number } | { payment_recipient: number } | { bill_purchase: number },
): Promise<NetworkOrder[]> {
  const [[column, id]] = Object.entries(owner) as [[string, number]]
  return db<NetworkOrder[]>`select * from network_orders where ${sql.identifier(column)} = ${id} order by attempt`
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

/** Answer of a network about an order that changed its outcome. */
export interface StoredAnswer {
  network_order: number
  /** Its number among the answers of the order, from 1. A gap stands for answers that are left out. */
  number: number
  at: Date
  source: AnswerSource
  outcome: AnswerOutcome
  remote_id: string | null
  amount: Amount | null
  code: string | null
  message: string | null
  /** Null for other answers than failed ones. */
  reason: FailureReason | VendFailureReason | null
}

/** Lists the answers of networks about these orders, those of an order oldest first. */
export async function listOrderAnswers(db: AnyReader, orders: readonly number[]): Promise<StoredAnswer[]> {
  if (orders.length === 0) return []
  return db<StoredAnswer[]>`
    select network_order, id as number, at, source, outcome, remote_id, amount, code, message, reason from network_order_answers
    where network_order = any(${orders}::bigint[]) order by network_order, id`
}
