import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
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
 * The bill counter (interface 4.5): everything under `/api/gateway`, which is also found as `/api/baxipay`. It speaks a
 * dialect of its own, takes credentials of its own, and asks for one permission.
 */
export function addBills(server: Server, app: App, doors: { doorkeeper: ApiKeyCache; guard: Guard }): void {
  server.register(
    async (scope) => {
      const counter = scope as unknown as Server
      counter.addHook('onRoute', (route) => {
        route.config = {
          ...(!route.schema?.hide && { permission: 'pay_bills' }),
          formatError: billErrorBody,
          ...route.config,
        }
      })
      addGuard(counter, app, doors)
      addServices(counter, app)
      addProducts(counter, app)
      addAccountHolders(counter, app)
      addBalance(counter, app)
      addPurchases(counter, app)
      // What is not here is refused in the counter's own words, too. Fastify takes the config; its types do not say so.
      const elsewhere = { config: { formatError: billErrorBody } } as object
      counter.setNotFoundHandler(elsewhere, () => {
        throw new NotFound()
      })
    },
    { prefix: '/api/gateway' },
  )
}

function addGuard(counter: Server, app: App, { doorkeeper, guard }: { doorkeeper: ApiKeyCache; guard: Guard }): void {
  counter.decorateRequest('bytes', undefined)
  counter.addHook('onRequest', async (request, reply) => {
    if (!isSigned(request)) await guard(request, reply, () => identifyByKey(app, doorkeeper, request))
  })
  counter.addHook('preParsing', async (request, reply, payload) => {
    const is_read = request.method === 'GET' || request.method === 'HEAD'
    if (!isSigned(request) && !is_read) return payload
    const bytes = await readAll(payload)
    request.bytes = bytes
    if (isSigned(request)) await guard(request, reply, () => identifyBySignature(app, request, bytes))
    return Readable.from([bytes])
  })
  counter.addHook('preValidation', async (request: FastifyRequest) => gatherFields(request, request.bytes))
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came: of signed requests, and of a GET. */
    bytes?: Buffer
  }
}

/** @throws TooLarge */
async function readAll(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of payload) {
    size += part.length
    if (size > MAX_BODY_BYTES) throw new TooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}
