import { NO_PERMISSION, NOT_FOUND } from '../src/core/refusals.ts'
import { t } from './texts/index.ts'
import { translateMessage } from './texts/messages.ts'

/** An error answer of the service, or a request that got no answer. */
export class ApiError extends Error {
  /** The HTTP status; 0 when the service could not be reached. */
  readonly status: number
  /** The messages of each wrong field; `non_field_errors` has those without a field. */
  readonly fields: Record<string, string[]>
  /** Seconds to wait before the next request, if the service wants fewer of them. */
  readonly retry_after_seconds: number | undefined
  constructor(status: number, message: string, fields: Record<string, string[]> = {}, retry_after_seconds?: number) {
    super(message)
    this.status = status
    this.fields = fields
    this.retry_after_seconds = retry_after_seconds
  }
}

export function unreachableError(): ApiError {
  return new ApiError(0, t('parts.unreachable'))
}

/** Return true if the service was unreachable or failed, so that earlier data is still worth showing. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** Return true if there is no such object, or its id in the address of the page is no id. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 404 || (error.status === 400 && Object.keys(error.fields).join() === 'id')
}

/** A page of a list, as the service answers it. */
export interface List<Row> {
  count: number
  results: Row[]
  /** Number of the newest rows in which parts of a typed text were looked for. Null: all rows, or no search. */
  searched_rows?: number | null
}

export type Query = Record<string, string | number | undefined>

/**
 * Call the service. Paths follow the interface without `/api`: `/collectionrequests` is `/api/collectionrequests` for
 * an API client. @throws ApiError
 */
export const api = {
  get: <T>(path: string, query: Query = {}) => send<T>('GET', path + queryText(query)),
  post: <T>(path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    send<T>('POST', path, body, headers),
  postOnce,
  put: <T>(path: string, body: unknown = {}) => send<T>('PUT', path, body),
  patch: <T>(path: string, body: unknown = {}) => send<T>('PATCH', path, body),
  delete: <T>(path: string, body: unknown = {}) => send<T>('DELETE', path, body),
  file,
}

/** Contents that were sent with a key and got no answer. */
const unanswered = new Map<string, Set<string>>()

/**
 * Make something once for each key, however often it is sent: an answer that was lost must not make a person pay twice.
 * @returns undefined if a call with this key has made it before
 * @throws ApiError if the body was changed since that call: the change was not sent
 */
async function postOnce<T>(
  path: string,
  body: unknown,
  key: string,
  headers: Record<string, string> = {},
): Promise<T | undefined> {
  const content = JSON.stringify([path, body])
  const sent = unanswered.get(key) ?? new Set()
  try {
    return await send<T>('POST', path, body, { ...headers, 'duplicate-check-key': key })
  } catch (error) {
    if (isOutage(error)) unanswered.set(key, sent.add(content))
    if (!(error instanceof ApiError && error.status === 409)) throw error
    if ([...sent].every((one) => one === content)) return undefined
    throw new ApiError(error.status, t('parts.sent_before'))
  }
}

/**
 * Read a file that the service writes, with the name that the service gives it.
 * @throws ApiError, with the message of the first field that is wrong
 */
async function file(path: string, query: Query): Promise<{ name: string | undefined; content: Blob }> {
  const response = await fetch(`/console/api${path}${queryText(query)}`, { headers: shown_for }).catch(() => {
    throw unreachableError()
  })
  if (response.ok)
    return { name: nameIn(response.headers.get('content-disposition') ?? ''), content: await response.blob() }
  const error = readError(response, await response.json().catch(() => undefined))
  const [messages] = Object.values(error.fields)
  throw messages ? new ApiError(error.status, messages.join(' '), error.fields) : error
}

/** Read the name of a file from its header, in any script (RFC 6266). */
function nameIn(disposition: string): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /filename=(?:"([^"]*)"|([^;"]+))/i.exec(disposition) ?? []
  return encoded === undefined ? (quoted ?? plain) : decodeURIComponent(encoded)
}

