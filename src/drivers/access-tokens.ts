import { z } from 'zod'
import type { UnknownOutcome } from '../lib/adapter-types.ts'
import type { HttpAnswer } from '../lib/http/http-call.ts'
import type { AccessToken, TokenAnswer } from './contract.ts'
import { spare } from './members.ts'

/*
 * Access tokens of OAuth 2.0, as providers give them out (RFC 6749) and refuse them (RFC 6750).
 */

/** Call that was not processed: the provider refuses our credentials, or the call did not leave. */
export interface NotSent {
  outcome: 'not_sent'
  message: string
  /** Refusal of the provider, if the call left. */
  refusal?: HttpAnswer
}

/** The life of a token that says none: RFC 6749 makes `expires_in` optional. A refused token is replaced at once all the same. */
const SHORT_LIFE_S = 120
/** Maximum lifetime of a token, whatever its provider says. */
const MAX_LIFE_S = 86_400

const Token = z.object({
  /** A header value, so it has no blanks. */
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: spare(z.union([z.number(), z.string()])),
})

/** The token in an answer, parsed from JSON. Only the token itself decides; undefined if there is none. */
export function readAccessToken(body: unknown): AccessToken | undefined {
  const token = Token.safeParse(body).data
  return token && { token: token.access_token, expires_in_s: lifeOf(token.expires_in) }
}

function lifeOf(expires_in: number | string | undefined): number {
  const seconds = Math.floor(Number(expires_in ?? Number.NaN))
  return seconds > 0 ? Math.min(seconds, MAX_LIFE_S) : SHORT_LIFE_S
}

/** Call of a driver with its token. */
interface AuthorizedCall {
  /** The token of the connection; how it is fetched is the driver's. */
  token(): Promise<TokenAnswer>
  /** Drop a token that the provider has refused. */
  refuse(token: string): void
  send(token: string): Promise<HttpAnswer | UnknownOutcome>
  /** Return true if the provider refuses the token with this answer. Default: any 401. */
  isRefused?(answer: HttpAnswer): boolean
  /**
   * Alert the operator when even a new token is refused. Returns the reason for the caller why nothing was processed.
   */
  onRefused(answer: HttpAnswer): string
}

/**
 * Make a call with a token. A 401 says that nothing was processed, in whatever form it comes (RFC 6750): the token is
 * dropped, and the call made once more with a new one. When that is refused, too, the call is `not_sent`.
 */
export async function callWithToken(call: AuthorizedCall): Promise<HttpAnswer | NotSent | UnknownOutcome> {
  const first = await call.token()
  if (first.outcome === 'unknown') return first
  const answer = await sendOnce(call, first.token)
  if (answer !== 'refused') return answer
  const second = await call.token()
  if (second.outcome === 'unknown') return { outcome: 'not_sent', message: second.message }
  const repeated = await call.send(second.token)
  if (repeated.outcome === 'unknown' || !isRefused(call, repeated)) return repeated
  call.refuse(second.token)
  return { outcome: 'not_sent', message: call.onRefused(repeated), refusal: repeated }
}

async function sendOnce(call: AuthorizedCall, token: string): Promise<HttpAnswer | UnknownOutcome | 'refused'> {
  const answer = await call.send(token)
  if (answer.outcome === 'unknown' || !isRefused(call, answer)) return answer
  call.refuse(token)
  return 'refused'
}

function isRefused(call: AuthorizedCall, answer: HttpAnswer): boolean {
  return call.isRefused ? call.isRefused(answer) : isUnauthorized(answer)
}

/**
 * Return true if an answer refuses our credentials. The status decides, even if the body is empty, a page or broken
 * off.
 */
export function isUnauthorized({ status }: Pick<HttpAnswer, 'status'>): boolean {
  return status === 401
}

/** The outcome of an order that was certainly not sent. */
export function notSentOrder({ message }: NotSent) {
  return { outcome: 'failed', reason: 'unreachable', message } as const
}

/** The outcome of a purchase that was certainly not sent. */
export function notSentVend({ message }: NotSent) {
  return { outcome: 'failed', reason: 'no_answer', message } as const
}

/** Return the outcome of a query that was certainly not sent: it says nothing about its subject. */
export function notAsked({ message }: NotSent): UnknownOutcome {
  return { outcome: 'unknown', message }
}
