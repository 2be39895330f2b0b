import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Caller } from '../core/access/api-keys.ts'
import { describeLimit } from '../core/access/request-limits.ts'
import { Throttled } from '../core/refusals.ts'
import { isReadMethod, refuseMethod } from '../http/methods.ts'
import { rateLimitHeaders } from '../http/throttle.ts'
import { authorize, countRequest } from './authenticate.ts'

/**
 * Admit or refuse a request. The order of checks is part of the contract: 401, 403, 429, 405, and then the body
 * (interface-gaps: Errors). A request without a valid caller counts against the rate limit of its IP address.
 * @param identify finds the caller, or throws the refusal for this part of the interface.
 */
export type Guard = (request: FastifyRequest, reply: FastifyReply, identify: () => Promise<Caller>) => Promise<void>

/** Create the guard of the API, which counts requests. */
export function createGuard(app: App): Guard {
  return async (request, reply, identify) => {
    const { permission } = request.routeOptions.config
    const caller = await identify().catch(async (refusal: unknown) => {
      const verdict = await countRequest(app, request, undefined)
      reply.headers(rateLimitHeaders(verdict))
      throw verdict.allowed ? refusal : new Throttled(verdict.retry_after_s)
    })
    request.caller = caller
    request.place_holder = `organization ${caller.organization}`
    const verdict = await countRequest(app, request, caller)
    reply.headers(rateLimitHeaders(verdict))
    if (permission) authorize(caller, permission, request.method)
    if (!verdict.allowed) {
      const kind = isReadMethod(request.method) ? 'read' : 'write'
      throw new Throttled(verdict.retry_after_s, describeLimit(kind, verdict.limit, app.config))
    }
    refuseMethod(request)
  }
}
