import { type Amount, parseAmount } from '../../lib/money.ts'
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

interface OrderColumns {
  id: number
  door: string
  /** Key of the order at the door. */
  reference: string
  business_reference: string | null
  remote_id: string
  phonenumber: string
  amount: Amount
  currency: string
  reason: string
  times_received: number
  failure_reason: string | null
  failure_message: string | null
  failure_code: string | null
  transaction: string | null
  callback_url: string | null
  details: Details
  outcome: Outcome | null
  due_at: Date | null
  created: Date
}

/** A charge as the world stores it. */
export interface OrderRow extends OrderColumns {
  receiver: string
  prompt: boolean
  prompt_s: number | null
  state: 'not_accepted' | 'pending' | 'paid' | 'failed'
  next_action: 'pay' | 'refuse' | 'expire' | 'reverse' | null
}

/** A payout or a refund as the world stores it. */
export interface PayoutRow extends OrderColumns {
  kind: 'money' | 'airtime' | 'refund'
  sender: string
  state: 'not_accepted' | 'pending' | 'paid' | 'failed' | 'taken_back'
  refund_of: string | null
  reversals: StoredReversal[]
  /** Until then the network does not know it. */
  known_from: Date | null
  paid_at: Date | null
}

/** A payment of a customer. */
export interface TransactionRow {
  remote_id: string
  door: string
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  /** Key of the charge at the door. */
  order_reference: string | null
  reference: string | null
  name: string
  reversals: StoredReversal[]
  refunded: Amount
  details: Details
  paid_at: Date
}

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

function toOrder(row: OrderColumns & { state: string }) {
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
