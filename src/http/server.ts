import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { fieldErrors } from '../core/fields.ts'
import { Invalid, Malformed, NotFound, Unavailable } from '../core/refusals.ts'
import { createOutageLog, type ReportUnavailable } from '../db/outages.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import { isObject } from '../lib/structured-input.ts'
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
import { CORE_ALIASES, unifySpellings, withSentNames } from './spellings.ts'

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
    /** The media type of a successful response, when it is not JSON. */
    produces?: 'text/event-stream'
    /** A second media type of successful responses, when the caller prefers it. */
    also_produces?: 'text/csv'
    /** True for the routes that exist only to answer 405. */
    method_not_allowed?: boolean
    /** True when this address answers during maintenance, and also when all in-flight slots are taken. */
    open_in_maintenance?: boolean
    /** True when a response may wait long for a third party; such a request takes no in-flight slot. */
    waits_for_third_party?: boolean
    /** Makes the error body of this part of the interface; the default is a body with `detail`. */
    formatError?: (answer: ErrorAnswer, request_id: string) => Record<string, unknown>
  }
}

export interface ServerOptions {
  log: EventLog
  trust_proxy: string
  /** How long a request may wait for its response, unless it waits for a third party; default 35 s. */
  answer_timeout_ms?: number
  /** Logs that a request could not reach the database; the default is one line for each. */
  reportUnavailable?: ReportUnavailable
  /** Whether the service is in maintenance mode. */
  inMaintenance?(): boolean
  /** Called once for each response, for metrics. */
  onAnswer?(request: FastifyRequest, reply: FastifyReply): void
}

/** The maximum size of a request body. */
export const MAX_BODY_BYTES = 1_048_576

/** Retry-After during maintenance. */
const MAINTENANCE_RETRY_S = 60

/**
 * The maximum number of requests in flight in one process. At twice the load that the process can serve it keeps its full
 * throughput, and no request waits longer than these take. Further requests are refused before any work is done for them.
 */
const MAX_IN_FLIGHT = 1_000
const BUSY_RETRY_S = 1

/** How long a client may take to send its request. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Respond 503 after this time if the database does not answer, for example because it is frozen or the network is broken.
 * The outcome of a write is then unknown: it may still happen later. Longer than REQUEST_TIMEOUT_MS.
 */
const ANSWER_TIMEOUT_MS = 35_000

/** The HTTP server of the API and the console, without routes: request ids, log lines, bodies, errors and limits. */
export function createServer(options: ServerOptions): Server {
  const reportUnavailable = options.reportUnavailable ?? createOutageLog(options.log, null)
  const server = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: createRequestIdGenerator(),
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    trustProxy: readTrustProxy(options.trust_proxy),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    // addAdmissionControl refuses a missing Host header with a JSON body; Node would send no body.
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
  server.decorateRequest('sent_names', null)
  server.addHook('preValidation', async (request) => {
    checkQuery(request.query as Record<string, string>)
    // A write without a body is validated as `{}`, so that its error names the missing fields.
    if (request.method !== 'GET' && request.method !== 'HEAD') request.body ??= {}
    if (isObject(request.body)) request.body = unifySpellings(request, request.body, CORE_ALIASES)
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
    const answer = withSentNames(errorAnswerFor(error, request.headers['content-type']), request)
    if (answer.is_service_error) {
      const fields = { ...requestFields(request), error }
      if (answer.status === 503) reportUnavailable(fields)
      else logEvent(options.log, 'request_failed', fields)
    }
    const formatError = request.routeOptions.config.formatError ?? detailErrorBody
    // The schema of the successful response does not apply to an error body.
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .type('application/json')
      .serializer(JSON.stringify)
      .send(formatError(answer, request.id))
  })
  return server
}

/** The fields that every log line about a request has. Its query may hold secrets and is left out. */
function requestFields({ id, method, url }: FastifyRequest) {
  return { request_id: id, method, path: url.split('?', 1)[0]! }
}

/** Refuses requests before any work is done for them: too many in flight, maintenance, unknown address and the like. */
function addAdmissionControl(server: Server, options: ServerOptions): void {
  const limiter = createInFlightLimiter(MAX_IN_FLIGHT)
  const timer = setInterval(() => {
    for (const reply of limiter.findWaiting(options.answer_timeout_ms ?? ANSWER_TIMEOUT_MS))
      reply.send(new Unavailable('The service is temporarily unavailable.'))
  }, 1_000).unref()
  server.addHook('onClose', async () => clearInterval(timer))
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { open_in_maintenance, waits_for_third_party } = request.routeOptions.config ?? {}
    if (!open_in_maintenance && !waits_for_third_party && !limiter.acquire(reply)) {
      await limiter.waitToRefuse()
      throw new Unavailable('The service is busy.', BUSY_RETRY_S)
    }
    if (options.inMaintenance?.() && !open_in_maintenance)
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
  const createParser = (parse: (text: string) => unknown) => async (request: FastifyRequest, body: string | Buffer) => {
    const content_type = request.headers['content-type'] ?? ''
    if (!isUtf8(content_type)) throw new UnsupportedMedia(content_type)
    return parse(decodeBody(body as Buffer))
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, createParser(parseJsonBody))
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, createParser(parseFormBody))
}

/** Whether an Accept header allows a media type. A missing or empty header allows all. */
function accepts(accept: string | undefined, media_type: string): boolean {
  if (!accept?.trim()) return true
  const allowed = ['*/*', `${media_type.split('/')[0]}/*`, media_type]
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return allowed.includes(type) && !parameters.some((p) => /^q=0(\.0*)?$/.test(p))
  })
}

/** Makes request ids that are short, cheap and unique across processes and restarts. */
function createRequestIdGenerator(): () => string {
  const process_part = randomBytes(4).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process_part}-${count.toString(36)}`
  }
}

/** Reads TRUST_PROXY: `on`, `off`, a number of hops, or the addresses of the proxies. */
function readTrustProxy(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
  if (['on', 'true'].includes(setting)) return true
  if (['off', 'false', ''].includes(setting)) return false
  return /^\d+$/.test(setting) ? (_address, hop) => hop < Number(setting) : setting
}

/** Answers 404 to a path that the router cannot decode or that has a part over the maximum length. */
function refuseInvalidPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const answer = errorAnswerFor(new NotFound())
  // There is no route whose config could name the error format.
  const is_bill = canonicalUrl(request.originalUrl).startsWith('/api/gateway/')
  const formatError = is_bill ? billErrorBody : detailErrorBody
  reply.code(answer.status).header('x-request-id', request.id).send(formatError(answer, request.id))
}

const INVALID_HTTP = ['400 Bad Request', 'The request is not valid HTTP.'] as const
const HTTP_PARSE_ERRORS: Record<string, readonly [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The address and the headers of the request are longer than 16 kB.',
  ],
}

/** Answers bytes that are not a valid HTTP request with a JSON error, and closes the connection. */
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
