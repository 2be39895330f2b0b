import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Amount, formatAmount, parseAmount } from '../lib/money.ts'

/** A text of the business for people. PostgreSQL can store neither a NUL nor half a character. */
const plainText = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be plain text')

const amount = z.string().transform((text, context) => {
  const parsed = text.length > 40 ? undefined : parseAmount(text)
  if (parsed !== undefined && parsed > 0n && parsed <= MAX_AMOUNT) return parsed
  context.addIssue('must be between 0.0001 and 999999999999999.9999')
  return z.NEVER
})
const MAX_AMOUNT: Amount = 9_999_999_999_999_999_999n

const receiver = z.string().regex(/^[\x21-\x7e]{1,50}$/, 'must be a till or short code')
const phonenumber = z.string().regex(/^\+\d{6,15}$/, 'must be a phone number in E.164')
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code')

/** The form of the reference of an order or a payment. */
export const Reference = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters')

/** The body of `POST /orders`. Without `prompt` the network only expects the money. */
export const OrderBody = z.object({
  reference: Reference,
  receiver,
  phonenumber,
  amount,
  currency,
  reason: plainText,
  prompt: z.boolean(),
})
export type OrderBody = z.infer<typeof OrderBody>

/** The body of `POST /payouts`. */
export const PayoutBody = z.object({
  reference: Reference,
  kind: z.enum(['money', 'airtime']),
  sender: receiver,
  phonenumber,
  amount,
  currency,
  reason: plainText,
})
export type PayoutBody = z.infer<typeof PayoutBody>

/** A part of a transaction that the network has taken back, as it stores it. */
export interface StoredReversal {
  remote_id: string
  /** Decimal, with four decimals. */
  amount: string
  /** ISO 8601. */
  at: string
}

/** A payout as the network stores it. */
export interface PayoutRow extends PayoutBody {
  remote_id: string
  times_received: number
  state: 'not_accepted' | 'pending' | 'paid' | 'failed' | 'taken_back'
  failure_reason: string | null
  failure_message: string | null
  transaction: string | null
  reversals: StoredReversal[]
  /** Until then the network does not know it. */
  known_from: Date | null
  paid_at: Date | null
  due_at: Date | null
  created: Date
}

/** A payout as the network shows it. */
export function showPayout(payout: PayoutRow) {
  const { reference, kind, remote_id, sender, phonenumber, currency, state, transaction } = payout
  const failure = state === 'failed' ? { reason: payout.failure_reason, message: payout.failure_message } : null
  return {
    reference,
    kind,
    remote_id,
    sender,
    phonenumber,
    amount: formatAmount(payout.amount),
    currency,
    state,
    failure,
    transaction,
    reversals: payout.reversals.map(showReversal),
  }
}

function showReversal({ remote_id, amount }: StoredReversal) {
  return { remote_id, amount }
}

/** An unrequested payment of a customer; `reference` is what the customer types. */
export const UnrequestedPaymentBody = z.object({
  phonenumber,
  amount,
  currency,
  receiver,
  reference: plainText.nullish(),
})

/** An unrequested payment that waits for the validation by the business. */
export interface ValidationRequestRow {
  remote_id: string
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  reference: string | null
}

/** The answer of the business to a validation request. */
export const ValidationAnswer = z.object({ verdict: z.enum(['accept', 'reject']) })

/** An order as the network stores it. */
export interface OrderRow {
  reference: string
  remote_id: string
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  reason: string
  prompt: boolean
  times_received: number
  state: 'not_accepted' | 'pending' | 'paid' | 'failed'
  failure_reason: string | null
  failure_message: string | null
  transaction: string | null
  next_action: 'pay' | 'refuse' | 'expire' | 'reverse' | null
  due_at: Date | null
  created: Date
}

/** A payment of a customer. */
export interface TransactionRow {
  remote_id: string
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  order_reference: string | null
  reference: string | null
  name: string
  reversals: StoredReversal[]
  paid_at: Date
}

/** An order as the network shows it, with the transaction that paid it. */
export function showOrder(order: OrderRow, transaction: TransactionRow | undefined) {
  return {
    reference: order.reference,
    remote_id: order.remote_id,
    receiver: order.receiver,
    phonenumber: order.phonenumber,
    amount: formatAmount(order.amount),
    currency: order.currency,
    state: order.state,
    failure: order.state === 'failed' ? { reason: order.failure_reason, message: order.failure_message } : null,
    transaction: transaction ? showTransaction(transaction) : null,
  }
}

/** A transaction as the network shows it. */
export function showTransaction(transaction: TransactionRow) {
  return {
    remote_id: transaction.remote_id,
    status: transaction.status,
    receiver: transaction.receiver,
    phonenumber: transaction.phonenumber,
    amount: formatAmount(transaction.amount),
    currency: transaction.currency,
    order_reference: transaction.order_reference,
    reference: transaction.reference,
    name: transaction.name,
    reversals: transaction.reversals.map(showReversal),
    paid_at: transaction.paid_at.toISOString(),
  }
}

/** The `x-sandbox-signature` of a callback: hexadecimal HMAC-SHA256 over the exact body. */
export function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * Whether the `Authorization` header has the secret. Both values are hashed, so the comparison does not show a length.
 */
export function hasSecret(secret: string, authorization: string | undefined): boolean {
  return timingSafeEqual(
    Buffer.from(signBody(secret, authorization ?? '')),
    Buffer.from(signBody(secret, `Bearer ${secret}`)),
  )
}
