import { shortenWords } from '../../drivers/words.ts'
import type { SmsFailureReason, UnknownOutcome } from '../../lib/adapter-types.ts'
import type { HttpAnswer } from '../../lib/http/http-call.ts'
import { readRetryAfter } from '../../lib/http/outgoing-http.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readSenderPhone } from '../../lib/phone.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import type { SmsAnswer } from '../contract.ts'

/*
 * Common parts of the drivers for SMS providers with an HTTP interface.
 */

/** Meaning of a provider's code for an SMS that it refuses. */
export interface Refusal {
  reason: SmsFailureReason
  /** Sentence for people. */
  message: string
  /** True if another try at this provider may succeed. */
  retry?: boolean
  /** Minimum seconds before another try. */
  retry_after_s?: number
  /** Repair that the operator must make. */
  repair?: string
}

/** Long wait, for a fault that a person must repair first. */
export const REPAIR_WAIT_S = 900

/** Maximum characters of a provider's own words that are stored and shown. */
const MAX_WORDS = 200
/** A shorter word is no secret, and may be a part of many others. */
const MIN_SECRET_CHARACTERS = 6

/**
 * Make the function that prepares a text of a provider for storing and showing: on one line, cut, and without the
 * secrets of the connection, which providers quote when they refuse them.
 */
export function createWords(secrets: readonly (string | undefined)[]): (text: string | null | undefined) => string {
  const long = secrets.filter((secret) => secret !== undefined && secret.length >= MIN_SECRET_CHARACTERS) as string[]
  const longest_first = [...new Set(long)].sort((a, b) => b.length - a.length)
  return (text) => {
    const masked = longest_first.reduce((rest, secret) => rest.replaceAll(secret, '***'), text ?? '')
    return shortenWords(masked, MAX_WORDS)
  }
}

export function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

/** Return true for a status without an answer to the call: a redirect, a time-out, a fault of the provider. */
export function isUnusable(status: number): boolean {
  return status < 200 || (status >= 300 && status < 400) || status === 408 || status >= 500
}

/** The outcome of an answer in which the driver recognizes nothing: the provider may have sent the SMS. */
export function unrecognized(provider: string, status: number, words = ''): UnknownOutcome {
  const said = words && `: ${words}`
  if (isUnusable(status) || status === 429)
    return unknown(getMessage('sms.answered_http', { provider, code: status, said }))
  return unknown(getMessage('sms.answer_cannot_understood', { provider, code: status, said }))
}

/** The provider refuses an SMS for a reason that it names. */
export function refused(refusal: Refusal, code: string): SmsAnswer {
  const { reason, message, retry = false, retry_after_s } = refusal
  return {
    outcome: 'failed',
    reason,
    message: `${message} (${code})`,
    code,
    retry,
    ...(retry_after_s !== undefined && { retry_after_s }),
  }
}

/** The provider wants no calls for some time: it has not taken the SMS. */
export function throttled(provider: string, answer: HttpAnswer, now: Date): SmsAnswer {
  const retry_after_s = readRetryAfter(answer.headers.get('retry-after') ?? undefined, now)
  return {
    outcome: 'failed',
    reason: 'throttled',
    code: String(answer.status),
    retry: true,
    message: getMessage('sms.gets_too_many', { provider }),
    ...(retry_after_s !== null && { retry_after_s }),
  }
}

/** A number as providers write it, in E.164. Undefined for a sender id, a short code, or a number without its country. */
export function toE164(text: string | undefined): string | undefined {
  return readSenderPhone(text ?? '')
}

/** An address below a host of a connection. Hosts may change while a connection is open. */
export function endpoint(host: string | undefined, path: string): string {
  return withoutTrailing(host ?? '', '/') + path
}

/** Our reference at the beginning of the path of a callback: `/<reference>/report`. */
export function referenceIn(path: string): string | undefined {
  return /^\/([0-9A-Za-z]{24})(?:\/|$)/.exec(path)?.[1]
}
