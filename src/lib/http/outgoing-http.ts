import { promises as dns, type LookupAddress } from 'node:dns'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'

/** Why the call failed, in one word. `status`: the answer has a status other than 2xx. */
export type HttpFailure = 'timeout' | 'dns' | 'tls' | 'refused' | 'private_address' | 'too_large' | 'status'

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
  /** Whether a connection to this IP address is allowed. */
  allowsAddress(address: string): boolean
  /** The time limit for everything together: DNS, connection, TLS, answer. */
  timeout_ms: number
  /** Whether targets may also use plain http. Only for a developer's machine. */
  allow_plain_http?: boolean
  /** Looks up names. By default the system's DNS; tests replace it. */
  resolve?(hostname: string): Promise<LookupAddress[]>
}

export interface HttpClient {
  /**
   * Posts a body over https (and http where that is allowed) and reads up to 64 kB of the answer. Redirects are not
   * followed. It never rejects. The address that was checked is also the address of the connection, so a change of the
   * DNS name in between has no effect.
   * @param verify whether the certificate must be valid
   * @param timeout_ms the time limit of this call, where it is not that of the client
   */
  post(
    target: URL,
    headers: Record<string, string>,
    body: string,
    verify: boolean,
    timeout_ms?: number,
  ): Promise<HttpResult>
  /** Looks up a host now, and returns whether its addresses are allowed. */
  checkHost(hostname: string): Promise<'allowed' | 'private_address' | 'dns'>
  /** Ends all connections. A call that is under way fails. */
  close(): void
}

const NO_RESPONSE = { status: null, remote_address: null, headers: null, body: null }
const MAX_READ_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 4 * 1024
/** How long an idle connection stays open. Most servers use a similar time. */
const IDLE_TIMEOUT_MS = 30_000
/** The time for a connection to one of a host's addresses. Node's default of 250 ms is too short for distant hosts. */
const CONNECT_TIMEOUT_PER_ADDRESS_MS = 1_500

/**
 * Creates a client for addresses that customers chose. It reuses connections. Connections with a verified certificate
 * are separate from the others.
 */
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
    async post(target, headers, body, verify, timeout_ms = options.timeout_ms) {
      const started_ms = performance.now()
      const passed_ms = () => Math.round(performance.now() - started_ms)
      const host = withoutBrackets(target.hostname)
      // A numeric address needs no look-up, so it is checked here.
      if (isIP(host) && !options.allowsAddress(host))
        return { ...NO_RESPONSE, failure: 'private_address', duration_ms: 0 }
      const is_plain = options.allow_plain_http === true && target.protocol === 'http:'
      const agent = is_plain ? agents.plain : verify ? agents.strict : agents.lenient
      const call = { target, headers, body, agent }
      for (;;) {
        const sent = await sendOnce(call, Math.max(timeout_ms - passed_ms(), 0))
        // The server may close an idle connection at the moment when we use it. The target can still be healthy.
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

/** The seconds of a Retry-After header, which is a number or a date (RFC 9110). Null when it is not readable. */
export function readRetryAfter(header: string | undefined, real: Date): number | null {
  if (header === undefined) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header)
  // Date.parse accepts texts that are not HTTP dates, such as -5.
  const retry_at_ms = /^\s*[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(retry_at_ms) ? null : Math.max(0, Math.ceil((retry_at_ms - real.getTime()) / 1_000))
}

/** A name with an address that this service must not call. */
class PrivateAddress extends Error {}
/** A name without an address. */
class Unresolved extends Error {}

/** Makes a look-up that rejects a name unless all of its addresses are allowed. */
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
 * Looks up the addresses of a host. It asks DNS directly, because the system's look-up blocks one of very few threads,
 * and names with dead servers would delay all other look-ups. A name that is not in DNS may still be in the hosts file.
 */
async function resolveHost(hostname: string): Promise<LookupAddress[]> {
  const name = hostname.replace(/\.$/, '')
  if (!name.includes('.') || name.endsWith('.localhost')) return dns.lookup(name, { all: true })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const failed = answers.find((answer) => answer.status === 'rejected' && !isUnknownHost(answer.reason))
  if (failed?.status === 'rejected') throw failed.reason
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

/** The progress of one try so far. */
interface CallTrace {
  address: string | null
  phase: 'connecting' | 'securing' | 'open'
  status: number | null
  headers: Record<string, string> | null
  chunks: Buffer[]
  size: number
}

/** Makes one try on one connection. `stale`: the server had closed a reused connection before it answered. */
function sendOnce({ target, headers, body, agent }: HttpCall, left_ms: number): Promise<CallResult | 'stale'> {
  return new Promise((resolve) => {
    const trace: CallTrace = { address: null, phase: 'connecting', status: null, headers: null, chunks: [], size: 0 }
    const finish = (failure: HttpFailure | null) => resolve(toCallResult(trace, failure))
    // Where plain http is not allowed, the https agent refuses it.
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
    request.on('socket', (socket) => traceConnection(socket, { reused: request.reusedSocket, is_secure }, trace))
    request.on('response', (response) => readResponse(response, trace, finish))
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && trace.status === null && STALE_CONNECTION_CODES.has(error.code)) resolve('stale')
      else finish(failureOf(error, trace))
    })
    request.on('close', () => clearTimeout(timer))
    request.end(body)
  })
}

const STALE_CONNECTION_CODES = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

function traceConnection(
  socket: Socket,
  { reused, is_secure }: { reused: boolean; is_secure: boolean },
  trace: CallTrace,
): void {
  // The address is read now, because a closed socket no longer has it.
  const enterPhase = (phase: CallTrace['phase']) => () => {
    trace.address = socket.remoteAddress ?? trace.address
    trace.phase = phase
  }
  if (reused) enterPhase('open')()
  else if (!is_secure) socket.once('connect', enterPhase('open'))
  else socket.once('connect', enterPhase('securing')).once('secureConnect', enterPhase('open'))
}

/** Reads an answer to its end or to the byte limit. The status alone decides about success. */
function readResponse(
  response: IncomingMessage,
  trace: CallTrace,
  finish: (failure: HttpFailure | null) => void,
): void {
  const status = response.statusCode!
  const failure = status >= 200 && status < 300 ? null : 'status'
  trace.status = status
  trace.headers = readableHeaders(response.headers)
  response.on('data', (chunk: Buffer) => {
    if (trace.size < MAX_KEPT_BYTES) trace.chunks.push(chunk)
    trace.size += chunk.length
    if (trace.size <= MAX_READ_BYTES) return
    finish(failure)
    response.destroy()
  })
  response.on('end', () => finish(failure))
  response.on('error', () => finish('refused'))
}

function toCallResult({ address, status, headers, chunks }: CallTrace, failure: HttpFailure | null): CallResult {
  const start = Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES)
  return { failure, status, remote_address: address, headers, body: status === null ? null : readableText(start) }
}

function failureOf(error: NodeJS.ErrnoException, trace: CallTrace): HttpFailure {
  if (error instanceof PrivateAddress) return 'private_address'
  if (error instanceof Unresolved) return 'dns'
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'too_large'
  return trace.phase === 'securing' ? 'tls' : 'refused'
}

/** Replaces NUL, the only character that PostgreSQL does not accept. */
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
