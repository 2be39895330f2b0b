import { begin, type Database, mayRetry, type Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { createBatcher, type ItemResult } from '../../lib/batches/batch.ts'
import { formatAmount } from '../../lib/money.ts'
import { chargeBehaviourOf, UNANSWERED_S } from './behaviours.ts'
import { addSeconds, newRemoteId } from './ids.ts'
import { type OrderRow, orderTable, type TransactionRow, toCharge, toPayment } from './records.ts'
import type { Charge, Clocks, NewCharge, OrderName, Payment, Placed } from './world.ts'

/** A charge at one of the doors. */
type ChargeAtDoor = NewCharge & { door: string }

/** Maximum orders per transaction. */
const MAX_BATCH_SIZE = 128

/** Create the function that places charges. The same key is the same order. Concurrent orders share a commit. */
export function createChargeBatcher(options: Clocks & { db: Database }) {
  return createBatcher<ChargeAtDoor, Placed<Charge>>({
    flush: (charges) => begin(options.db, (tx) => placeCharges(tx, options, charges)),
    mayRetry,
    max_items: MAX_BATCH_SIZE,
  })
}

/** The charge with this name, if the network accepted it. */
export async function findCharge(db: Database, door: string, name: OrderName): Promise<Charge | undefined> {
  const [order] = await db<OrderRow[]>`
    select * from simulator_orders where door = ${door} and ${isNamed(name)} and state <> 'not_accepted'
    order by id desc limit 1`
  return order && toCharge(order, await findTransaction(db, order.transaction))
}

/** The condition for the rows of orders and payouts with this name. A NUL cannot be part of a name. */
export function isNamed(name: OrderName) {
  const [text] = Object.values(name) as [string]
  if (text.includes('\0') || !text.isWellFormed()) return sql`false`
  if ('key' in name) return sql`reference = ${name.key}`
  if ('remote_id' in name) return sql`remote_id = ${name.remote_id}`
  if ('transaction' in name) return sql`transaction = ${name.transaction}`
  return sql`(business_reference = ${name.reference} or business_reference is null and reference = ${name.reference})`
}

export async function findPayment(db: Database, door: string, remote_id: string): Promise<Payment | undefined> {
  if (remote_id.includes('\0') || !remote_id.isWellFormed()) return undefined
  const row = await findTransaction(db, remote_id)
  return row?.door === door ? toPayment(row) : undefined
}

async function findTransaction(db: Database, remote_id: string | null): Promise<TransactionRow | undefined> {
  if (remote_id === null) return undefined
  const [row] = await db<TransactionRow[]>`select * from simulator_transactions where remote_id = ${remote_id}`
  return row
}

/** The open prompts on one phone or on all, oldest first. At most 200. */
export async function listOpenPrompts(db: Database, phonenumber?: string, door?: string): Promise<Charge[]> {
  const found = await db<OrderRow[]>`
    select * from simulator_orders where state = 'pending' and prompt
      and (${phonenumber ?? null}::text is null or phonenumber = ${phonenumber ?? null})
      and (${door ?? null}::text is null or door = ${door ?? null})
    order by created, id limit 200`
  return found.map((order) => toCharge(order, undefined))
}

/** The name of an order among all doors. */
function nameOf({ door, key }: { door: string; key: string }): string {
  return `${door}/${key}`
}

async function placeCharges(tx: Tx, clocks: Clocks, charges: ChargeAtDoor[]): Promise<ItemResult<Placed<Charge>>[]> {
  // Of duplicates in one batch the first counts, as if it had arrived in an earlier batch.
  const distinct = new Map(charges.toReversed().map((charge) => [nameOf(charge), charge]))
  // The order is the same in every batch, so two batches with the same keys do not deadlock.
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, charge]) => charge)
  const inserted = await insertOrders(tx, clocks, sorted)
  await payMissedPrompts(tx, clocks.now(), inserted)
  const orders = new Map(inserted.map((order) => [nameOf({ ...order, key: order.reference }), order]))
  const repeated = sorted.filter((charge) => !orders.has(nameOf(charge)))
  const found = await repeatOrders(tx, clocks.now(), repeated)
  for (const order of found) orders.set(nameOf({ ...order, key: order.reference }), order)
  const transactions = await transactionsOf(tx, [...orders.values()])
  const first = new Set(inserted.map(({ id }) => id))
  return charges.map((charge) => {
    const order = orders.get(nameOf(charge))!
    const paid = transactions.get(order.transaction ?? '')
    return { ok: true, value: toPlaced(charge, order, first.delete(order.id), paid) }
  })
}

/**
 * Return the result of placing an order. Different reasons do not make different orders: the reason is only a text for
 * the customer.
 */
function toPlaced(charge: ChargeAtDoor, order: OrderRow, first: boolean, paid?: TransactionRow): Placed<Charge> {
  if (order.state === 'not_accepted') return { outcome: 'not_accepted' }
  const same =
    order.receiver === charge.receiver &&
    order.phonenumber === charge.phonenumber &&
    order.amount === charge.amount &&
    order.currency === charge.currency &&
    order.prompt === (charge.prompt ?? true)
  const shown = toCharge(order, paid)
  if (!same) return { outcome: 'conflict', order: shown }
  return { outcome: 'accepted', first, answers: !first || !chargeBehaviourOf(order).never_answers, order: shown }
}

