import { promises as dns, type LookupAddress } from 'node:dns'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'

/** Why no answer came, in one word. `status` is an answer that was no success. */
export type HttpFailure = 'timeout' | 'dns' | 'tls' | 'refused' | 'private_address' | 'too_large' | 'status'

/** One POST to a stranger, and what became of it. `failure` is null for any 2xx. */
export interface HttpResult {
  failure: HttpFailure | null
  status: number | null
  remote_address: string | null
  duration_ms: number
  headers: Record<string, string> | null
  /** The first 4 kB of the answer, as text; null when none came. */
  body: string | null
}

export interface HttpClientOptions {
  /** Whether a connection to this IP address may be made. */
  allowsAddress(address: string): boolean
  /** The time for everything together: DNS, connection, TLS, answer. */
  timeout_ms: number
  /** Whether targets may be plain http, too: on a developer's machine only. */
  allow_plain_http?: boolean
  /** Where names are looked up; the system's DNS unless a test says otherwise. */
  resolve?(hostname: string): Promise<LookupAddress[]>
}

export interface HttpClient {
  /**
   * Posts a body over https (and http where that is allowed) and reads the answer, up to 64 kB of it. Redirects are not followed. Resolves in every case.
   * The address that is checked is the one that is connected to, so a name that changes in between leads nowhere else.
   */
  post(target: URL, headers: Record<string, string>, body: string, verify: boolean): Promise<HttpResult>
  /** Whether a host may be called at all: looked up now, and looked at. */
  checkHost(hostname: string): Promise<'allowed' | 'private_address' | 'dns'>
  close(): void
}

const NO_RESPONSE = { status: null, remote_address: null, headers: null, body: null }
const MAX_READ_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 4 * 1024
/** Idle connections are kept this long; most servers keep them for about as long. */
const IDLE_TIMEOUT_MS = 30_000
/** How long one of a host's addresses may take to connect before the next is tried; Node's own 250 ms is too short for far ones. */
const CONNECT_TIMEOUT_PER_ADDRESS_MS = 1_500

/** A client for addresses that strangers chose. Connections are kept alive, apart for those whose certificate counts. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const lookUp = createLookup(options.resolve ?? resolveHost, options.allowsAddress)
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    lookUp(hostname).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error) => callback(error, '', 0),
    )
  }
  const agentOptions: https.AgentOptions & { autoSelectFamilyAttemptTimeout: number } = {
    keepAlive: true,
    timeout: IDLE_TIMEOUT_MS,
    autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_PER_ADDRESS_MS,
    lookup,
  }
  const agents = {
    strict: new https.Agent(agentOptions),
    lenient: new https.Agent({ ...agentOptions, rejectUnauthorized: false }),
    plain: new http.Agent(agentOptions),
  }

  return {
    async post(target, headers, body, verify) {
      const began = performance.now()
      const passed_ms = () => Math.round(performance.now() - began)
      const host = withoutBrackets(target.hostname)
      // A connection to an address in figures asks no look-up.
      if (isIP(host) && !options.allowsAddress(host))
        return { ...NO_RESPONSE, failure: 'private_address', duration_ms: 0 }
      const is_plain = options.allow_plain_http === true && target.protocol === 'http:'
      const agent = is_plain ? agents.plain : verify ? agents.strict : agents.lenient
      const call = { target, headers, body, agent }
      for (;;) {
        const sent = await sendOnce(call, Math.max(options.timeout_ms - passed_ms(), 0))
        // The far side may close an idle connection in the moment that we use it; that says nothing about the target.
        if (sent !== 'stale') return { ...sent, duration_ms: passed_ms() }
      }
    },
    async checkHost(hostname) {
      try {
        await lookUp(withoutBrackets(hostname))
        return 'allowed'
      } catch (error) {
        return error instanceof PrivateAddress ? 'private_address' : 'dns'
      }
    },
    close() {
      agents.strict.destroy()
      agents.lenient.destroy()
      agents.plain.destroy()
    },
  }
}

/** The seconds that a Retry-After header asks for: a number, or a date (RFC 9110). Null when it says nothing readable. */
export function readRetryAfter(header: string | undefined, real: Date): number | null {
  if (header === undefined) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header)
  // Date reads much that is no date of HTTP, such as -5.
  const moment = /^\s*[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - real.getTime()) / 1_000))
}

/** A name or address that leads to a place where this service must not call. */
class PrivateAddress extends Error {}
/** A name that leads nowhere. */
class Unresolved extends Error {}

