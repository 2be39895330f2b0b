import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressPattern } from '../lib/http/sent-method.ts'
import type { ActiveSpan, Tracing } from '../lib/tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The collection request that this request has made, for its log line. */
    made_request: number | null
    /** The span of this request; null while traces are off, and before it has passed its checks. */
    span: ActiveSpan<'http_request'> | null
  }
}

/** Parts of the service whose requests are traced. Console pages and programs that poll every few seconds are not. */
const TRACED = /^\/(api|console\/api|pay)\//
/** Callbacks belong to the traces of their collection requests (core/callback-reports.ts). */
const CALLBACKS = /^\/api\/callbacks\//

/**
 * Make a span for each request that has passed authentication and throttling, so that strangers cannot fill the
 * collector. It begins when the request did, and continues the trace of a caller that sends a `traceparent`.
 */
export function addRequestTraces(server: FastifyInstance, tracing: Tracing | null): void {
  server.decorateRequest('made_request', null)
  server.decorateRequest('span', null)
  if (!tracing) return
  server.addHook('preValidation', (request, reply, done) => {
    const route = addressPattern(request)
    if (route !== undefined && TRACED.test(route) && !CALLBACKS.test(route)) {
      const { traceparent } = request.headers
      request.span = tracing.start('http_request', {
        parent: typeof traceparent === 'string' && isOfCaller(route) ? traceparent : null,
        title: `${request.method} ${route}`,
        start_ms: Date.now() - reply.elapsedTime,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'kusanya.request_id': request.id,
        },
      })
    }
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const { span } = request
    span?.set({ 'http.response.status_code': reply.statusCode, 'kusanya.collection_request': requestOf(request) })
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    span?.end()
    done()
  })
}

/** Return true if the callers of a route have an account. Others could put spans into arbitrary traces. */
function isOfCaller(route: string): boolean {
  return !route.startsWith('/pay/')
}

/** The fields of the log that lead from a request to its collection request and to its trace. */
export function correlationOf(request: FastifyRequest): { collection_request?: number; trace_id?: string } {
  const collection_request = requestOf(request)
  return {
    ...(collection_request !== null && { collection_request }),
    ...(request.span && { trace_id: request.span.trace_id }),
  }
}

const NAMES_REQUEST = /\/collection-?requests\/:id(\/|$)/

/** The collection request that a request has made, or that its path names. */
function requestOf(request: FastifyRequest): number | null {
  const { made_request, params } = request
  if (made_request !== null && made_request !== undefined) return made_request
  if (!NAMES_REQUEST.test(addressPattern(request) ?? '')) return null
  const id = Number((params as { id?: unknown }).id)
  return Number.isSafeInteger(id) ? id : null
}

/** Return the origin of a collection request, for the log and for the trace that continues with it. */
export function originOf({ id, span }: FastifyRequest): { request_id: string; traceparent: string | null } {
  return { request_id: id, traceparent: span?.is_sampled ? span.traceparent : null }
}
