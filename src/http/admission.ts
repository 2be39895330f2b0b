import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Malformed, NotFound, type Refusal, Unavailable } from '../core/refusals.ts'
import { addressGroup } from '../lib/http/address-groups.ts'
import { normalizeHeaders } from '../lib/http/request-headers.ts'
import { addressPattern } from '../lib/http/sent-method.ts'
import { getMessage } from '../lib/messages/message.ts'
import { type ArrivingBodies, announcesBody, createArrivingBodies } from './arriving-bodies.ts'
import { BodyTimeout, NotAcceptable, TooLarge } from './errors.ts'
import { createInFlightLimiter, type InFlightLimiter, type Place } from './in-flight-limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The place of this request among those in flight; undefined while it has none. */
    place: Place | undefined
    /** Sender of the request, once known, such as `key 12`: the place counts for it as well. */
    place_holder: string | undefined
  }
  interface FastifyContextConfig {
    /** True when this address answers during maintenance, and also when all places are taken. */
    open_in_maintenance?: boolean
    /** True when a response may wait long for a third party; such a request takes no place. */
    waits_for_third_party?: boolean
    /** Time limit for the request's body, if shorter than usual. */
    body_timeout_ms?: number
  }
}

export interface AdmissionOptions {
  /** Maximum wait for the response after the body has arrived. Default: 35 s. */
  answer_timeout_ms?: number
  /** Return true if the service is in maintenance mode. */
  inMaintenance?(): boolean
}

/** Time limit for sending a request. */
export const REQUEST_TIMEOUT_MS = 30_000

/** Time limit for sending a form: forms are short, and strangers may send them. */
export const SHORT_BODY_TIMEOUT_MS = 5_000

/**
 * The maximum number of requests in flight in one process. At twice the load that the process can serve it keeps its full
 * throughput, and no request waits longer than these take. Further requests are refused before any work is done for them.
 */
const MAX_IN_FLIGHT = 1_000
const BUSY_RETRY_S = 1

/** The bodies that may arrive at the same time. A body has at most 1 MB, so their memory is bounded as well. */
const ARRIVING_BODIES = { max_per_address: 200, max_connections: 2_000, max_bytes: 256 * 1_048_576 }

/** Retry-After during maintenance. */
const MAINTENANCE_RETRY_S = 60

/**
 * Respond 503 after this time if the database does not answer, for example because it is frozen or the network is broken.
 * The outcome of a write is then unknown: it may still happen later.
 */
const ANSWER_TIMEOUT_MS = 35_000

/** Time for which a connection may go on sending a body after its answer. */
const LINGER_MS = 5_000

/**
 * Admit or refuse requests before any work is done for them: too many in flight, maintenance, an unknown address and
 * the like. A request takes its place when its body has arrived, so that a connection that sends none takes nothing
 * away from others (docs/decisions/0015).
 */
export function addAdmission(server: FastifyInstance, options: AdmissionOptions): void {
  const limiter = createInFlightLimiter(MAX_IN_FLIGHT)
  const arriving = createArrivingBodies(ARRIVING_BODIES)
  endLateRequests(server, limiter, options.answer_timeout_ms ?? ANSWER_TIMEOUT_MS)
  server.decorateRequest('place', undefined)
  server.decorateRequest('place_holder', undefined)

  refuseAmbiguousRequests(server)
  server.addHook('onRequest', async (request, reply) => {
    const address = clientGroup(request)
    const has_arrived = await hasArrived(request)
    if (!has_arrived) watchBody(arriving, request, reply)
    if (needsPlace(request)) {
      if (has_arrived) request.place = limiter.acquire(reply, address)
      const is_admitted = has_arrived ? request.place : limiter.hasPlace(address)
      if (!is_admitted) await refuseAsBusy(limiter)
    }
    if (options.inMaintenance?.() && !request.routeOptions.config?.open_in_maintenance)
      throw new Unavailable(getMessage('service.maintenance'), MAINTENANCE_RETRY_S)
    checkHead(request)
  })
  // The body has arrived and the caller is known: all hooks of scopes come later, or before the body.
  server.addHook('preValidation', async (request, reply) => {
    if (!needsPlace(request)) return
    request.place ??= limiter.acquire(reply, clientGroup(request))
    const { place, place_holder } = request
    if (!place || (place_holder && !limiter.assign(place, place_holder))) await refuseAsBusy(limiter)
  })
}

/** The client, as places and arriving bodies are counted. A connection that was lost meanwhile has no address. */
function clientGroup(request: FastifyRequest): string {
  return addressGroup(request.ip ?? '')
}

function needsPlace({ routeOptions: { config } }: FastifyRequest): boolean {
  return !config?.open_in_maintenance && !config?.waits_for_third_party
}

