import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { NotFound } from '../../core/refusals.ts'
import { billErrorBody } from '../../http/bill-errors.ts'
import { TooLarge } from '../../http/errors.ts'
import { MAX_BODY_BYTES, type Server } from '../../http/server.ts'
import type { ApiKeyCache } from '../authenticate.ts'
import type { Guard } from '../guard.ts'
import { addAccountHolders } from './account-holders.ts'
import { identifyByKey, identifyBySignature, isSigned } from './authenticate.ts'
import { addBalance } from './balance.ts'
import { gatherFields } from './fields.ts'
import { addProducts } from './products.ts'
import { addPurchases } from './purchases.ts'
import { addServices } from './services.ts'

/**
 * Adds the bill-payment API (interface 4.5): all routes under `/api/gateway`, also reachable under `/api/baxipay`. It has
 * its own error format and its own kinds of credentials, and all its routes need the permission to pay bills.
 */
export function addBills(server: Server, app: App, access: { api_keys: ApiKeyCache; guard: Guard }): void {
  server.register(
    async (scope) => {
      const routes = scope as unknown as Server
      routes.addHook('onRoute', (route) => {
        route.config = {
          ...(!route.schema?.hide && { permission: 'pay_bills' }),
          formatError: billErrorBody,
          ...route.config,
        }
      })
      addGuard(routes, app, access)
      addServices(routes, app)
      addProducts(routes, app)
      addAccountHolders(routes, app)
      addBalance(routes, app)
      addPurchases(routes, app)
      // Unknown addresses get the same error format. Fastify accepts the config here, but its types do not know it.
      const config: FastifyContextConfig = { formatError: billErrorBody }
      routes.setNotFoundHandler({ config } as object, () => {
        throw new NotFound()
      })
    },
    { prefix: '/api/gateway' },
  )
}

function addGuard(routes: Server, app: App, { api_keys, guard }: { api_keys: ApiKeyCache; guard: Guard }): void {
  routes.decorateRequest('bytes', undefined)
  routes.addHook('onRequest', async (request, reply) => {
    if (!isSigned(request)) await guard(request, reply, () => identifyByKey(app, api_keys, request))
  })
  routes.addHook('preParsing', async (request, reply, payload) => {
    const is_read = request.method === 'GET' || request.method === 'HEAD'
    if (!isSigned(request) && !is_read) return payload
    const bytes = await readAll(payload)
    request.bytes = bytes
    if (isSigned(request)) await guard(request, reply, () => identifyBySignature(app, request, bytes))
    return Readable.from([bytes])
  })
  routes.addHook('preValidation', async (request: FastifyRequest) => gatherFields(request, request.bytes))
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body of a signed request or of a GET. */
    bytes?: Buffer
  }
}

/** Reads a body into memory. @throws TooLarge */
async function readAll(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
