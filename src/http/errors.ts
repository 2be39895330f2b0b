import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type BillCode, BillRefusal } from '../core/bills/refusals.ts'
import { ContactInUse } from '../core/contacts/erasure.ts'
import { movingRefusal } from '../core/moves.ts'
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
  WrongCell,
} from '../core/refusals.ts'
import { isUnavailable } from '../db/client.ts'
import { isDiskFull, isMoving } from '../db/failures.ts'
import { getMessage } from '../lib/messages/message.ts'
import { billStatuses } from './bill-errors.ts'

/** The method is not offered at this address; `allow` lists those that are. */
export class MethodNotAllowed extends Refusal {
  readonly allow: string
  constructor(method: string, allow: string) {
    super(getMessage('service.method', { method }))
    this.allow = allow
  }
}

/** The caller's Accept header does not allow the media type of the response. */
export class NotAcceptable extends Refusal {
  constructor() {
    super(getMessage('service.accept'))
  }
}

/** The media type of the body is not supported. */
export class UnsupportedMedia extends Refusal {
  constructor(content_type: string) {
    super(getMessage('service.media_type', { type: content_type }))
  }
}

/** The body is in a coding, such as gzip, that is not read. */
export class UnsupportedEncoding extends Refusal {
  constructor(coding: string) {
    super(getMessage('service.encoding', { coding }))
  }
}

/** The body is larger than its address allows. @param limit in bytes */
export class TooLarge extends Refusal {
  constructor(limit: number) {
    super(getMessage('service.large_body', { size: limit >= 1_048_576 ? `${limit >> 20} MB` : `${limit >> 10} kB` }))
  }
}

/** The body did not arrive in the time that its address allows. */
export class BodyTimeout extends Refusal {
  constructor() {
    super(getMessage('service.slow_body'))
  }
}

/** Message when nothing can be stored. Room on a disk does not come back within seconds. */
export const DISK_FULL = getMessage('service.disk_full')
export const DISK_RETRY_S = 60

/** Retry-After while the service has no database. */
const OUTAGE_RETRY_S = 5

/** An error response before it gets the format of its part of the interface. */
export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  detail: string
  fields?: FieldErrors
  /** The code of a bill-payment refusal. */
  code?: BillCode
  /** Further members of the body: type and id of the first object, when the request is a duplicate; its cell, when it came to a wrong one. */
  extra_fields?: Record<string, unknown>
}

type RefusalClass = abstract new (...args: never[]) => Refusal

/** The status of each class of refusal (interface section 7). */
const statuses: [RefusalClass, number][] = [
  [Invalid, 400],
  [Malformed, 400],
  [Unauthenticated, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [MethodNotAllowed, 405],
  [NotAcceptable, 406],
  [BodyTimeout, 408],
  [Duplicate, 409],
  [ContactInUse, 409],
  [TooLarge, 413],
  [UnsupportedMedia, 415],
  [UnsupportedEncoding, 415],
  [WrongCell, 421],
  [Throttled, 429],
  [Unavailable, 503],
]

/**
 * Make the error response for an error. Refusals keep their own message; an unreachable database is 503; all other
 * errors are 500 and show nothing internal.
 * @param request the request, for messages that name its Content-Type or the limit of its body.
 * @returns the response, and whether the error is to be logged as an error of the service.
 */
export function errorAnswerFor(
  error: unknown,
  request?: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
): ErrorAnswer & { is_service_error: boolean } {
  const refusal = error instanceof Refusal ? error : refusalFor(error, request)
  if (!refusal) return { status: 500, headers: {}, detail: getMessage('service.unexpected'), is_service_error: true }
  const code = refusal instanceof BillRefusal ? refusal.code : undefined
  const status = code ? billStatuses[code] : (statuses.find(([type]) => refusal instanceof type)?.[1] ?? 400)
  return {
    status,
    headers: headersFor(refusal, status),
    detail: refusal.message,
    fields: refusal instanceof Invalid || refusal instanceof BillRefusal ? refusal.fields : undefined,
    code,
    extra_fields: extraFieldsOf(refusal),
    is_service_error: status === 503 && !(error instanceof Refusal || isMoving(error)),
  }
}

function extraFieldsOf(refusal: Refusal): Record<string, unknown> | undefined {
  if (refusal instanceof WrongCell) return { cell: refusal.cell }
  return refusal instanceof Duplicate && refusal.id > 0 ? { type: refusal.type, id: refusal.id } : undefined
}

/** The error body of the core interface: `detail`, or each invalid field with its messages. */
export function detailErrorBody(answer: ErrorAnswer, request_id: string): Record<string, unknown> {
  if (answer.fields) return answer.fields
  if (answer.status === 500) return { detail: answer.detail, request_id }
  return { detail: answer.detail, ...answer.extra_fields }
}

function headersFor(refusal: Refusal, status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': refusal instanceof BillRefusal ? 'Api-key' : 'Token' }
  if (refusal instanceof MethodNotAllowed) return { allow: refusal.allow }
  if (refusal instanceof UnsupportedEncoding) return { 'accept-encoding': 'identity' }
  if (refusal instanceof Throttled || refusal instanceof Unavailable)
    return { 'retry-after': String(refusal.retry_after_s) }
  return {}
}

/** The refusal for an error of a library that the caller or an outage caused; undefined for all other errors. */
function refusalFor(
  error: unknown,
  request: Pick<FastifyRequest, 'headers' | 'routeOptions'> | undefined,
): Refusal | undefined {
  if (isRequestAborted(error)) return new Malformed(getMessage('service.incomplete_body'))
  if (isMoving(error)) return movingRefusal()
  if (isDiskFull(error)) return new Unavailable(DISK_FULL, DISK_RETRY_S)
  if (isUnavailable(error)) return new Unavailable(getMessage('service.unavailable'), OUTAGE_RETRY_S)
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge(request?.routeOptions.bodyLimit ?? 0)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new UnsupportedMedia(request?.headers['content-type'] ?? '')
  if (code?.startsWith('FST_ERR_') && statusCode !== undefined && statusCode < 500)
    return new Malformed(STATUS_CODES[statusCode] ?? 'Bad Request')
  return undefined
}

/** Return true if the caller closed the connection while Fastify read the body; Fastify then sets status 400. */
function isRequestAborted(error: unknown): boolean {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  return code === 'ECONNRESET' && statusCode === 400
}