async function refuseAsBusy(limiter: InFlightLimiter): Promise<never> {
  await limiter.waitToRefuse()
  throw new Unavailable(getMessage('service.busy'), BUSY_RETRY_S)
}

/**
 * Return true if a request is complete. A short body is in the same packet as its headers, and is parsed right after
 * them.
 */
async function hasArrived({ raw }: FastifyRequest): Promise<boolean> {
  if (!announcesBody(raw)) return true
  await undefined
  return raw.complete
}

function watchBody(arriving: ArrivingBodies, request: FastifyRequest, reply: FastifyReply): void {
  const { headers, raw } = request
  const limit = request.routeOptions.bodyLimit
  const length = Number(headers['content-length'] ?? limit)
  arriving.watch(raw, {
    address: clientGroup(request),
    bytes: Math.min(length, limit),
    timeout_ms: bodyTimeout(request),
    end(reason) {
      if (raw.complete) return
      if (reply.sent) raw.destroy()
      else
        closeAfter(
          reply,
          reason === 'slow' ? new BodyTimeout() : new Unavailable(getMessage('service.busy'), BUSY_RETRY_S),
        )
    },
  })
  reply.raw.once('finish', () => {
    setTimeout(() => raw.complete || raw.destroy(), LINGER_MS).unref()
  })
}

function bodyTimeout({ headers, routeOptions }: FastifyRequest): number {
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return SHORT_BODY_TIMEOUT_MS
  return routeOptions.config?.body_timeout_ms ?? REQUEST_TIMEOUT_MS
}

function closeAfter(reply: FastifyReply, refusal: Refusal): void {
  reply.header('connection', 'close').send(refusal)
}

/**
 * Refuse requests that a proxy before us may have read differently, and everything that follows on their connection: it
 * may be a part of them. The hook runs before Node parses the next request of a packet, so it must not be asynchronous.
 */
function refuseAmbiguousRequests(server: FastifyInstance): void {
  const distrusted = new WeakSet<Socket>()
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const fault = distrusted.has(socket)
      ? 'The request follows one that is not valid HTTP.'
      : findAmbiguity(request.raw)
    if (!fault) return done()
    distrusted.add(socket)
    reply.header('connection', 'close')
    done(new Malformed(fault))
  })
}

function findAmbiguity(message: IncomingMessage): string | undefined {
  const { headers, httpVersion, rawHeaders } = message
  const hosts = countHosts(rawHeaders)
  if (hosts > 1) return 'The request has more than one Host header.'
  if (hosts === 0 && httpVersion === '1.1') return 'The request has no Host header.'
  if (headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined)
    return 'The request has both Content-Length and Transfer-Encoding.'
  const repeated = normalizeHeaders(message)
  return repeated && `The header ${repeated} comes more than once, with different values.`
}

/** Refuse a request whose first line or headers are wrong. */
function checkHead(request: FastifyRequest): void {
  const { headers, is404, query, routeOptions } = request
  if (Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit) throw new TooLarge(routeOptions.bodyLimit)
  if (is404) throw new NotFound()
  const { produces = 'application/json', also_produces = [] } = routeOptions.config
  const offered = [produces, also_produces].flat()
  if (!offered.some((type) => accepts(headers.accept, type))) throw new NotAcceptable()
  const { format } = query as { format?: string }
  const is_api = addressPattern(request)?.startsWith('/api/')
  if (is_api && format !== undefined && !offered.some((type) => type === FORMATS[format])) throw new NotAcceptable()
}

/** Values of the parameter `format`. Addresses of the API that do not offer a format answer 406. */
const FORMATS: Readonly<Record<string, string | undefined>> = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

/** Node keeps the first of several Host headers; a proxy before us may have read another one. */
function countHosts(raw_headers: readonly string[]): number {
  let count = 0
  for (let index = 0; index < raw_headers.length; index += 2) {
    const name = raw_headers[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Return true if an Accept header allows a media type. A missing or empty header allows all. */
function accepts(accept: string | undefined, media_type: string): boolean {
  if (!accept?.trim()) return true
  const allowed = ['*/*', `${media_type.split('/')[0]}/*`, media_type]
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return allowed.includes(type) && !parameters.some((p) => /^q=0(\.0*)?$/.test(p))
  })
}

/** Answer requests that have waited too long for the database. */
function endLateRequests(server: FastifyInstance, limiter: InFlightLimiter, timeout_ms: number): void {
  const timer = setInterval(() => {
    for (const reply of limiter.findWaiting(timeout_ms)) reply.send(new Unavailable(getMessage('service.unavailable')))
  }, 1_000).unref()
  server.addHook('onClose', async () => clearInterval(timer))
}