/** A key for `postOnce`. `crypto.randomUUID` is missing on pages that came over http. */
export function newDuplicateKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Format a query such as `?status=failed&limit=20`, without empty values. */
export function queryText(query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

/** Headers with the person and the organization for whom the page is shown. */
let shown_for: Record<string, string> = {}

/**
 * Say for whom the page is shown from now on. Windows share a session, so another window may have changed it: the service then refuses
 * calls of this one (src/console/guard.ts).
 */
export function callFor(user: number | undefined, organization: number | undefined): void {
  shown_for = user && organization ? { 'kusanya-shown-for': `${user}/${organization}` } : {}
}

/** Let a person confirm who it is, and send a call again with the confirmation. */
type AskConfirmation = (send: (confirmation: object) => Promise<unknown>) => Promise<unknown>
let askConfirmation: AskConfirmation | undefined

/**
 * Say how a person confirms calls that the service refuses without a password, code or passkey; undefined: not at all.
 */
export function confirmCallsWith(ask: AskConfirmation | undefined): void {
  askConfirmation = ask
}

/** Return true if the service wants a confirmation (src/console/access/confirmation.ts) that the body lacks. */
function wantsConfirmation({ status, fields }: ApiError, body: unknown): body is object {
  if (status !== 400 || !Object.hasOwn(fields, 'password') || typeof body !== 'object' || body === null) return false
  return !['password', 'code', 'passkey'].some((name) => name in body)
}

async function send<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  is_led = false,
): Promise<T> {
  const response = await fetch(`/console/api${path}`, {
    method,
    // Pages of other sites cannot set this header (src/console/guard.ts).
    headers: {
      'x-requested-with': 'console',
      ...shown_for,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw unreachableError()
  })
  const answer = await response.json().catch(() => undefined)
  if (response.ok) return answer as T
  // The answer has set the cookie by which the load balancer finds the right cell.
  if (response.status === MISDIRECTED && !is_led) return send(method, path, body, headers, true)
  const error = readError(response, answer)
  if (!askConfirmation || !wantsConfirmation(error, body)) throw error
  // Faults of the form come first.
  const { password: _, ...others } = error.fields
  if (Object.keys(others).length > 0) throw new ApiError(error.status, t('parts.check_fields'), others)
  const again = (confirmation: object) => send(method, path, { ...body, ...confirmation }, headers)
  return (await askConfirmation(again)) as T
}

/** Status of a call that belongs to another cell, which has done nothing. */
const MISDIRECTED = 421

function readError(response: Response, answer: unknown): ApiError {
  const fields = Object.fromEntries(
    Object.entries((answer ?? {}) as Record<string, unknown>).flatMap(([name, messages]) =>
      Array.isArray(messages) ? [[name, messages.map(readMessage)]] : [],
    ),
  )
  const detail = readMessage((answer as { detail?: unknown } | undefined)?.detail)
  const message = typeof detail === 'string' ? detail : (fields.non_field_errors?.join(' ') ?? t('parts.check_fields'))
  const retry_after = Number(response.headers.get('retry-after')) || undefined
  return new ApiError(response.status, errorMessage(response, detail) ?? message, fields, retry_after)
}

/** Translate a message. Some lists of an error have other things, such as objects. */
function readMessage<Item>(item: Item): Item | string {
  return typeof item === 'string' ? translateMessage(item) : item
}

/** A message for people that replaces the service's message for programs. */
function errorMessage({ status, headers }: Response, detail: unknown): string | undefined {
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'))
    return seconds > 0 ? t('parts.throttled', { count: seconds }) : t('parts.throttled_shortly')
  }
  if (status >= 500 && !detail) return t('parts.service_failed')
  if (status === 403 && detail === NO_PERMISSION) return t('parts.problem.refused_text')
  if (status === 404 && detail === NOT_FOUND) return t('parts.problem.missing_text')
  return undefined
}
