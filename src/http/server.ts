import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  type FastifySerializerCompiler,
  type FastifyServerOptions,
  type HTTPMethods,
} from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { fieldErrors } from '../core/fields.ts'
import { Invalid, NotFound } from '../core/refusals.ts'
import type { ReviewedCosts } from '../core/spending/review-token.ts'
import { createOutageLog, type ReportUnavailable } from '../db/outages.ts'
import { compileEncoder, NOT_ENCODED } from '../lib/encoding/encode.ts'
import { openAddresses, ROUTER_OPTIONS, restoreRequest, sentMethod } from '../lib/http/sent-method.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import { getMessage } from '../lib/messages/message.ts'
import { isObject } from '../lib/structured-input.ts'
import type { Tracing } from '../lib/tracing/tracing.ts'
import { type AdmissionOptions, addAdmission, REQUEST_TIMEOUT_MS } from './admission.ts'
import { billErrorBody } from './bill-errors.ts'
import {
  type Body,
  checkQuery,
  decodeBody,
  MAX_BODY_BYTES,
  parseFormBody,
  parseJsonBody,
  parseJsonBodyWithFile,
  parseQuery,
} from './bodies.ts'
import { canonicalUrl, originForm } from './canonical-url.ts'
import { detailErrorBody, type ErrorAnswer, errorAnswerFor, TooLarge } from './errors.ts'
import { addRequestTraces, correlationOf } from './request-traces.ts'
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
    /** True for the route that answers the methods that its addresses do not offer. */
    other_methods?: boolean
    /** The methods of this route that callers may use, where it refuses some by itself. */
    offered?: readonly HTTPMethods[]
    /** The media type of a successful response, when it is not JSON. */
    produces?: 'text/event-stream' | 'text/html'
    /** Further media types of successful responses, when the caller prefers one of them. */
    also_produces?: 'text/csv' | 'text/html' | readonly string[]
    /** Make the error body of this part of the interface; the default is a body with `detail`. */
    formatError?: (answer: ErrorAnswer, request_id: string) => Record<string, unknown>
  }
  interface FastifyRequest {
    /** Costs that a person has reviewed in the console. Undefined for requests with an API key. */
    reviewed?: ReviewedCosts
  }
}

/** Sign the review of what a request asks for: a later request with the same body may send it at these costs. */
export type SignReview = (request: FastifyRequest, costs: ReviewedCosts) => string

export interface ServerOptions extends AdmissionOptions {
  log: EventLog
  trust_proxy: string
  /** Log that a request could not reach the database; the default is one line for each. */
  reportUnavailable?: ReportUnavailable
  /** The address by which clients reach the service, if it is known. */
  public_url?: string
  /** Make spans of requests; null while traces are off. */
  tracing?: Tracing | null
  /** Called once for each response, for metrics. */
  onAnswer?(request: FastifyRequest, reply: FastifyReply): void
}

/** The maximum size of a request body. */

/** Interval at which Node looks for slow requests, and so the maximum delay of their refusal. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000

/** Headers that forbid type guessing and caches, unless the route says otherwise. */
const DEFAULT_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Header that makes browsers use https for this host for a year. */
const STRICT_TRANSPORT = 'max-age=31536000'

/** The HTTP server of the API and the console, without routes: request ids, log lines, bodies, errors and limits. */
export function createServer(options: ServerOptions): Server {
  const reportUnavailable = options.reportUnavailable ?? createOutageLog(options.log, null)
  const addresses = openAddresses()
  const server = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: createRequestIdGenerator(),
    rewriteUrl(request) {
      // Fastify has kept the address as it came; links and signatures are made of it.
      const url = originForm(request.url ?? '/')
      if (url !== request.url) Object.assign(request, { url, originalUrl: url })
      return addresses.reroute(request, canonicalUrl(url))
    },
    exposeHeadRoutes: false,
    trustProxy: readTrustProxy(options.trust_proxy),
    routerOptions: { ...ROUTER_OPTIONS, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    // addAdmission refuses a missing Host header with a JSON body; Node would send no body.
    http: { requireHostHeader: false, connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS },
    clientErrorHandler: refuseBrokenHttp,
    frameworkErrors: refuseInvalidPath,
    schemaController: { compilersFactory },
  }).withTypeProvider<ZodTypeProvider>()

  server.decorate('address_methods', addresses)
  addBodyParsers(server)

  addDefaultHeaders(server, options.public_url)
  addAdmission(server as unknown as FastifyInstance, options)
  server.decorateRequest('sent_names', null)
  addRequestTraces(server as unknown as FastifyInstance, options.tracing ?? null)
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
    const answer = withSentNames(errorAnswerFor(error, request), request)
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

const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    validate(schema, data)

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/**
 * The compilers of all routes. Given to Fastify and not set later, so that it does not load its own, which take as long
 * as Fastify itself. Its types know no schemas but those of JSON.
 */
const compilersFactory = {
  buildValidator: () => compileValidator,
  buildSerializer: () => compileSerializer,
} as object as Compilers

