import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { getMessage } from '../../../lib/messages/message.ts'
import { Invalid } from '../../refusals.ts'

/* Proof that a person has seen the review of what is sent. What is sent later must have the same digest. */

/** Time for which a review counts: wallets, names and rules change. */
const VALID_MS = 30 * 60 * 1_000

/** Subject of a review. */
export interface Reviewed {
  organization: number
  user: number
  /** Digest of what is to be sent. */
  digest: string
}

/** Digest of data, in which amounts are bigints. */
export function digestOf(data: unknown): string {
  const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex')
}

/** Signs a review. @param not_registered number of recipients whose number is not registered */
export function signReview(key: string, now: Date, reviewed: Reviewed, not_registered: number): string {
  const expires = now.getTime() + VALID_MS
  return `${expires}.${not_registered}.${sign(key, reviewed, expires, not_registered)}`
}

function sign(key: string, { organization, user, digest }: Reviewed, expires: number, not_registered: number): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([organization, user, digest, expires, not_registered]))
    .digest('hex')
}

/** Answer of a person to a review. */
export interface ReviewAnswer {
  /** The signed review; empty if there was none. */
  token: string
  /** True if the person wants to send money to numbers that are not registered. */
  confirms_not_registered: boolean
}

/** Returns why something may not be sent after this review, or undefined if it may. */
export function reviewError(key: string, now: Date, reviewed: Reviewed, answer: ReviewAnswer): Invalid | undefined {
  const [expires = '', not_registered = '', signature = ''] = answer.token.split('.')
  const expected = Buffer.from(sign(key, reviewed, Number(expires), Number(not_registered)))
  const given = Buffer.from(signature)
  const refuse = (message: string) => new Invalid({ non_field_errors: [message] })
  if (answer.token === '') return refuse(getMessage('payments.review_first'))
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return refuse(getMessage('payments.review_changed'))
  if (Number(expires) < now.getTime()) return refuse(getMessage('payments.review_old'))
  if (Number(not_registered) > 0 && !answer.confirms_not_registered)
    return refuse(getMessage('payments.review_not_registered'))
  return undefined
}
