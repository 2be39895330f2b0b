import { column, type Row, table } from '../../db/table.ts'
import { parseAmount } from '../../lib/money.ts'
import type { Charge, Details, Outcome, Payment, Payout, Reversal } from './world.ts'

/*
 * Rows of the world's tables, and their views for doors.
 */

/** A part of a transaction that the network has taken back, as it is stored. */
export interface StoredReversal {
  remote_id: string
  /** Decimal, with four decimals. */
  amount: string
  /** ISO 8601. */
  at: string
}

/** The columns that charges and payouts share. */
const orderColumns = {
  id: column.id(),
  door: column.text(),
  /** Key of the order at the door. */
  reference: column.text(),
  business_reference: column.text().nullable(),
  remote_id: column.text(),
  phonenumber: column.text(),
  amount: column.numeric(),
  currency: column.text(),
  reason: column.text(),
  times_received: column.integer().default(1),
  failure_reason: column.text().later(),
  failure_message: column.text().later(),
  failure_code: column.text().later(),
  transaction: column.text().later(),
  callback_url: column.text().nullable(),
  details: column.json<Details>().default({}).given(),
  outcome: column.json<Outcome>().nullable(),
  due_at: column.timestamptz().nullable(),
  created: column.timestamptz(),
}

/** A charge as the world stores it. */
export const orderTable = table('simulator_orders', {
  ...orderColumns,
  receiver: column.text(),
  prompt: column.boolean(),
  prompt_s: column.integer().nullable(),
  state: column.text<'not_accepted' | 'pending' | 'paid' | 'failed'>(),
  next_action: column.text<'pay' | 'refuse' | 'expire' | 'reverse'>().nullable(),
})
export type OrderRow = Row<typeof orderTable>

/** A payout or a refund as the world stores it. */
export const payoutTable = table('simulator_payouts', {
  ...orderColumns,
  kind: column.text<'money' | 'airtime' | 'refund'>(),
  sender: column.text(),
  state: column.text<'not_accepted' | 'pending' | 'paid' | 'failed' | 'taken_back'>(),
  refund_of: column.text().nullable(),
  reversals: column.json<StoredReversal[]>().default([]),
  /** Until then the network does not know it. */
  known_from: column.timestamptz().nullable(),
  paid_at: column.timestamptz().later(),
})
export type PayoutRow = Row<typeof payoutTable>

/** A payment of a customer. */
export const transactionTable = table('simulator_transactions', {
  remote_id: column.text().key(),
  door: column.text(),
  status: column.text<'successful' | 'reversed'>(),
  receiver: column.text(),
  phonenumber: column.text(),
  amount: column.numeric(),
  currency: column.text(),
  /** Key of the charge at the door. */
  order_reference: column.text().nullable(),
  reference: column.text().nullable(),
  name: column.text(),
  reversals: column.json<StoredReversal[]>().default([]),
  refunded: column.numeric().default(0n),
  details: column.json<Details>().default({}).given(),
  paid_at: column.timestamptz(),
})
export type TransactionRow = Row<typeof transactionTable>

export function toCharge(order: OrderRow, transaction: TransactionRow | undefined): Charge {
  const { receiver, prompt, state } = order
  if (state === 'not_accepted') throw new Error('An order that was not accepted is not shown.')
  return { ...toOrder(order), receiver, prompt, state, payment: transaction ? toPayment(transaction) : null }
}

export function toPayout(payout: PayoutRow): Payout {
  const { kind, sender, state, transaction, refund_of, paid_at } = payout
  if (state === 'not_accepted') throw new Error('A payout that was not accepted is not shown.')
  const reversals = payout.reversals.map(toReversal)
  return { ...toOrder(payout), kind, sender, state, transaction, refund_of, reversals, paid_at }
}

export function toPayment({ order_reference, reversals, ...row }: TransactionRow): Payment {
  return { ...row, order: order_reference, reversals: reversals.map(toReversal) }
}

function toOrder(row: OrderRow | PayoutRow) {
  const { door, reference: key, business_reference, remote_id, phonenumber, amount, currency, reason } = row
  const failure =
    row.state === 'failed'
      ? { reason: row.failure_reason as never, message: row.failure_message!, code: row.failure_code }
      : null
  const { callback_url, details, created } = row
  const reference = business_reference ?? key
  const shared = { door, key, reference, remote_id, phonenumber, amount, currency, reason }
  return { ...shared, failure, callback_url, details, created }
}

function toReversal({ remote_id, amount, at }: StoredReversal): Reversal {
  return { remote_id, amount: parseAmount(amount)!, at: new Date(at) }
}
