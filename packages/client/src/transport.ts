import { type Duplicate, type ErrorDetails, KusanyaError, messageOf, readRefusal } from './errors.ts'
import { parseJson } from './json.ts'
import { VERSION } from './version.ts'

/** Connection of a client to the service. */
export interface KusanyaOptions {
  /** The address of the service, such as `https://pay.example.com`. */
  url: string
  /** An API key. It is sent to this address only. */
  key: string
  /** Another `fetch`, for example with a proxy. Default: the platform's. */
  fetch?: typeof globalThis.fetch
  /** Time limit of one attempt in milliseconds. Default: 30,000, longer than the service waits for a biller. */
  timeout_ms?: number
  /** Maximum retries of a call that got no answer or was refused for a time. Default: 4; 0 for never. */
  retries?: number
}

/** Options of one call. */
export interface CallOptions {
  /** End the call, with the reason of the signal as its error. */
  signal?: AbortSignal
  timeout_ms?: number
  retries?: number
}

/** Options of a creating call. */
export interface CreateOptions extends CallOptions {
  /**
   * The `Duplicate-Check-Key`. With your own key, such as an order's id, only one call creates an object for 24 hours,
   * even if your program restarts. Default: a random key for each call, shared by all its attempts.
   */
  duplicate_check_key?: string
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Call of the service. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Query
  body?: object
  /** The type of object that it creates, under a `Duplicate-Check-Key`. All other calls may be repeated as they are. */
  creates?:
    | 'collection'
    | 'collectionrequest'
    | 'payment'
    | 'paymentlink'
    | 'requestaction'
    | 'receipt'
    | 'invoice'
    | 'invoicebatch'
    | 'requestbatch'
    | 'contact'
    | 'webhook'
    | 'billpayment'
  /** True if its effect is unknown without an answer. */
  writes?: boolean
  /** The fields of the answer that are amounts of money but JSON numbers. */
  money_fields?: ReadonlySet<string>
  /**
   * Read the object that an attempt of this call created before its answer was lost. Undefined if another call created
   * it.
   */
  readCreated?: (duplicate: Duplicate) => Promise<unknown>
  options?: CreateOptions
}

