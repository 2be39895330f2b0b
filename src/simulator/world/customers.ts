import { begin, type Database, type Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Job } from '../../lib/loop.ts'
import {
  CUSTOMER_NAME,
  CUSTOMER_PIN,
  cancelledFailure,
  chargeBehaviourOf,
  nextReversal,
  promptExpiredFailure,
  type Refusal,
  wrongPinFailure,
} from './behaviours.ts'
import { notifyBusiness } from './callbacks.ts'
import { addSeconds, newTransactionId } from './ids.ts'
import { type OrderRow, type TransactionRow, toCharge, toPayment, transactionTable } from './records.ts'
import { takeReversal } from './reversals.ts'
import { type Details, NotPossible, type WorldContext } from './world.ts'

/**
 * Create the job that runs the due actions of simulated customers. It calls nothing outside the database, so claim and
 * outcome are one transaction. It needs no lease, and the rows of a killed process are free at once.
 */
export function customersJob(options: WorldContext & { db: Database; onAction(): void }): Job<OrderRow> {
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
      const [row] = await options.db.polling<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_orders where due_at is not null`
      return row?.due_at ?? null
    },
  }
}

/** Choice of a prompt on a phone: the oldest, or the oldest with this reference or key, and of this door if given. */
interface PromptChoice {
  phonenumber: string
  reference?: string | undefined
  door?: string | undefined
}

/**
 * A person types the PIN into a prompt; a wrong one fails the order.
 * @throws NotPossible when no such prompt waits.
 */
export async function approvePrompt(tx: Tx, context: WorldContext, choice: PromptChoice, pin: string): Promise<void> {
  const order = await lockPrompt(tx, choice)
  if (pin === CUSTOMER_PIN) await payOrders(tx, context, [order])
  else await failOrders(tx, context, [order], () => wrongPinFailure)
}

/**
 * A person refuses a prompt.
 * @throws NotPossible when no such prompt waits.
 */
export async function refusePrompt(tx: Tx, context: WorldContext, choice: PromptChoice): Promise<void> {
  await failOrders(tx, context, [await lockPrompt(tx, choice)], () => cancelledFailure)
}

async function runDueActions(tx: Tx, context: WorldContext, limit: number): Promise<OrderRow[]> {
  const orders = await tx<OrderRow[]>`
    select * from simulator_orders where due_at <= ${context.now()} order by due_at limit ${limit} for update skip locked`
  const ordersWith = (next_action: OrderRow['next_action']) =>
    orders.filter((order) => order.next_action === next_action)
  await payOrders(tx, context, ordersWith('pay'))
  await failOrders(tx, context, ordersWith('refuse'), (order) => chargeBehaviourOf(order).refusal ?? cancelledFailure)
  await failOrders(tx, context, ordersWith('expire'), () => promptExpiredFailure)
  await recordMissedPrompts(tx, ordersWith('expire'))
  await reverseOrders(tx, context, ordersWith('reverse'))
  return [...orders]
}

/** Lock the oldest open prompt. If it is answered while we wait for the lock, the search starts again. */
async function lockPrompt(tx: Tx, { phonenumber, reference, door }: PromptChoice): Promise<OrderRow> {
  for (;;) {
    const [found] = await tx<{ id: number }[]>`
      select id from simulator_orders where phonenumber = ${phonenumber} and state = 'pending' and prompt
        and ${reference === undefined ? sql.always : sql`(reference = ${reference} or business_reference = ${reference})`}
        and ${door === undefined ? sql.always : sql`door = ${door}`}
      order by created, id limit 1`
    if (!found) throw new NotPossible(`No prompt waits on the phone ${phonenumber}.`)
    const [order] = await tx<OrderRow[]>`select * from simulator_orders where id = ${found.id} for update`
    if (order?.state === 'pending') return order
  }
}

async function payOrders(tx: Tx, context: WorldContext, orders: OrderRow[]): Promise<void> {
  if (orders.length === 0) return
  const transactions = orders.map((order) => {
    const amount = chargeBehaviourOf(order).paidAmount(order.amount)
    return newTransaction(context, { ...order, amount, order_reference: order.reference, details: {} }, null)
  })
  const reversalOf = (order: OrderRow) => nextReversal(chargeBehaviourOf(order), 0)
  const paid = rows(orders, {
    id: 'bigint',
    transaction: ['text', (_, index) => transactions[index]!.remote_id],
    next_action: ['text', (order) => (reversalOf(order) === null ? null : 'reverse')],
    due_at: [
      'timestamptz',
      (order) => {
        const next = reversalOf(order)
        return next && addSeconds(context.now(), next.after_s)
      },
    ],
  })
  await tx`
    update simulator_orders o set state = 'paid', failure_reason = null, failure_message = null, failure_code = null,
      ${paid.assignments('p', 'id')}
    from ${paid.as('p')} where o.id = p.id`
  await insertTransactions(tx, transactions)
  const changes = orders.map((order, index) => {
    const transaction = transactions[index]!
    const charge = toCharge({ ...order, state: 'paid', transaction: transaction.remote_id }, transaction)
    return { event: 'charge.paid' as const, charge, payment: toPayment(transaction) }
  })
  await notifyBusiness(tx, context, changes)
}

async function failOrders(
  tx: Tx,
  context: WorldContext,
  orders: OrderRow[],
  failureOf: (order: OrderRow) => Refusal,
): Promise<void> {
  if (orders.length === 0) return
  const failures = orders.map((order): OrderRow => {
    const { reason, message, code = null } = failureOf(order)
    const paid_after_s = order.next_action === 'refuse' ? chargeBehaviourOf(order).arrives_after_failure_s : null
    return {
      ...order,
      state: 'failed',
      failure_reason: reason,
      failure_message: message,
      failure_code: code,
      next_action: paid_after_s === null ? null : 'pay',
      due_at: paid_after_s === null ? null : addSeconds(context.now(), paid_after_s),
    }
  })
  const failed = rows(failures, {
    id: 'bigint',
    failure_reason: 'text',
    failure_message: 'text',
    failure_code: 'text',
    next_action: 'text',
    due_at: 'timestamptz',
  })
  await tx`
    update simulator_orders o set state = 'failed', ${failed.assignments('f', 'id')}
    from ${failed.as('f')} where o.id = f.id`
  await notifyBusiness(
    tx,
    context,
    failures.map((order) => ({ event: 'charge.failed' as const, charge: toCharge(order, undefined) })),
  )
}

const missedTable = table('simulator_missed_prompts', {
  door: column.text().key(),
  phonenumber: column.text().key(),
  receiver: column.text().key(),
  currency: column.text().key(),
  amount: column.numeric().key(),
})

/** Store the missed prompts of customers who pay at their second prompt. */
async function recordMissedPrompts(tx: Tx, orders: OrderRow[]): Promise<void> {
  const missed = orders.filter((order) => chargeBehaviourOf(order).action === 'pay_second_prompt')
  if (missed.length > 0) await tx`${insert(missedTable, missed, {})} on conflict do nothing`
}

/** Take back the next part of payments, or everything that is left, and plan the reversal that follows. */
async function reverseOrders(tx: Tx, context: WorldContext, orders: OrderRow[]): Promise<void> {
  if (orders.length === 0) return
  const paid = await tx<TransactionRow[]>`
    select * from simulator_transactions where remote_id = any(${orders.map((order) => order.transaction)}::text[])`
  const by_id = new Map(paid.map((transaction) => [transaction.remote_id, transaction]))
  const reversed = orders.map((order) => {
    const transaction = by_id.get(order.transaction!)!
    const behaviour = chargeBehaviourOf(order)
    const newId = () => newTransactionId(context, order.door, 'reversal')
    const { reversals, whole } = takeReversal(transaction, behaviour, context.now(), newId)
    const status: TransactionRow['status'] = whole ? 'reversed' : 'successful'
    const next = whole ? null : nextReversal(behaviour, reversals.length)
    return { order, next, transaction: { ...transaction, reversals, status } }
  })
  const planned = rows(reversed, {
    id: ['bigint', ({ order }) => order.id],
    next_action: ['text', ({ next }) => (next ? 'reverse' : null)],
    due_at: ['timestamptz', ({ next, transaction }) => next && addSeconds(transaction.paid_at, next.after_s)],
  })
  const changed = rows(
    reversed.map(({ transaction }) => transaction),
    { remote_id: 'text', status: 'text', reversals: 'json' },
  )
  await Promise.all([
    tx`
      update simulator_orders o set ${planned.assignments('p', 'id')}
      from ${planned.as('p')} where o.id = p.id`,
    tx`
      update simulator_transactions t set ${changed.assignments('c', 'remote_id')}
      from ${changed.as('c')} where t.remote_id = c.remote_id`,
  ])
  const changes = reversed.map(({ order, transaction }) => ({
    event: 'payment.reversed' as const,
    payment: toPayment(transaction),
    charge: toCharge(order, transaction),
  }))
  await notifyBusiness(tx, context, changes)
}

type TransactionInput = Pick<
  TransactionRow,
  'door' | 'receiver' | 'phonenumber' | 'amount' | 'currency' | 'order_reference'
> & { details: Details }

/** Make a transaction with the present time. */
export function newTransaction(
  context: WorldContext,
  money: TransactionInput,
  reference: string | null,
  remote_id = newTransactionId(context, money.door, 'payment'),
): TransactionRow {
  const { door, receiver, phonenumber, amount, currency, order_reference, details } = money
  return {
    remote_id,
    door,
    status: 'successful',
    receiver,
    phonenumber,
    amount,
    currency,
    order_reference,
    reference,
    name: CUSTOMER_NAME,
    reversals: [],
    refunded: 0n,
    details,
    paid_at: context.now(),
  }
}

/** Record unrequested money and report it to the business. */
export async function recordUnrequested(tx: Tx, context: WorldContext, transaction: TransactionRow): Promise<void> {
  await insertTransactions(tx, [transaction])
  await notifyBusiness(tx, context, [{ event: 'payment.received', payment: toPayment(transaction) }])
}

async function insertTransactions(tx: Tx, transactions: TransactionRow[]): Promise<void> {
  await tx`${insert(transactionTable, transactions, { reversals: undefined, refunded: undefined })}`
}
