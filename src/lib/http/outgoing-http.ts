import { isIP } from 'node:net'
import { type Connection, type ConnectionKind, type Connections, createConnections } from './outgoing-connections.ts'
import {
  asLookupFunction,
  createAddressLookup,
  PrivateAddress,
  type Resolve,
  Unresolved,
  withoutBrackets,
} from './reach.ts'

/** Reason why the call failed, in one word. `status`: the answer has a status other than 2xx. */
type HttpFailure = 'timeout' | 'tls' | 'refused' | 'private_address' | 'too_large' | 'status'

/** The result of one POST to an address that a customer chose. `failure` is null for any 2xx. */
export interface HttpResult {
  failure: HttpFailure | null
  status: number | null
  remote_address: string | null
  duration_ms: number
  headers: Record<string, string> | null
  /** The first 4 kB of the answer, as text; null when there was no answer. */
  body: string | null
}

export interface HttpClientOptions {
  /** Returns true if a connection to this IP address is allowed. */
  allowsAddress(address: string): boolean
  /** The time limit for everything together: DNS, connection, TLS, answer. */
  timeout_ms: number
  /** True if targets may also use plain http. Only for a developer's machine. */
  allow_plain_http?: boolean
  /** Looks up names. By default the system's DNS; tests replace it. */
  resolve?: Resolve | undefined
}

export interface HttpClient {
  /**
   * Posts a body over https (and http if that is allowed) and reads up to 64 kB of the answer. Redirects are not
   * followed. It never rejects. The address that was checked is also the address of the connection, so a change of the
   * DNS name in between has no effect.
   * @param verify true if the certificate must be valid
   * @param timeout_ms the time limit of this call, if not the client's
   */
  post(
    target: URL,
    headers: Record<string, string>,
    body: string,
    verify: boolean,
    timeout_ms?: number,
  ): Promise<HttpResult>
  /** Looks up a host now, and returns true if its addresses are allowed. */
  checkHost(hostname: string): Promise<boolean>
  /** Ends all connections. A call that is under way fails. */
  close(): void
}

const NO_RESPONSE = { status: null, remote_address: null, headers: null, body: null }
const MAX_READ_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 4 * 1024

/**
 * Creates a client for addresses that customers chose. It reuses connections. Connections with a verified certificate
 * are separate from the others.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const lookUp = createAddressLookup(options.allowsAddress, options.resolve)
  const connections = createConnections(asLookupFunction(lookUp))

  return {
    async post(target, headers, body, verify, timeout_ms = options.timeout_ms) {
      const started_ms = performance.now()
      const passed_ms = () => Math.round(performance.now() - started_ms)
      const host = withoutBrackets(target.hostname)
      // A numeric address needs no look-up, so it is checked here.
      if (isIP(host) && !options.allowsAddress(host))
        return { ...NO_RESPONSE, failure: 'private_address', duration_ms: 0 }
      const is_plain = options.allow_plain_http === true && target.protocol === 'http:'
      if (!is_plain && target.protocol !== 'https:')
        throw new TypeError(`Protocol "${target.protocol}" not supported. Expected "https:"`)
      const kind = is_plain ? 'plain' : verify ? 'verified' : 'unverified'
      const call: HttpCall = { target, kind, body, headers: withCredentials(headers, target) }
      for (;;) {
        const sent = await sendOnce(connections, call, Math.max(timeout_ms - passed_ms(), 0))
        // The server may close an idle connection at the moment when we use it. The target can still be healthy.
        if (sent !== 'stale') return { ...sent, duration_ms: passed_ms() }
      }
    },
    async checkHost(hostname) {
      try {
        await lookUp(withoutBrackets(hostname))
        return true
      } catch {
        return false
      }
    },
    close: connections.dropAll,
  }
}

/** The seconds of a Retry-After header, which is a number or a date (RFC 9110). Null when it is not readable. */
export function readRetryAfter(header: string | undefined, real: Date): number | null {
  if (header === undefined) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header)
  // Date.parse accepts texts that are not HTTP dates, such as -5.
  const retry_at_ms = /^\s*[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(retry_at_ms) ? null : Math.max(0, Math.ceil((retry_at_ms - real.getTime()) / 1_000))
}

interface HttpCall {
  target: URL
  kind: ConnectionKind
  headers: Record<string, string>
  body: string
}

