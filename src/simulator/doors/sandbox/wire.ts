import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { formatAmount } from '../../../lib/money.ts'
import { currency, newAmount, phonenumber, plainText, Reference, receiver } from '../../world/fields.ts'
import type { Charge, Failure, Payment, Payout, Reversal } from '../../world/world.ts'

/** The body of `POST /orders`. Without `prompt` the network only expects the money. */
export const OrderBody = z.object({
  reference: Reference,
  receiver,
  phonenumber,
  amount: newAmount,
  currency,
  reason: plainText,
  prompt: z.boolean(),
})

/** The body of `POST /payouts`. */
export const PayoutBody = z.object({
  reference: Reference,
  kind: z.enum(['money', 'airtime']),
  sender: receiver,
  phonenumber,
  amount: newAmount,
  currency,
  reason: plainText,
})

/** The body of `POST /refunds`. `transaction` is the id of the payment; without `amount` all that is left of it is refunded. */
export const RefundBody = z.object({
  reference: Reference,
  transaction: Reference,
  amount: newAmount.optional(),
  currency: currency.optional(),
  reason: plainText,
})

/** The answer of the business to a validation request. */
export const ValidationAnswer = z.object({ verdict: z.enum(['accept', 'reject']) })

/** An order as the network shows it, with the transaction that paid it. */
export function showOrder(charge: Charge) {
  const { reference, remote_id, receiver, phonenumber, currency, state } = charge
  return {
    reference,
    remote_id,
    receiver,
    phonenumber,
    amount: formatAmount(charge.amount),
    currency,
    state,
    failure: showFailure(charge.failure),
    transaction: charge.payment && showTransaction(charge.payment),
  }
}

/** A payout or refund as the network shows it. */
export function showPayout(payout: Payout) {
  const { reference, kind, remote_id, sender, phonenumber, currency, state, transaction, refund_of } = payout
  return {
    reference,
    kind,
    remote_id,
    sender,
    phonenumber,
    amount: formatAmount(payout.amount),
    currency,
    state,
    failure: showFailure(payout.failure),
    transaction,
    reversals: payout.reversals.map(showReversal),
    ...(refund_of !== null && { refund_of }),
  }
}

/** A transaction as the network shows it. */
export function showTransaction(payment: Payment) {
  const { remote_id, status, receiver, phonenumber, currency, order, reference, name } = payment
  return {
    remote_id,
    status,
    receiver,
    phonenumber,
    amount: formatAmount(payment.amount),
    currency,
    order_reference: order,
    reference,
    name,
    reversals: payment.reversals.map(showReversal),
    paid_at: payment.paid_at.toISOString(),
  }
}

function showFailure(failure: Failure | null) {
  return failure && { reason: failure.reason, message: failure.message }
}

function showReversal({ remote_id, amount }: Reversal) {
  return { remote_id, amount: formatAmount(amount) }
}

/** The `x-sandbox-signature` of a callback: hexadecimal HMAC-SHA256 over the exact body. */
export function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * Return true if the `Authorization` header has the secret. Both values are hashed, so that the comparison leaks no
 * length.
 */
export function hasSecret(secret: string, authorization: string | undefined): boolean {
  return timingSafeEqual(
    Buffer.from(signBody(secret, authorization ?? '')),
    Buffer.from(signBody(secret, `Bearer ${secret}`)),
  )
}
