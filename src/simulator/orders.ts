import { randomBytes } from 'node:crypto'
import { begin, CommitUnknown, type Database, isConnectionError, type Tx } from '../db/client.ts'
import { createBatcher, type ItemResult } from '../lib/batch.ts'
import { formatAmount } from '../lib/money.ts'
import { behaviourOf } from './behaviours.ts'
import { type OrderBody, type OrderRow, Reference, type TransactionRow } from './wire.ts'

/** What the network's door says to an order; `first` when it had never heard of it. */
export type PlacedOrder =
  | { outcome: 'taken'; first: boolean; order: OrderRow; transaction: TransactionRow | undefined }
  | { outcome: 'not_accepted' }
  | { outcome: 'conflict' }

/** The most orders of one transaction. */
const MAX_BATCH_SIZE = 128

/** Makes the function that places orders: the same reference is the same order, and concurrent ones share a commit. */
export function createOrderBatcher(options: { db: Database; now(): Date; real(): Date }) {
  return createBatcher<OrderBody, PlacedOrder>({
    flush: (bodies) => begin(options.db, (tx) => placeOrders(tx, options.now(), options.real(), bodies)),
    mayRetry: (error) => !(error instanceof CommitUnknown || isConnectionError(error)),
    max_items: MAX_BATCH_SIZE,
  })
}

/** The order under this reference, if the network took it, and the money that paid it. */
export async function findOrder(db: Database, reference: string) {
  if (!Reference.safeParse(reference).success) return undefined
  const [order] = await db<OrderRow[]>`
    select * from simulator_orders where reference = ${reference} and state <> 'not_accepted'`
  return order ? { order, transaction: await findTransaction(db, order.transaction) } : undefined
}

/** The money under this remote id, if there is any. */
export async function findTransaction(db: Database, remote_id: string | null): Promise<TransactionRow | undefined> {
  if (!Reference.safeParse(remote_id).success) return undefined
  const [row] = await db<TransactionRow[]>`select * from simulator_transactions where remote_id = ${remote_id}`
  return row
}

/** Prompts that wait for an answer, oldest first, on one phone or on all. At most 200. */
export async function listOpenPrompts(db: Database, phonenumber?: string): Promise<OrderRow[]> {
  const rows = await db<OrderRow[]>`
    select * from simulator_orders where state = 'pending' and prompt
      and (${phonenumber ?? null}::text is null or phonenumber = ${phonenumber ?? null})
    order by created, reference limit 200`
  return [...rows]
}

/** A remote id that nobody can guess and that no other order or payment ever gets, even after everything was emptied. */
export function newRemoteId(kind: 'SBO' | 'SBX' | 'SBP', real: Date): string {
  return `${kind}${real.getTime().toString(36)}${randomBytes(8).toString('hex')}`.toUpperCase()
}

async function placeOrders(tx: Tx, now: Date, real: Date, bodies: OrderBody[]): Promise<ItemResult<PlacedOrder>[]> {
  // Of twins in one batch the first wins, as if it had come in a batch of its own.
  const distinct = new Map(bodies.toReversed().map((body) => [body.reference, body]))
  // In one order everywhere, so that two batches with the same references wait for each other instead of locking up.
  const sorted = [...distinct.values()].sort((a, b) => (a.reference < b.reference ? -1 : 1))
  const fresh = await insertOrders(tx, now, real, sorted)
  await payMissedPrompts(tx, now, fresh)
  const orders = new Map(fresh.map((order) => [order.reference, order]))
  const repeated = sorted.map((body) => body.reference).filter((reference) => !orders.has(reference))
  for (const order of await repeatOrders(tx, now, repeated)) orders.set(order.reference, order)
  const transactions = await transactionsOf(tx, [...orders.values()])
  const news = new Set(fresh.map((order) => order.reference))
  return bodies.map((body) => {
    const order = orders.get(body.reference)!
    const placed = toPlacedOrder(body, order, news.delete(body.reference), transactions.get(order.transaction ?? ''))
    return { ok: true, value: placed }
  })
}

/** The reason is only words to the customer, so it is no part of what makes two orders the same. */
function toPlacedOrder(body: OrderBody, order: OrderRow, first: boolean, transaction?: TransactionRow): PlacedOrder {
  const same =
    order.receiver === body.receiver &&
    order.phonenumber === body.phonenumber &&
    order.amount === body.amount &&
    order.currency === body.currency &&
    order.prompt === body.prompt
  if (!same) return { outcome: 'conflict' }
  if (order.state === 'not_accepted') return { outcome: 'not_accepted' }
  return { outcome: 'taken', first, order, transaction }
}