/** Looks names up and lets through only those of which every address is allowed. */
function createLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  allows: HttpClientOptions['allowsAddress'],
) {
  return async (hostname: string): Promise<LookupAddress[]> => {
    const family = isIP(hostname)
    const found = family
      ? [{ address: hostname, family }]
      : await resolve(hostname).catch((cause: unknown) => {
          throw new Unresolved(`${hostname} cannot be looked up.`, { cause })
        })
    if (found.length === 0) throw new Unresolved(`${hostname} has no address.`)
    if (!found.every(({ address }) => allows(address)))
      throw new PrivateAddress(`${hostname} has an address that is not public.`)
    return found
  }
}

const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 })

/**
 * The addresses of a host. DNS is asked directly, because the system's own look-up blocks one of very few threads: names
 * whose servers are dead would hold up everybody else's. Names that DNS does not know may still stand in the hosts file.
 */
async function resolveHost(hostname: string): Promise<LookupAddress[]> {
  const name = hostname.replace(/\.$/, '')
  if (!name.includes('.') || name.endsWith('.localhost')) return dns.lookup(name, { all: true })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const trouble = answers.find((answer) => answer.status === 'rejected' && !isUnknownHost(answer.reason))
  if (trouble?.status === 'rejected') throw trouble.reason
  return dns.lookup(name, { all: true })
}

function isUnknownHost(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOTFOUND' || error.code === 'ENODATA'
}

interface HttpCall {
  target: URL
  headers: Record<string, string>
  body: string
  agent: http.Agent
}

type CallResult = Omit<HttpResult, 'duration_ms'>

/** What has been seen of one try so far. */
interface CallTrace {
  address: string | null
  phase: 'connecting' | 'securing' | 'open'
  status: number | null
  headers: Record<string, string> | null
  chunks: Buffer[]
  size: number
}

/** One try on one connection; `stale` when a kept connection turned out to be closed before an answer came. */
function sendOnce({ target, headers, body, agent }: HttpCall, left_ms: number): Promise<CallResult | 'stale'> {
  return new Promise((resolve) => {
    const sight: CallTrace = { address: null, phase: 'connecting', status: null, headers: null, chunks: [], size: 0 }
    const finish = (failure: HttpFailure | null) => resolve(toCallResult(sight, failure))
    // Where plain http is not allowed, the agent of https refuses it.
    const is_secure = agent instanceof https.Agent
    const request = (is_secure ? https : http).request(target, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    const timer = setTimeout(() => {
      finish('timeout')
      request.destroy()
    }, left_ms)
    request.on('socket', (socket) => traceConnection(socket, { reused: request.reusedSocket, is_secure }, sight))
    request.on('response', (response) => readResponse(response, sight, finish))
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && sight.status === null && STALE_CONNECTION_CODES.has(error.code)) resolve('stale')
      else finish(failureOf(error, sight))
    })
    request.on('close', () => clearTimeout(timer))
    request.end(body)
  })
}

const STALE_CONNECTION_CODES = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

function traceConnection(
  socket: Socket,
  { reused, is_secure }: { reused: boolean; is_secure: boolean },
  sight: CallTrace,
): void {
  // Asked for at once, because a socket that was closed no longer knows.
  const note = (phase: CallTrace['phase']) => () => {
    sight.address = socket.remoteAddress ?? sight.address
    sight.phase = phase
  }
  if (reused) note('open')()
  else if (!is_secure) socket.once('connect', note('open'))
  else socket.once('connect', note('securing')).once('secureConnect', note('open'))
}

/** Reads an answer to its end, or to the point from where it no longer matters: the status has said it all. */
function readResponse(
  response: IncomingMessage,
  sight: CallTrace,
  finish: (failure: HttpFailure | null) => void,
): void {
  const status = response.statusCode!
  const verdict = status >= 200 && status < 300 ? null : 'status'
  sight.status = status
  sight.headers = readableHeaders(response.headers)
  response.on('data', (chunk: Buffer) => {
    if (sight.size < MAX_KEPT_BYTES) sight.chunks.push(chunk)
    sight.size += chunk.length
    if (sight.size <= MAX_READ_BYTES) return
    finish(verdict)
    response.destroy()
  })
  response.on('end', () => finish(verdict))
  response.on('error', () => finish('refused'))
}

function toCallResult({ address, status, headers, chunks }: CallTrace, failure: HttpFailure | null): CallResult {
  const start = Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES)
  return { failure, status, remote_address: address, headers, body: status === null ? null : readableText(start) }
}

function failureOf(error: NodeJS.ErrnoException, sight: CallTrace): HttpFailure {
  if (error instanceof PrivateAddress) return 'private_address'
  if (error instanceof Unresolved) return 'dns'
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'too_large'
  return sight.phase === 'securing' ? 'tls' : 'refused'
}

/** PostgreSQL takes every character but NUL. */
function readableText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

function readableHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === 'set-cookie' ? '***' : String(value)]),
  )
}

/** URLs write IPv6 addresses in brackets. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
