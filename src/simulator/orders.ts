import { randomBytes } from 'node:crypto'
import { begin, type Database, mayRetry, type Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { createBatcher, type ItemResult } from '../lib/batch.ts'
import { formatAmount } from '../lib/money.ts'
import { behaviourOf } from './behaviours.ts'
import { type OrderBody, type OrderRow, Reference, type TransactionRow } from './wire.ts'

/** The result of an order request. `first`: the reference is new. */
export type PlacedOrder =
  | { outcome: 'accepted'; first: boolean; order: OrderRow; transaction: TransactionRow | undefined }
  | { outcome: 'not_accepted' }
  | { outcome: 'conflict' }

/** The most orders of one transaction. */
const MAX_BATCH_SIZE = 128

/** Creates the function that places orders. The same reference is the same order. Concurrent orders share a commit. */
export function createOrderBatcher(options: { db: Database; now(): Date; real(): Date }) {
  return createBatcher<OrderBody, PlacedOrder>({
    flush: (bodies) => begin(options.db, (tx) => placeOrders(tx, options.now(), options.real(), bodies)),
    mayRetry,
    max_items: MAX_BATCH_SIZE,
  })
}

/** The order with this reference, if the network accepted it, and the transaction that paid it. */
export async function findOrder(db: Database, reference: string) {
  if (!Reference.safeParse(reference).success) return undefined
  const [order] = await db<OrderRow[]>`
    select * from simulator_orders where reference = ${reference} and state <> 'not_accepted'`
  return order ? { order, transaction: await findTransaction(db, order.transaction) } : undefined
}

/** The transaction with this remote id, if there is one. */
export async function findTransaction(db: Database, remote_id: string | null): Promise<TransactionRow | undefined> {
  if (!Reference.safeParse(remote_id).success) return undefined
  const [row] = await db<TransactionRow[]>`select * from simulator_transactions where remote_id = ${remote_id}`
  return row
}

/** The open prompts on one phone or on all, oldest first. At most 200. */
export async function listOpenPrompts(db: Database, phonenumber?: string): Promise<OrderRow[]> {
  const rows = await db<OrderRow[]>`
    select * from simulator_orders where state = 'pending' and prompt
      and (${phonenumber ?? null}::text is null or phonenumber = ${phonenumber ?? null})
    order by created, reference limit 200`
  return [...rows]
}

/** A remote id that cannot be guessed and is never used again, even after a reset. */
export function newRemoteId(kind: 'SBO' | 'SBX' | 'SBP' | 'SBR', real: Date): string {
  return `${kind}${real.getTime().toString(36)}${randomBytes(8).toString('hex')}`.toUpperCase()
}

async function placeOrders(tx: Tx, now: Date, real: Date, bodies: OrderBody[]): Promise<ItemResult<PlacedOrder>[]> {
  // Of duplicates in one batch the first counts, as if it had arrived in an earlier batch.
  const distinct = new Map(bodies.toReversed().map((body) => [body.reference, body]))
  // The order is the same in every batch, so two batches with the same references do not deadlock.
  const sorted = [...distinct.values()].sort((a, b) => (a.reference < b.reference ? -1 : 1))
  const inserted = await insertOrders(tx, now, real, sorted)
  await payMissedPrompts(tx, now, inserted)
  const orders = new Map(inserted.map((order) => [order.reference, order]))
  const repeated = sorted.map((body) => body.reference).filter((reference) => !orders.has(reference))
  for (const order of await repeatOrders(tx, now, repeated)) orders.set(order.reference, order)
  const transactions = await transactionsOf(tx, [...orders.values()])
  const new_references = new Set(inserted.map((order) => order.reference))
  return bodies.map((body) => {
    const order = orders.get(body.reference)!
    const placed = toPlacedOrder(
      body,
      order,
      new_references.delete(body.reference),
      transactions.get(order.transaction ?? ''),
    )
    return { ok: true, value: placed }
  })
}

/** Two orders with different reasons are still the same order, because the reason is only a text for the customer. */
function toPlacedOrder(body: OrderBody, order: OrderRow, first: boolean, transaction?: TransactionRow): PlacedOrder {
  const same =
    order.receiver === body.receiver &&
    order.phonenumber === body.phonenumber &&
    order.amount === body.amount &&
    order.currency === body.currency &&
    order.prompt === body.prompt
  if (!same) return { outcome: 'conflict' }
  if (order.state === 'not_accepted') return { outcome: 'not_accepted' }
  return { outcome: 'accepted', first, order, transaction }
}

/** Inserts the orders whose reference is new and returns those. */
async function insertOrders(tx: Tx, now: Date, real: Date, bodies: OrderBody[]): Promise<OrderRow[]> {
  const plans = bodies.map((body) =>
    behaviourOf(body.phonenumber).failures_before_accept > 0
      ? { state: 'not_accepted', ...NO_PLAN }
      : { state: 'pending', ...planCustomer(body, now) },
  )
  const orders = rows(bodies, {
    reference: 'text',
    remote_id: ['text', () => newRemoteId('SBO', real)],
    receiver: 'text',
    phonenumber: 'text',
    amount: 'numeric',
    currency: 'text',
    reason: 'text',
    prompt: 'boolean',
    state: ['text', (_, index) => plans[index]!.state],
    next_action: ['text', (_, index) => plans[index]!.next_action],
    due_at: ['timestamptz', (_, index) => plans[index]!.due_at],
  })
  const inserted = await tx<OrderRow[]>`
    insert into simulator_orders (${orders.columns}, created)
    select ${orders.columns}, ${now} from ${orders.as('o')}
    on conflict (reference) do nothing
    returning *`
  return [...inserted]
}

type CustomerPlan = Pick<OrderRow, 'next_action' | 'due_at'>
const NO_PLAN: CustomerPlan = { next_action: null, due_at: null }

/** What the customer will do with a new order, and when. Only an order with a prompt can expire. */
function planCustomer(order: Pick<OrderRow, 'phonenumber' | 'prompt'>, now: Date): CustomerPlan {
  const { action, delay_s, prompt_timeout_s } = behaviourOf(order.phonenumber)
  if (action === 'pay' || action === 'refuse') return { next_action: action, due_at: addSeconds(now, delay_s) }
  if (!order.prompt || prompt_timeout_s === null) return NO_PLAN
  return { next_action: 'expire', due_at: addSeconds(now, prompt_timeout_s) }
}

/** Plans the payment of customers who pay at their second prompt and have missed an equal one. */
async function payMissedPrompts(tx: Tx, now: Date, orders: OrderRow[]): Promise<void> {
  for (const order of orders) {
    const { action, delay_s } = behaviourOf(order.phonenumber)
    if (action !== 'pay_second_prompt' || !order.prompt || order.state !== 'pending') continue
    const missed = await tx`
      delete from simulator_missed_prompts where phonenumber = ${order.phonenumber} and receiver = ${order.receiver}
        and currency = ${order.currency} and amount = ${formatAmount(order.amount)}`
    if (missed.count === 0) continue
    await tx`update simulator_orders set next_action = 'pay', due_at = ${addSeconds(now, delay_s)} where reference = ${order.reference}`
  }
}

/** Reads orders that were sent again. An order that was not accepted is counted, and accepted after enough tries. */
async function repeatOrders(tx: Tx, now: Date, references: string[]): Promise<OrderRow[]> {
  if (references.length === 0) return []
  // This is a separate statement after the insert, because it must see rows that another transaction has just
  // committed.
  const rows = await tx<OrderRow[]>`
    select * from simulator_orders where reference = any(${references}::text[]) order by reference for update`
  return Promise.all(rows.map((order) => (order.state === 'not_accepted' ? retryOrder(tx, now, order) : order)))
}

async function retryOrder(tx: Tx, now: Date, order: OrderRow): Promise<OrderRow> {
  const times_received = order.times_received + 1
  const is_accepted = times_received > behaviourOf(order.phonenumber).failures_before_accept
  const state = is_accepted ? 'pending' : 'not_accepted'
  const { next_action, due_at } = is_accepted ? planCustomer(order, now) : NO_PLAN
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
