import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { fieldErrors } from '../core/fields.ts'
import { Invalid, Malformed, NotFound, Unavailable } from '../core/refusals.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import { billErrorBody } from './bill-errors.ts'
import { checkQuery, decodeBody, isUtf8, parseFormBody, parseJsonBody, parseQuery } from './bodies.ts'
import { canonicalUrl } from './canonical-url.ts'
import {
  detailErrorBody,
  type ErrorAnswer,
  errorAnswerFor,
  NotAcceptable,
  TooLarge,
  UnsupportedMedia,
} from './errors.ts'
import { createInFlightLimiter } from './in-flight-limiter.ts'

/** A Fastify instance whose routes are described and checked by zod schemas. */
export type Server = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The methods of this address, for the Allow header. */
    allow?: string
    /** What this address answers with when all goes well, where that is not JSON. */
    produces?: 'text/event-stream'
    /** What this address answers with besides, if that is liked better. */
    also_produces?: 'text/csv'
    /** True for the routes that exist only to answer 405. */
    method_not_allowed?: boolean
    /** True where the service answers during maintenance, and however busy it is. */
    open_in_maintenance?: boolean
    /** True where an answer may wait long for somebody else, and costs nothing meanwhile. */
    waits_for_third_party?: boolean
    /** Puts an error into the words of this part of the interface; the default is `detail`. */
    formatError?: (answer: ErrorAnswer, request_id: string) => Record<string, unknown>
  }
}

export interface ServerOptions {
  log: EventLog
  trust_proxy: string
  /** How long a request may wait for its answer, unless it waits for somebody else; 35 s unless given. */
  answer_timeout_ms?: number
  /** Whether the operator has taken the service offline for a while. */
  inMaintenance?(): boolean
  /** Called once per answer, for metrics. */
  onAnswer?(request: FastifyRequest, reply: FastifyReply): void
}

/** The most that a body may weigh. */
export const MAX_BODY_BYTES = 1_048_576

/** When a caller may ask again whether maintenance is over. */
const MAINTENANCE_RETRY_S = 60

/**
 * So many requests of one process may be under way. At twice the load that it can bear it goes on doing what it can, nobody
 * waits longer than these take, and who comes besides is refused before any work is done for him.
 */
const MAX_IN_FLIGHT = 1_000
const BUSY_RETRY_S = 1

/** Slow senders are cut off after this long. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * A database that is frozen, or behind a broken wire, says nothing at all. Who has waited for it so long is told that the
 * outcome is not known; a write may still happen when it wakes. Longer than a slow sender may take.
 */
const ANSWER_TIMEOUT_MS = 35_000

/** What both HTTP doors share: request ids, one log line per request, bodies, errors. Routes are added by the doors. */
export function createServer(options: ServerOptions): Server {
  const server = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: createRequestIdGenerator(),
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    trustProxy: readTrustProxy(options.trust_proxy),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    // A missing Host is refused below, in our own form; Node would say nothing.
    http: { requireHostHeader: false },
    clientErrorHandler: refuseBrokenHttp,
    frameworkErrors: refuseInvalidPath,
  }).withTypeProvider<ZodTypeProvider>()

  server.setValidatorCompiler(({ schema }) => (data) => {
    const result = (schema as z.ZodType).safeParse(data)
    return result.success ? { value: result.data } : { error: new Invalid(fieldErrors(result.error.issues)) }
  })
  server.setSerializerCompiler(serializerCompiler)
  addBodyParsers(server)

  addAdmissionControl(server, options)
  server.addHook('preValidation', async (request) => {
    checkQuery(request.query as Record<string, string>)
    // A write that says nothing, not even what type of nothing, is told which fields it lacks, as one that says `{}`.
    if (request.method !== 'GET' && request.method !== 'HEAD') request.body ??= {}
  })
  server.addHook('onResponse', async (request, reply) => {
    options.onAnswer?.(request, reply)
    logEvent(options.log, 'request_answered', {
      ...requestFields(request),
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    })
  })
  server.setNotFoundHandler(() => {
    throw new NotFound()
  })
  server.setErrorHandler((error, request, reply) => {
    const answer = errorAnswerFor(error, request.headers['content-type'])
    if (answer.fault) {
      const event = answer.status === 503 ? 'database_unavailable' : 'request_failed'
      logEvent(options.log, event, { ...requestFields(request), error })
    }
    const dialect = request.routeOptions.config.formatError ?? detailErrorBody
    // The body may be in any state when the request itself was bad, so the schema of the good answer does not apply.
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .type('application/json')
      .serializer(JSON.stringify)
      .send(dialect(answer, request.id))
  })
  return server
}

