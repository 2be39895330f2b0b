import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { Invalid } from '../refusals.ts'

/* Proof that a person has seen the review of what is sent. What is sent later must have the same digest. */

/** Time for which a review counts: wallets, names and rules change. */
const VALID_MS = 30 * 60 * 1_000

/** Subject of a review. */
interface Reviewed {
  organization: number
  user: number
  /** Digest of what is to be sent. */
  digest: string
}

/** Sum and fees that a review has shown. What is sent later must cost the same. */
export interface ReviewedCosts {
  amount: Amount
  /** Sum of the fees of all recipients. */
  fee: Amount
}

/** Content of a review that its signature protects. */
interface Seen extends ReviewedCosts {
  /** Number of recipients whose number is not registered. */
  not_registered: number
}

/** Digest of data, in which amounts are bigints. */
export function digestOf(data: unknown): string {
  const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex')
}

/** Signs a review. */
export function signReview(key: string, now: Date, reviewed: Reviewed, { not_registered, amount, fee }: Seen): string {
  const parts = [now.getTime() + VALID_MS, not_registered, amount, fee].map(String)
  return [...parts, sign(key, reviewed, parts)].join('.')
}

/** @param parts the parts of the token before its signature */
function sign(key: string, { organization, user, digest }: Reviewed, parts: readonly string[]): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([organization, user, digest, ...parts]))
    .digest('hex')
}

/** Answer of a person to a review. */
interface ReviewAnswer {
  /** The signed review; empty if there was none. */
  token: string
  /** True if the person wants to send money to numbers that are not registered. */
  confirms_not_registered: boolean
}

/** Reads the costs in a review, or returns why something may not be sent after it. */
export function readReview(
  key: string,
  now: Date,
  reviewed: Reviewed,
  { token, confirms_not_registered }: ReviewAnswer,
): ReviewedCosts | Invalid {
  const parts = token.split('.')
  const given = Buffer.from(parts.pop() ?? '')
  const expected = Buffer.from(sign(key, reviewed, parts))
  const refuse = (message: string) => new Invalid({ non_field_errors: [message] })
  if (token === '') return refuse(getMessage('payments.review_first'))
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return refuse(getMessage('payments.review_changed'))
  const [expires, not_registered, amount, fee] = parts
  if (Number(expires) < now.getTime()) return refuse(getMessage('payments.review_old'))
  if (Number(not_registered) > 0 && !confirms_not_registered)
    return refuse(getMessage('payments.review_not_registered'))
  return { amount: BigInt(amount!), fee: BigInt(fee!) }
}

/** Returns why money may not be sent at these costs, which differ from those of its review; undefined if they are equal. */
export function changedCostsError(
  currency: string,
  reviewed: ReviewedCosts,
  costs: ReviewedCosts,
): Invalid | undefined {
  const refuse = (key: 'payments.review_amount' | 'payments.review_fee', before: Amount, after: Amount) => {
    const money = (amount: Amount) => `${currency} ${displayAmount(amount)}`
    return new Invalid({ non_field_errors: [getMessage(key, { before: money(before), after: money(after) })] })
  }
  if (costs.amount !== reviewed.amount) return refuse('payments.review_amount', reviewed.amount, costs.amount)
  if (costs.fee !== reviewed.fee) return refuse('payments.review_fee', reviewed.fee, costs.fee)
  return undefined
}