export interface Transport {
  /** Send a call until it is answered. @throws KusanyaError, or the reason of the caller's signal */
  send(call: Call): Promise<unknown>
  /** Send one GET without repeating it or waiting for the end of its body. @throws errors of fetch */
  open(path: string, query: Query, headers: Record<string, string>, signal: AbortSignal): Promise<Response>
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_RETRIES = 4
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 8_000
/** A longer `Retry-After` is left to the caller. For throttled reads it is up to a minute. */
const MAX_RETRY_AFTER_MS = 65_000
/** Statuses after which another attempt may succeed: of the service, and of proxies in front of it. */
const RETRIED_STATUSES: readonly number[] = [0, 429, 502, 503, 504]

/** Check the options of a client. @throws TypeError */
export function createTransport(options: KusanyaOptions): Transport {
  const base = readBase(options.url)
  if (typeof options.key !== 'string' || !/^[\x21-\x7e]+$/.test(options.key))
    throw new TypeError('`key` must be an API key: a text without blanks.')
  const authorization = `Token ${options.key}`
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const { timeout_ms = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options

  const request = (call: Pick<Call, 'method' | 'path' | 'query'>, init: RequestInit) =>
    // A redirect would be followed as a GET, and would lose the body of a POST.
    fetch(base + call.path + toSearch(call.query), { ...init, method: call.method, redirect: 'manual' })

  async function attempt(call: Call, key: string | undefined, signal: AbortSignal): Promise<unknown> {
    const headers: Record<string, string> = { authorization, accept: 'application/json', 'user-agent': USER_AGENT }
    if (call.body) headers['content-type'] = 'application/json'
    if (key !== undefined) headers['duplicate-check-key'] = key
    const body = call.body && JSON.stringify(call.body)
    let response: Response
    let text: string
    try {
      response = await request(call, { headers, body, signal })
      text = await response.text()
    } catch (cause) {
      const reason = signal.aborted ? 'did not answer in time' : 'did not answer'
      throw errorOf(call, `${call.method} ${call.path}: ${base} ${reason}.`, { cause })
    }
    const answer = readAnswer(text, call.money_fields)
    if (response.ok && answer.is_json) return answer.body
    const details = readRefusal(response, answer.body)
    throw errorOf(call, messageOf(call.method, call.path, details), details)
  }

  return {
    async send(call) {
      const { signal, ...limits } = call.options ?? {}
      // An empty key would protect from nothing.
      if (limits.duplicate_check_key?.trim() === '') throw new TypeError('`duplicate_check_key` must not be empty.')
      const key = call.creates ? (limits.duplicate_check_key ?? crypto.randomUUID()) : undefined
      let is_outcome_unknown = false
      for (let attempts = 1; ; attempts += 1) {
        signal?.throwIfAborted()
        try {
          return await attempt(call, key, withTimeout(signal, limits.timeout_ms ?? timeout_ms))
        } catch (thrown) {
          signal?.throwIfAborted()
          if (!(thrown instanceof KusanyaError)) throw thrown
          // An attempt got no answer, and the key is taken: its object is the one that this call was to create.
          const { duplicate } = thrown
          if (is_outcome_unknown && duplicate && duplicate.type === call.creates && call.readCreated) {
            const created = await call.readCreated(duplicate).catch((unread: unknown) => {
              if (!(unread instanceof KusanyaError) || hasResult(unread)) throw unread
              // It exists, although this key may not read it or no answer came: the call has not failed.
              throw finish(unread, { attempts, duplicate, is_outcome_unknown, duplicate_check_key: key })
            })
            if (created !== undefined) return created
          }
          is_outcome_unknown ||= Boolean(call.creates || call.writes) && isWithoutResult(thrown.status)
          const error = finish(thrown, { attempts, is_outcome_unknown, duplicate_check_key: key })
          if (attempts > (limits.retries ?? retries) || !isWorthRepeating(error)) throw error
          await sleep(waitBefore(attempts, error.retry_after_ms), signal)
        }
      }
    },
    open: (path, query, headers, signal) =>
      request(
        { method: 'GET', path, query },
        { headers: { authorization, 'user-agent': USER_AGENT, ...headers }, signal },
      ),
  }
}

const USER_AGENT = `kusanya-client/${VERSION}`

/** End early when the caller's signal does, with its reason. */
export function sleep(duration_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, duration_ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Wait grow and are spread, so that many clients do not come back at once; never shorter than the service asks. */
export function waitBefore(attempts: number, retry_after_ms = 0): number {
  const growing = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))
  return Math.max(retry_after_ms, growing * (0.5 + Math.random() / 2))
}

/** Return true if the status leaves the effect of a call open. Only a refusal (4xx) proves that it had none. */
function isWithoutResult(status: number): boolean {
  return status < 400 || status >= 500
}

/** Return true for the error of a purchase that has failed: unlike a failed call, it has the result. */
function hasResult({ body }: KusanyaError): boolean {
  return typeof body === 'object' && body !== null && 'data' in body
}

function isWorthRepeating(error: KusanyaError): boolean {
  return RETRIED_STATUSES.includes(error.status) && (error.retry_after_ms ?? 0) <= MAX_RETRY_AFTER_MS
}

function errorOf(call: Call, message: string, details: Omit<ErrorDetails, 'method' | 'path'>): KusanyaError {
  return new KusanyaError(message, { method: call.method, path: call.path, ...details })
}

function finish(error: KusanyaError, more: Partial<ErrorDetails>): KusanyaError {
  const finished = new KusanyaError(error.message, { ...error, cause: error.cause, ...more })
  if (error.stack !== undefined) finished.stack = error.stack
  return finished
}

function withTimeout(signal: AbortSignal | undefined, timeout_ms: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeout_ms)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

function readAnswer(text: string, money_fields?: ReadonlySet<string>): { is_json: boolean; body: unknown } {
  try {
    return { is_json: true, body: parseJson(text, money_fields) }
  } catch {
    return { is_json: false, body: text }
  }
}

/** The address without a slash at its end. @throws TypeError */
function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError('`url` must be the address of the service, such as https://pay.example.com.')
  let end = url.href.length
  while (url.href[end - 1] === '/') end -= 1
  return url.href.slice(0, end)
}

function toSearch(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