/** Inserts the orders whose reference is new and returns those. */
async function insertOrders(tx: Tx, now: Date, real: Date, bodies: OrderBody[]): Promise<OrderRow[]> {
  const plans = bodies.map((body) =>
    behaviourOf(body.phonenumber).failures_before_accept > 0
      ? { state: 'not_accepted', ...NO_PLAN }
      : { state: 'pending', ...planCustomer(body, now) },
  )
  const rows = await tx<OrderRow[]>`
    insert into simulator_orders
      (reference, remote_id, receiver, phonenumber, amount, currency, reason, prompt, state, next_action, due_at, created)
    select reference, remote_id, receiver, phonenumber, amount::numeric, currency, reason, prompt::boolean, state, next_action,
      due_at::timestamptz, ${now}
    from unnest(${bodies.map((body) => body.reference)}::text[], ${bodies.map(() => newRemoteId('SBO', real))}::text[],
      ${bodies.map((body) => body.receiver)}::text[], ${bodies.map((body) => body.phonenumber)}::text[],
      ${bodies.map((body) => formatAmount(body.amount))}::text[], ${bodies.map((body) => body.currency)}::text[],
      ${bodies.map((body) => body.reason)}::text[], ${bodies.map((body) => String(body.prompt))}::text[],
      ${plans.map((plan) => plan.state)}::text[], ${plans.map((plan) => plan.next_action)}::text[],
      ${plans.map((plan) => plan.due_at?.toISOString() ?? null)}::text[])
      as o(reference, remote_id, receiver, phonenumber, amount, currency, reason, prompt, state, next_action, due_at)
    on conflict (reference) do nothing
    returning *`
  return [...rows]
}

type CustomerPlan = Pick<OrderRow, 'next_action' | 'due_at'>
const NO_PLAN: CustomerPlan = { next_action: null, due_at: null }

/** What the customer will do with a new order, and when. Only a prompt can lapse: without one nobody was asked. */
function planCustomer(order: Pick<OrderRow, 'phonenumber' | 'prompt'>, now: Date): CustomerPlan {
  const { action: does, delay_s: after_s, prompt_timeout_s: prompt_lasts_s } = behaviourOf(order.phonenumber)
  if (does === 'pay' || does === 'refuse') return { next_action: does, due_at: addSeconds(now, after_s) }
  return order.prompt && prompt_lasts_s !== null
    ? { next_action: 'expire', due_at: addSeconds(now, prompt_lasts_s) }
    : NO_PLAN
}

/** Lets customers pay who answer the second prompt only and have missed one for the very same. */
async function payMissedPrompts(tx: Tx, now: Date, orders: OrderRow[]): Promise<void> {
  for (const order of orders) {
    const { action: does, delay_s: after_s } = behaviourOf(order.phonenumber)
    if (does !== 'pay_second_prompt' || !order.prompt || order.state !== 'pending') continue
    const missed = await tx`
      delete from simulator_missed_prompts where phonenumber = ${order.phonenumber} and receiver = ${order.receiver}
        and currency = ${order.currency} and amount = ${formatAmount(order.amount)}`
    if (missed.count === 0) continue
    await tx`update simulator_orders set next_action = 'pay', due_at = ${addSeconds(now, after_s)} where reference = ${order.reference}`
  }
}

/** Reads orders that were sent again. One that is turned away is counted, and taken once that has happened often enough. */
async function repeatOrders(tx: Tx, now: Date, references: string[]): Promise<OrderRow[]> {
  if (references.length === 0) return []
  // A statement of its own, after the insert: only now are rows visible that another transaction has just committed.
  const rows = await tx<OrderRow[]>`
    select * from simulator_orders where reference = any(${references}::text[]) order by reference for update`
  return Promise.all(rows.map((order) => (order.state === 'not_accepted' ? retryOrder(tx, now, order) : order)))
}

async function retryOrder(tx: Tx, now: Date, order: OrderRow): Promise<OrderRow> {
  const times_received = order.times_received + 1
  const taken = times_received > behaviourOf(order.phonenumber).failures_before_accept
  const state = taken ? 'pending' : 'not_accepted'
  const { next_action, due_at } = taken ? planCustomer(order, now) : NO_PLAN
  await tx`
    update simulator_orders set times_received = ${times_received}, state = ${state}, next_action = ${next_action}, due_at = ${due_at}
    where reference = ${order.reference}`
  return { ...order, times_received, state, next_action, due_at }
}

async function transactionsOf(tx: Tx, orders: OrderRow[]): Promise<Map<string, TransactionRow>> {
  const ids = orders.flatMap((order) => order.transaction ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx<TransactionRow[]>`select * from simulator_transactions where remote_id = any(${ids}::text[])`
  return new Map(rows.map((row) => [row.remote_id, row]))
}

function addSeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000)
}
