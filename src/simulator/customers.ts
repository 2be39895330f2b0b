import { begin, type Database, type Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { sql } from '../db/sql.ts'
import type { Job } from '../lib/loop.ts'
import {
  behaviourOf,
  CUSTOMER_NAME,
  CUSTOMER_PIN,
  cancelledFailure,
  type Failure,
  nextReversal,
  promptExpiredFailure,
  wrongPinFailure,
} from './behaviours.ts'
import { queueCallbacks } from './callbacks.ts'
import { newRemoteId } from './orders.ts'
import { takeReversal } from './reversals.ts'
import { type OrderRow, showOrder, showTransaction, type TransactionRow } from './wire.ts'

/** The simulated phone cannot do this now, for example because no prompt waits on it. */
export class NotPossible extends Error {
  override name = 'NotPossible'
}

/** The two clocks of the simulator: sandbox time and real time. */
export interface Clocks {
  now(): Date
  real(): Date
}

/**
 * Creates the job that runs the due actions of simulated customers. It calls nothing outside the database, so claim and
 * outcome are one transaction. It needs no lease, and the rows of a killed process are free at once.
 */
export function customersJob(options: Clocks & { db: Database; onAction(): void }): Job<OrderRow> {
  return {
    name: 'simulator: customers',
    limit: 100,
    concurrency: 1,
    async claim(limit) {
      const orders = await begin(options.db, (tx) => runDueActions(tx, options, limit))
      if (orders.length > 0) options.onAction()
      return orders
    },
    run: async () => {},
    next_due_is_complete: true,
    async nextDue() {
      const [row] = await options.db<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_orders where due_at is not null`
      return row?.due_at ?? null
    },
  }
}

/** Which prompt on a phone the person answers: the one with this reference, or the oldest. */
export interface PromptChoice {
  phonenumber: string
  reference?: string
}

/**
 * A person types the PIN into a prompt; a wrong one fails the order.
 * @throws NotPossible when no such prompt waits.
 */
export async function approvePrompt(tx: Tx, clocks: Clocks, choice: PromptChoice, pin: string): Promise<void> {
  const order = await lockPrompt(tx, choice)
  if (pin === CUSTOMER_PIN) await payOrders(tx, clocks, [order])
  else await failOrders(tx, clocks, [order], () => wrongPinFailure)
}

/**
 * A person refuses a prompt.
 * @throws NotPossible when no such prompt waits.
 */
export async function refusePrompt(tx: Tx, clocks: Clocks, choice: PromptChoice): Promise<void> {
  await failOrders(tx, clocks, [await lockPrompt(tx, choice)], () => cancelledFailure)
}

async function runDueActions(tx: Tx, clocks: Clocks, limit: number): Promise<OrderRow[]> {
  const orders = await tx<OrderRow[]>`
    select * from simulator_orders where due_at <= ${clocks.now()} order by due_at limit ${limit} for update skip locked`
  const ordersWith = (next_action: OrderRow['next_action']) =>
    orders.filter((order) => order.next_action === next_action)
  await payOrders(tx, clocks, ordersWith('pay'))
  await failOrders(
    tx,
    clocks,
    ordersWith('refuse'),
    (order) => behaviourOf(order.phonenumber).refusal ?? cancelledFailure,
  )
  await failOrders(tx, clocks, ordersWith('expire'), () => promptExpiredFailure)
  await recordMissedPrompts(tx, ordersWith('expire'))
  await reverseOrders(tx, clocks, ordersWith('reverse'))
  return [...orders]
}

/** Locks the oldest open prompt. If it is answered while we wait for the lock, the search starts again. */
async function lockPrompt(tx: Tx, { phonenumber, reference }: PromptChoice): Promise<OrderRow> {
  for (;;) {
    const [found] = await tx<{ reference: string }[]>`
      select reference from simulator_orders where phonenumber = ${phonenumber} and state = 'pending' and prompt
        and ${reference === undefined ? sql.always : sql`reference = ${reference}`}
      order by created, reference limit 1`
    if (!found) throw new NotPossible(`No prompt waits on the phone ${phonenumber}.`)
    const [order] = await tx<OrderRow[]>`
      select * from simulator_orders where reference = ${found.reference} for update`
    if (order?.state === 'pending') return order
  }
}

async function payOrders(tx: Tx, clocks: Clocks, orders: OrderRow[]): Promise<void> {
  if (orders.length === 0) return
  const transactions = orders.map((order) => {
    const amount = behaviourOf(order.phonenumber).paidAmount(order.amount)
    return newTransaction(clocks, { ...order, amount, order_reference: order.reference }, null)
  })
  const reversalOf = ({ phonenumber }: OrderRow) => nextReversal(behaviourOf(phonenumber), 0)
  const paid = rows(orders, {
    reference: 'text',
    transaction: ['text', (_, index) => transactions[index]!.remote_id],
    next_action: ['text', (order) => (reversalOf(order) === null ? null : 'reverse')],
    due_at: [
      'timestamptz',
      (order) => {
        const next = reversalOf(order)
        return next && addSeconds(clocks.now(), next.after_s)
      },
    ],
  })
  await tx`
    update simulator_orders o set state = 'paid', ${paid.assignments('p', 'reference')}
    from ${paid.as('p')} where o.reference = p.reference`
  await recordTransactions(tx, clocks, transactions)
}

async function failOrders(
  tx: Tx,
  clocks: Clocks,
  orders: OrderRow[],
  failureOf: (order: OrderRow) => Failure,
): Promise<void> {
  if (orders.length === 0) return
  const failures = orders.map(failureOf)
  const failed = rows(orders, {
    reference: 'text',
    failure_reason: ['text', (_, index) => failures[index]!.reason],
    failure_message: ['text', (_, index) => failures[index]!.message],
  })
  await tx`
    update simulator_orders o set state = 'failed', next_action = null, due_at = null,
      ${failed.assignments('f', 'reference')}
    from ${failed.as('f')} where o.reference = f.reference`
  const bodies = orders.map((order, index) => {
    const { reason, message } = failures[index]!
    const failed: OrderRow = { ...order, state: 'failed', failure_reason: reason, failure_message: message }
    return JSON.stringify({ event: 'order.failed', order: showOrder(failed, undefined) })
  })
  await queueCallbacks(tx, clocks.now(), bodies)
}

/** Stores the missed prompts of customers who pay at their second prompt. */
async function recordMissedPrompts(tx: Tx, orders: OrderRow[]): Promise<void> {
  const missed = orders.filter((order) => behaviourOf(order.phonenumber).action === 'pay_second_prompt')
  if (missed.length === 0) return
  await tx`
    insert into simulator_missed_prompts (phonenumber, receiver, currency, amount)
    select phonenumber, receiver, currency, amount from simulator_orders
    where reference = any(${missed.map((order) => order.reference)}::text[])
    on conflict do nothing`
}

/** Takes back the next part of payments, or everything that is left, and plans the reversal that follows. */
async function reverseOrders(tx: Tx, clocks: Clocks, orders: OrderRow[]): Promise<void> {
  if (orders.length === 0) return
  const paid = await tx<TransactionRow[]>`
    select * from simulator_transactions where remote_id = any(${orders.map((order) => order.transaction)}::text[])`
  const reversed = paid.map((transaction) => {
    const behaviour = behaviourOf(transaction.phonenumber)
    const { reversals, whole } = takeReversal(transaction, behaviour, clocks)
    const status: TransactionRow['status'] = whole ? 'reversed' : 'successful'
    return { ...transaction, reversals, status, next: whole ? null : nextReversal(behaviour, reversals.length) }
  })
  const by_id = new Map(reversed.map((transaction) => [transaction.remote_id, transaction]))
  const planned = rows(orders, {
    reference: 'text',
    next_action: ['text', ({ transaction }) => (by_id.get(transaction!)!.next ? 'reverse' : null)],
    due_at: [
      'timestamptz',
      ({ transaction }) => {
        const { next, paid_at } = by_id.get(transaction!)!
        return next && addSeconds(paid_at, next.after_s)
      },
    ],
  })
  const changed = rows(reversed, { remote_id: 'text', status: 'text', reversals: 'json' })
  await Promise.all([
    tx`
      update simulator_orders o set ${planned.assignments('p', 'reference')}
      from ${planned.as('p')} where o.reference = p.reference`,
    tx`
      update simulator_transactions t set ${changed.assignments('c', 'remote_id')}
      from ${changed.as('c')} where t.remote_id = c.remote_id`,
  ])
  await notifyBusiness(tx, clocks, 'payment.reversed', reversed)
}

type TransactionInput = Pick<TransactionRow, 'receiver' | 'phonenumber' | 'amount' | 'currency' | 'order_reference'>

/** Makes a transaction with the present time. */
export function newTransaction(
  clocks: Clocks,
  money: TransactionInput,
  reference: string | null,
  remote_id = newRemoteId('SBX', clocks.real()),
): TransactionRow {
  return {
    remote_id,
    status: 'successful',
    receiver: money.receiver,
    phonenumber: money.phonenumber,
    amount: money.amount,
    currency: money.currency,
    order_reference: money.order_reference,
    reference,
    name: CUSTOMER_NAME,
    reversals: [],
    paid_at: clocks.now(),
  }
}

/** Records transactions and queues their callbacks to the business. */
export async function recordTransactions(tx: Tx, clocks: Clocks, transactions: TransactionRow[]): Promise<void> {
  const received = rows(transactions, {
    remote_id: 'text',
    receiver: 'text',
    phonenumber: 'text',
    amount: 'numeric',
    currency: 'text',
    order_reference: 'text',
    reference: 'text',
    name: 'text',
    paid_at: 'timestamptz',
  })
  await tx`
    insert into simulator_transactions (${received.columns}, status)
    select ${received.columns}, 'successful' from ${received.as('t')}`
  await notifyBusiness(tx, clocks, 'payment.received', transactions)
}

/** Queues the callbacks about transactions: the payer's `callback_count`, or one for an unrequested payment. */
async function notifyBusiness(
  tx: Tx,
  clocks: Clocks,
  event: string,
  transactions: readonly TransactionRow[],
): Promise<void> {
  const bodies = transactions.flatMap((transaction) => {
    const body = JSON.stringify({ event, transaction: showTransaction(transaction) })
    const count = transaction.order_reference === null ? 1 : behaviourOf(transaction.phonenumber).callback_count
    return new Array<string>(count).fill(body)
  })
  await queueCallbacks(tx, clocks.now(), bodies)
}

function addSeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000)
}