/** Validate the caller's data. The error names every wrong field. */
function validate(schema: z.ZodType, data: unknown): { value: unknown } | { error: Invalid } {
  try {
    const result = schema.safeParse(data)
    return result.success ? { value: result.data } : { error: new Invalid(fieldErrors(result.error.issues)) }
  } catch (error) {
    // Zod compares the length of a text or list before it refuses other types, and the length of an object can be
    // anything.
    const fields = isObject(data) ? Object.keys(data).filter((name) => hasLengthField(data[name])) : []
    if (fields.length === 0) throw error
    return { error: new Invalid(Object.fromEntries(fields.map((name) => [name, [INVALID_VALUE]]))) }
  }
}

const INVALID_VALUE = getMessage('fields.value')

function hasLengthField(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLengthField)
  return isObject(value) && (Object.hasOwn(value, 'length') || Object.values(value).some(hasLengthField))
}

/** Encode answers with the schemas of their routes. Zod's serializer gets unfitting data, and throws the error. */
const compileSerializer: FastifySerializerCompiler<z.ZodType> = (route) => {
  const serialize = serializerCompiler(route)
  const encode = compileEncoder(route.schema)
  return (data) => {
    const wire = encode(data)
    return wire === NOT_ENCODED ? serialize(data) : JSON.stringify(wire)
  }
}

/** Set the headers that every answer has. A route may replace them. */
function addDefaultHeaders(server: Server, public_url: string | undefined): void {
  const is_public_https = public_url?.startsWith('https:') === true
  // Not asynchronous: the hook after it must run before Node parses the next request of a packet.
  server.addHook('onRequest', (request, reply, done) => {
    restoreRequest(request)
    reply.header('x-request-id', request.id).headers(DEFAULT_HEADERS)
    // A browser ignores the header on a connection without TLS (RFC 6797), but it would be a promise that is not kept.
    if (is_public_https || request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT)
    done()
  })
}

/** The fields that every log line about a request has. Its query may hold secrets and is left out. */
function requestFields(request: FastifyRequest) {
  const { id, url } = request
  const path = url.split('?', 1)[0]!.replace(CALLBACK_SECRET, '$1***').replace(RECEIPT_SECRET, '$1***')
  return { request_id: id, method: sentMethod(request), path, ...correlationOf(request) }
}

/** Part of a callback address that only the network may know. */
const CALLBACK_SECRET = /(\/callbacks\/+[^/]+\/+)[^/]+/i

/** Part of a receipt's address that only the customer may know. */
const RECEIPT_SECRET = /^(\/pay\/+[^/]+\/+)[^/]{20,}/i

function addBodyParsers(server: Server): void {
  const addParser = (type: string, parse: (body: Buffer, headers: IncomingHttpHeaders) => Body) =>
    server.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async ({ headers }: FastifyRequest, body: string | Buffer) => parse(body as Buffer, headers),
    )
  server.removeAllContentTypeParsers()
  addParser('application/json', (body, headers) =>
    body.length > MAX_BODY_BYTES ? parseJsonBodyWithFile(body, headers) : parseJsonBody(decodeBody(body, headers)),
  )
  addParser('application/x-www-form-urlencoded', (body, headers) => {
    if (body.length > MAX_BODY_BYTES) throw new TooLarge(MAX_BODY_BYTES)
    return parseFormBody(decodeBody(body, headers))
  })
}

/** Make request ids that are short, cheap and unique across processes and restarts. */
function createRequestIdGenerator(): () => string {
  const process_part = randomBytes(4).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process_part}-${count.toString(36)}`
  }
}

/** Read TRUST_PROXY: `on`, `off`, a number of hops, or the addresses of the proxies. */
function readTrustProxy(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
  if (['on', 'true'].includes(setting)) return true
  if (['off', 'false', ''].includes(setting)) return false
  return /^\d+$/.test(setting) ? (_address, hop) => hop < Number(setting) : setting
}

/** Answer 404 to a path that the router cannot decode or that has a part over the maximum length. */
function refuseInvalidPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const answer = errorAnswerFor(new NotFound())
  // There is no route whose config could name the error format.
  const is_bill = canonicalUrl(request.originalUrl).startsWith('/api/gateway/')
  const formatError = is_bill ? billErrorBody : detailErrorBody
  reply
    .code(answer.status)
    .headers({ ...DEFAULT_HEADERS, 'x-request-id': request.id })
    .send(formatError(answer, request.id))
}

const INVALID_HTTP = ['400 Bad Request', 'The request is not valid HTTP.'] as const
const HTTP_PARSE_ERRORS: Record<string, readonly [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The address and the headers of the request are longer than 16 kB.',
  ],
}

/** Answer bytes that are not a valid HTTP request with a JSON error, and close the connection. */
function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, detail] = HTTP_PARSE_ERRORS[error.code ?? ''] ?? INVALID_HTTP
  const body = JSON.stringify({ detail })
  const headers = { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' }
  const lines = Object.entries({ ...DEFAULT_HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}
