import { STATUS_CODES } from 'node:http'
import { type BillCode, BillRefusal } from '../core/bills/refusals.ts'
import { ContactInUse } from '../core/contacts/erasure.ts'
import {
  Duplicate,
  type FieldErrors,
  Forbidden,
  Invalid,
  Malformed,
  NotFound,
  Refusal,
  Throttled,
  Unauthenticated,
  Unavailable,
} from '../core/refusals.ts'
import { CommitUnknown, isConnectionError } from '../db/client.ts'
import { billStatuses } from './bill-errors.ts'

/** The method is not offered at this address; `allow` lists those that are. */
export class MethodNotAllowed extends Refusal {
  readonly allow: string
  constructor(method: string, allow: string) {
    super(`Method "${method}" not allowed.`)
    this.allow = allow
  }
}

/** The caller's Accept header leaves out JSON. */
export class NotAcceptable extends Refusal {
  constructor() {
    super('Could not satisfy the request Accept header.')
  }
}

/** The body is in a form that the interface does not take. */
export class UnsupportedMedia extends Refusal {
  constructor(content_type: string) {
    super(`Unsupported media type "${content_type}" in request.`)
  }
}

/** The body is over the limit. */
export class TooLarge extends Refusal {
  constructor() {
    super('The request body is larger than 1 MB.')
  }
}

/** How long a caller waits before asking a service again that lost its database. */
const OUTAGE_RETRY_S = 5

/** What a caller is told: a status, headers and the words, before they are put into a dialect. */
export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  detail: string
  fields?: FieldErrors
  /** The code that the bill counter gave its refusal. */
  code?: BillCode
  /** Further members of the body, such as the object that a duplicate names. */
  extra_fields?: Record<string, unknown>
}

type RefusalClass = abstract new (...args: never[]) => Refusal

/** The one table that gives refusals their statuses (interface section 7). */
const statuses: [RefusalClass, number][] = [
  [Invalid, 400],
  [Malformed, 400],
  [Unauthenticated, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [MethodNotAllowed, 405],
  [NotAcceptable, 406],
  [Duplicate, 409],
  [ContactInUse, 409],
  [TooLarge, 413],
  [UnsupportedMedia, 415],
  [Throttled, 429],
  [Unavailable, 503],
]

/**
 * Says what a caller is told about an error. Refusals speak for themselves; an unreachable database is 503; everything
 * else is a fault, of which nothing internal leaves. `content_type` is that of the request.
 */
export function errorAnswerFor(error: unknown, content_type = ''): ErrorAnswer & { fault: boolean } {
  const refusal = error instanceof Refusal ? error : refusalFor(error, content_type)
  if (!refusal) return { status: 500, headers: {}, detail: 'An unexpected error has occurred.', fault: true }
  const code = refusal instanceof BillRefusal ? refusal.code : undefined
  const status = code ? billStatuses[code] : (statuses.find(([type]) => refusal instanceof type)?.[1] ?? 400)
  return {
    status,
    headers: headersFor(refusal, status),
    detail: refusal.message,
    fields: refusal instanceof Invalid || refusal instanceof BillRefusal ? refusal.fields : undefined,
    code,
    extra_fields: refusal instanceof Duplicate && refusal.id > 0 ? { type: refusal.type, id: refusal.id } : undefined,
    fault: status === 503 && !(error instanceof Refusal),
  }
}

/** The core dialect: `detail`, or each faulty field with its messages. */
export function detailErrorBody(answer: ErrorAnswer, request_id: string): Record<string, unknown> {
  if (answer.fields) return answer.fields
  if (answer.status === 500) return { detail: answer.detail, request_id }
  return { detail: answer.detail, ...answer.extra_fields }
}

function headersFor(refusal: Refusal, status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': refusal instanceof BillRefusal ? 'Api-key' : 'Token' }
  if (refusal instanceof MethodNotAllowed) return { allow: refusal.allow }
  if (refusal instanceof Throttled || refusal instanceof Unavailable)
    return { 'retry-after': String(refusal.retry_after_s) }
  return {}
}

/** Errors of the libraries below that are the caller's doing or an outage, in our own words. */
function refusalFor(error: unknown, content_type: string): Refusal | undefined {
  if (isRequestAborted(error)) return new Malformed('The request was cut short.')
  if (error instanceof CommitUnknown || isConnectionError(error))
    return new Unavailable('The service is temporarily unavailable.', OUTAGE_RETRY_S)
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new UnsupportedMedia(content_type)
  if (code?.startsWith('FST_ERR_') && statusCode !== undefined && statusCode < 500)
    return new Malformed(STATUS_CODES[statusCode] ?? 'Bad Request')
  return undefined
}

/** A caller who hangs up is no outage. Fastify gives 400 to what goes wrong while it reads a body. */
function isRequestAborted(error: unknown): boolean {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  return code === 'ECONNRESET' && statusCode === 400
}