/** Insert the charges whose key is new and return those. */
async function insertOrders(tx: Tx, { now, real }: Clocks, charges: ChargeAtDoor[]): Promise<OrderRow[]> {
  const plans = charges.map((charge) =>
    chargeBehaviourOf(charge).failures_before_accept > 0
      ? { state: 'not_accepted' as const, ...NO_PLAN }
      : { state: 'pending' as const, ...planCustomer(charge, now()) },
  )
  const inserted = await tx<OrderRow[]>`
    ${insert(orderTable, charges, {
      reference: ({ key }) => key,
      business_reference: ({ reference }) => reference,
      remote_id: ({ remote_id }) => remote_id ?? newRemoteId('SBO', real()),
      prompt: ({ prompt }) => prompt ?? true,
      details: ({ details }) => details ?? {},
      state: (_, index) => plans[index]!.state,
      next_action: (_, index) => plans[index]!.next_action,
      due_at: (_, index) => plans[index]!.due_at,
      created: now(),
    })}
    on conflict (door, reference) do nothing
    returning ${orderTable.columns}`
  return [...inserted]
}

type CustomerPlan = Pick<OrderRow, 'next_action' | 'due_at'>
const NO_PLAN: CustomerPlan = { next_action: null, due_at: null }

/** Plan the customer's action on a new order. An order without a prompt expires only if nobody ever pays it. */
function planCustomer(order: Pick<ChargeAtDoor, 'phonenumber' | 'prompt' | 'outcome'> & PromptTime, now: Date) {
  const { action, delay_s, prompt_timeout_s } = chargeBehaviourOf(order)
  if (action === 'pay' || action === 'refuse') return { next_action: action, due_at: addSeconds(now, delay_s) }
  if (prompt_timeout_s === null && action === 'nothing')
    return { next_action: 'expire' as const, due_at: addSeconds(now, UNANSWERED_S) }
  if (order.prompt === false || prompt_timeout_s === null) return NO_PLAN
  return { next_action: 'expire' as const, due_at: addSeconds(now, order.prompt_s ?? prompt_timeout_s) }
}

interface PromptTime {
  prompt_s?: number | null
}

/** Plan the payment of customers who pay at their second prompt and have missed an equal one. */
async function payMissedPrompts(tx: Tx, now: Date, orders: OrderRow[]): Promise<void> {
  for (const order of orders) {
    const { action, delay_s } = chargeBehaviourOf(order)
    if (action !== 'pay_second_prompt' || !order.prompt || order.state !== 'pending') continue
    const missed = await tx`
      delete from simulator_missed_prompts where door = ${order.door} and phonenumber = ${order.phonenumber}
        and receiver = ${order.receiver} and currency = ${order.currency} and amount = ${formatAmount(order.amount)}`
    if (missed.count === 0) continue
    await tx`update simulator_orders set next_action = 'pay', due_at = ${addSeconds(now, delay_s)} where id = ${order.id}`
  }
}

/** Read orders that were sent again. An order that was not accepted is counted, and accepted after enough tries. */
async function repeatOrders(tx: Tx, now: Date, charges: ChargeAtDoor[]): Promise<OrderRow[]> {
  if (charges.length === 0) return []
  const keys = rows(charges, { door: 'text', reference: ['text', ({ key }) => key] })
  // A separate statement after the insert sees rows that another transaction has just committed.
  const found = await tx<{ id: number }[]>`
    select o.id from simulator_orders o join ${keys.as('k')} on o.door = k.door and o.reference = k.reference`
  const orders = await tx<OrderRow[]>`
    select * from simulator_orders where id = any(${found.map(({ id }) => id)}::bigint[]) order by id for update`
  return Promise.all(orders.map((order) => (order.state === 'not_accepted' ? retryOrder(tx, now, order) : order)))
}

async function retryOrder(tx: Tx, now: Date, order: OrderRow): Promise<OrderRow> {
  const times_received = order.times_received + 1
  const is_accepted = times_received > chargeBehaviourOf(order).failures_before_accept
  const state = is_accepted ? 'pending' : 'not_accepted'
  const { next_action, due_at } = is_accepted ? planCustomer({ ...order, outcome: order.outcome! }, now) : NO_PLAN
  await tx`
    update simulator_orders set times_received = ${times_received}, state = ${state}, next_action = ${next_action}, due_at = ${due_at}
    where id = ${order.id}`
  return { ...order, times_received, state, next_action, due_at }
}

async function transactionsOf(tx: Tx, orders: OrderRow[]): Promise<Map<string, TransactionRow>> {
  const ids = orders.flatMap((order) => order.transaction ?? [])
  if (ids.length === 0) return new Map()
  const found = await tx<TransactionRow[]>`select * from simulator_transactions where remote_id = any(${ids}::text[])`
  return new Map(found.map((row) => [row.remote_id, row]))
}