/** The fields that every log line about a request has. Its query may hold secrets and is left out. */
function requestFields({ id, method, url }: FastifyRequest) {
  return { request_id: id, method, path: url.split('?', 1)[0]! }
}

/** Turns away, before any work is done for it, what cannot be answered well: too many at once, maintenance, no such address. */
function addAdmissionControl(server: Server, options: ServerOptions): void {
  const crowd = createInFlightLimiter(MAX_IN_FLIGHT)
  const watch = setInterval(() => {
    for (const reply of crowd.findWaiting(options.answer_timeout_ms ?? ANSWER_TIMEOUT_MS))
      reply.send(new Unavailable('The service is temporarily unavailable.'))
  }, 1_000).unref()
  server.addHook('onClose', async () => clearInterval(watch))
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { open_in_maintenance: in_maintenance, waits_for_third_party: waits_outside } =
      request.routeOptions.config ?? {}
    if (!in_maintenance && !waits_outside && !crowd.acquire(reply)) {
      await crowd.waitToRefuse()
      throw new Unavailable('The service is busy.', BUSY_RETRY_S)
    }
    if (options.inMaintenance?.() && !in_maintenance)
      throw new Unavailable('The service is temporarily offline for maintenance.', MAINTENANCE_RETRY_S)
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new Malformed('The request has no Host header.')
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new TooLarge()
    if (request.is404) throw new NotFound()
    const { produces = 'application/json', also_produces = produces } = request.routeOptions.config
    if (![produces, also_produces].some((type) => accepts(request.headers.accept, type))) throw new NotAcceptable()
  })
}

function addBodyParsers(server: Server): void {
  const parse = (read: (text: string) => unknown) => async (request: FastifyRequest, body: string | Buffer) => {
    const content_type = request.headers['content-type'] ?? ''
    if (!isUtf8(content_type)) throw new UnsupportedMedia(content_type)
    return read(decodeBody(body as Buffer))
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse(parseJsonBody))
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, parse(parseFormBody))
}

/** Only an Accept header that leaves out altogether what we answer with is refused. */
function accepts(accept: string | undefined, media_type: string): boolean {
  if (!accept?.trim()) return true
  const fitting = ['*/*', `${media_type.split('/')[0]}/*`, media_type]
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return fitting.includes(type) && !parameters.some((p) => /^q=0(\.0*)?$/.test(p))
  })
}

/** Request ids are short, unique over processes and restarts, and cheap. */
function createRequestIdGenerator(): () => string {
  const process_part = randomBytes(4).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process_part}-${count.toString(36)}`
  }
}

/** `on`, `off`, a number of hops, or the addresses of the proxies. */
function readTrustProxy(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
  if (['on', 'true'].includes(setting)) return true
  if (['off', 'false', ''].includes(setting)) return false
  return /^\d+$/.test(setting) ? (_address, hop) => hop < Number(setting) : setting
}

/** A path that cannot be decoded, or with an endless part, ends in the router: there is nothing at such an address. */
function refuseInvalidPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const answer = errorAnswerFor(new NotFound())
  // Without a route there is no dialect of its own to ask for.
  const dialect = canonicalUrl(request.originalUrl).startsWith('/api/gateway/') ? billErrorBody : detailErrorBody
  reply.code(answer.status).header('x-request-id', request.id).send(dialect(answer, request.id))
}

const INVALID_HTTP = ['400 Bad Request', 'The request is not valid HTTP.'] as const
const HTTP_PARSE_ERRORS: Record<string, readonly [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The address and the headers of the request are longer than 16 kB.',
  ],
}

/** What cannot be read as a request gets its answer in our own form, too, and the connection ends. */
function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, detail] = HTTP_PARSE_ERRORS[error.code ?? ''] ?? INVALID_HTTP
  const body = JSON.stringify({ detail })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
  socket.destroySoon()
}
