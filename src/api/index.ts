import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { Throttled } from '../core/refusals.ts'
import { MethodNotAllowed } from '../http/errors.ts'
import type { Server } from '../http/server.ts'
import { rateHeaders } from '../http/throttle.ts'
import { openThrottle } from '../http/throttle-shared.ts'
import { authenticate, authorize, countRequest, createDoorkeeper } from './authenticate.ts'
import { addCallbacks } from './callbacks.ts'
import { addCollectionRequests } from './collection-requests.ts'
import { addCurrencies } from './currencies.ts'
import { addEvents } from './events.ts'
import { addWebhooks } from './webhooks.ts'

/** Door 1: the interface. Everything under `/api`, but for the callback door, needs a key. */
export function addApi(server: Server, app: App): void {
  const doorkeeper = createDoorkeeper(app)
  const throttle = openThrottle({ redis_url: app.config.REDIS_URL, log: app.log })
  server.addHook('onClose', async () => {
    throttle.close?.()
    await doorkeeper.close()
  })
  addCallbacks(server, app, throttle)

  server.register(async (scope) => {
    const guarded = scope as unknown as Server
    // The order of checks is part of the contract: 401, 403, 429, 405, and only then the body (decisions, section 1).
    guarded.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      const { permission, not_allowed, allow } = request.routeOptions.config
      const caller = await authenticate(request, doorkeeper).catch(async (refusal: unknown) => {
        const verdict = await countRequest(throttle, app.config, request, undefined)
        reply.headers(rateHeaders(verdict))
        throw verdict.allowed ? refusal : new Throttled(verdict.retry_after_s)
      })
      request.caller = caller
      const verdict = await countRequest(throttle, app.config, request, caller)
      reply.headers(rateHeaders(verdict))
      if (permission) authorize(caller, permission, request.method)
      if (!verdict.allowed) throw new Throttled(verdict.retry_after_s)
      if (not_allowed) throw new MethodNotAllowed(request.method, allow!)
    })
    addCurrencies(guarded, app)
    addCollectionRequests(guarded, app)
    addEvents(guarded, app)
    addWebhooks(guarded, app)
  })
}