/** Adds the user and the password of the address. */
function withCredentials(headers: Record<string, string>, { username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return headers
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return headers
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

type CallResult = Omit<HttpResult, 'duration_ms'>

/** Received part of the answer. */
interface Answer {
  status: number | null
  headers: Record<string, string> | null
  chunks: Buffer[]
  size: number
}

/** Makes one try on one connection. `stale`: the server had closed a reused connection before it answered. */
function sendOnce(connections: Connections, call: HttpCall, left_ms: number): Promise<CallResult | 'stale'> {
  const { target, kind, headers, body } = call
  return new Promise((resolve, reject) => {
    const connection = connections.take(target.origin, kind)
    const answer: Answer = { status: null, headers: null, chunks: [], size: 0 }
    let has_ended = false
    /** The first end counts. Dropping the connection causes another one. */
    const end = (settle: () => void, leave: Connections['drop']) => {
      if (has_ended) return
      has_ended = true
      clearTimeout(timer)
      settle()
      leave(connection)
    }
    const finish = (failure: HttpFailure | null, leave = connections.drop) =>
      end(() => resolve(toCallResult(connection, answer, failure)), leave)
    const finishByStatus = (leave: Connections['drop']) => finish(isSuccess(answer.status!) ? null : 'status', leave)
    const timer = setTimeout(() => finish('timeout'), left_ms)
    connection.client.dispatch(
      { method: 'POST', path: `${target.pathname}${target.search}`, headers, body },
      {
        onRequestStart() {},
        onResponseStarted() {
          connection.has_begun = true
        },
        onResponseStart(_, status, received) {
          // Others come before the answer.
          if (status >= 200) Object.assign(answer, { status, headers: readableHeaders(received) })
        },
        onResponseData(_, chunk) {
          if (answer.size < MAX_KEPT_BYTES) answer.chunks.push(chunk)
          answer.size += chunk.length
          if (answer.size > MAX_READ_BYTES) finishByStatus(connections.drop)
        },
        onResponseEnd: () => finishByStatus(connections.release),
        onResponseError(_, error: NodeJS.ErrnoException) {
          if (error.code === 'UND_ERR_INVALID_ARG') end(() => reject(error), connections.drop)
          else if (isStale(connection, error)) end(() => resolve('stale'), connections.drop)
          else finish(failureOf(error, connection))
        },
      },
    )
  })
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** `UND_ERR_SOCKET`: the server has closed the connection without an error. */
const STALE_CONNECTION_CODES = new Set<string | undefined>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** True if the server has closed a reused connection before it answered. */
function isStale({ is_reused, has_begun }: Connection, { code }: NodeJS.ErrnoException): boolean {
  return is_reused && !has_begun && STALE_CONNECTION_CODES.has(code)
}

function toCallResult(
  { address }: Connection,
  { status, headers, chunks }: Answer,
  failure: HttpFailure | null,
): CallResult {
  const start = Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES)
  return { failure, status, remote_address: address, headers, body: status === null ? null : readableText(start) }
}

function failureOf(error: NodeJS.ErrnoException, { phase }: Connection): HttpFailure {
  // Same message for both, so that nobody learns the names of the inner network.
  if (error instanceof PrivateAddress || error instanceof Unresolved) return 'private_address'
  if (error.code === 'UND_ERR_HEADERS_OVERFLOW' || error.code === 'HPE_HEADER_OVERFLOW') return 'too_large'
  return phase === 'securing' ? 'tls' : 'refused'
}

/** Replaces NUL, the only character that PostgreSQL does not accept. */
function readableText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

/** Headers that count with their first value. The values of others are joined, as node:http does. */
const SINGLE_HEADERS = new Set(
  `age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified
  location max-forwards proxy-authorization referer retry-after server user-agent`.split(/\s+/),
)

function readableHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const readable: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    readable[name] = name === 'set-cookie' ? '***' : joinValues(name, value)
  return readable
}

function joinValues(name: string, values: string | string[] | undefined): string {
  if (!Array.isArray(values)) return withoutTrailingSpaces(values ?? '')
  const trimmed = values.map(withoutTrailingSpaces)
  return SINGLE_HEADERS.has(name) ? trimmed[0]! : trimmed.join(name === 'cookie' ? '; ' : ', ')
}

/** The parser of undici leaves the spaces and tabs after a value. */
function withoutTrailingSpaces(value: string): string {
  let end = value.length
  while (value[end - 1] === ' ' || value[end - 1] === '\t') end -= 1
  return end === value.length ? value : value.slice(0, end)
}
