/** The object that an earlier request with the same `Duplicate-Check-Key` has created. */
export interface Duplicate {
  /** Such as `collectionrequest`, `payment` or `billpayment`. */
  type: string
  id: number
}

/** Details of an error besides its message. */
export interface ErrorDetails {
  method: string
  path: string
  status?: number
  detail?: string
  fields?: Record<string, string[]>
  code?: string
  duplicate?: Duplicate
  request_id?: string
  retry_after_ms?: number
  attempts?: number
  is_outcome_unknown?: boolean
  duplicate_check_key?: string
  body?: unknown
  cause?: unknown
}

/** Failed call: the service has refused it, or has not answered. */
export class KusanyaError extends Error {
  override readonly name = 'KusanyaError'
  readonly method: string
  readonly path: string
  /** The status of the answer; 0 if there was none. */
  readonly status: number
  /** Message of the service, if it concerns no single field. */
  readonly detail: string | undefined
  /** The invalid fields, each with its messages; empty if no field is invalid. */
  readonly fields: Readonly<Record<string, string[]>>
  /** The code of a bill payment's error, such as `BX0003`. */
  readonly code: string | undefined
  /** Object that the first request with this key created, with 409. */
  readonly duplicate: Duplicate | undefined
  /** The id of the request in the log of the service. */
  readonly request_id: string | undefined
  /** Wait that the service requests. */
  readonly retry_after_ms: number | undefined
  /** Number of attempts. */
  readonly attempts: number
  /**
   * True if a call that writes may have had its effect although it failed, because an attempt of it got no readable answer. Never
   * treat it as failed: repeat it with the same `duplicate_check_key`, or look for the object.
   */
  readonly is_outcome_unknown: boolean
  /** The `Duplicate-Check-Key` that the call had. */
  readonly duplicate_check_key: string | undefined
  /** The parsed body of the answer, or its text. */
  readonly body: unknown

  constructor(message: string, details: ErrorDetails) {
    super(message, { cause: details.cause })
    this.method = details.method
    this.path = details.path
    this.status = details.status ?? 0
    this.detail = details.detail
    this.fields = details.fields ?? {}
    this.code = details.code
    this.duplicate = details.duplicate
    this.request_id = details.request_id
    this.retry_after_ms = details.retry_after_ms
    this.attempts = details.attempts ?? 1
    this.is_outcome_unknown = details.is_outcome_unknown ?? false
    this.duplicate_check_key = details.duplicate_check_key
    this.body = details.body
  }
}

/** Read an answer that is an error. `body` is its parsed JSON, or its text. */
export function readRefusal(response: Response, body: unknown): Omit<ErrorDetails, 'method' | 'path'> {
  const object = isObject(body) ? body : {}
  const { detail, message, code, type, id, request_id } = object
  const words = [detail, message].find((text) => typeof text === 'string') as string | undefined
  return {
    status: response.status,
    detail: words,
    fields: readFields(object),
    code: typeof code === 'string' ? code : undefined,
    duplicate: response.status === 409 && typeof type === 'string' && typeof id === 'number' ? { type, id } : undefined,
    request_id: typeof request_id === 'string' ? request_id : (response.headers.get('x-request-id') ?? undefined),
    retry_after_ms: readRetryAfter(response.headers.get('retry-after')),
    body,
  }
}

/** Return the message of an error in one line: the service's message, or its status. */
export function messageOf(method: string, path: string, details: Omit<ErrorDetails, 'method' | 'path'>): string {
  const fields = Object.entries(details.fields ?? {}).map(([name, messages]) => `${name}: ${messages.join(' ')}`)
  const nothing = (details.status ?? 0) < 400 ? 'The answer is no JSON.' : 'The service gave no reason.'
  const words = fields.length > 0 ? fields.join(' ') : (details.detail ?? nothing)
  return `${method} ${path}: ${details.status} ${words}`
}

/** Field errors of the core (`{amount: ["…"]}`) and of bill payments (`errors: {amount: {message: "…"}}`). */
function readFields(body: Record<string, unknown>): Record<string, string[]> {
  const of_bills = isObject(body.errors) ? body.errors : {}
  const core = Object.entries(body).filter(([, value]) => Array.isArray(value) && value.every(isString)) as [
    string,
    string[],
  ][]
  const bills = Object.entries(of_bills).flatMap(([name, value]): [string, string[]][] =>
    isObject(value) && isString(value.message) ? [[name, [value.message]]] : [],
  )
  return Object.fromEntries([...core.filter(([, messages]) => messages.length > 0), ...bills])
}

/** A `Retry-After` in milliseconds: seconds or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const wait_ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(wait_ms) ? undefined : Math.max(0, wait_ms)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
