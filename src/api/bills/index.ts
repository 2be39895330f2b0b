import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { findExistingNames } from '../../core/access/signing-users.ts'
import { NotFound } from '../../core/refusals.ts'
import { SHORT_BODY_TIMEOUT_MS } from '../../http/admission.ts'
import { billErrorBody } from '../../http/bill-errors.ts'
import { TooLarge } from '../../http/errors.ts'
import { withOtherMethods } from '../../http/methods.ts'
import type { Server } from '../../http/server.ts'
import type { ApiKeyCache } from '../api-key-cache.ts'
import type { Guard } from '../guard.ts'
import { createLookUpLimit } from '../look-up-limit.ts'
import { addAccountHolders } from './account-holders.ts'
import { findSigner, identifyByKey, isSigned, type Signer, verifyBody } from './authenticate.ts'
import { addBalance } from './balance.ts'
import { gatherFields } from './fields.ts'
import { addProducts } from './products.ts'
import { addPurchases } from './purchases.ts'
import { addServices } from './services.ts'

/**
 * Add the bill-payment API (interface 4.5): all routes under `/api/gateway`, also reachable under `/api/baxipay`. It
 * has its own error format and its own kinds of credentials, and all its routes need the permission to pay bills.
 */
export function addBills(server: Server, app: App, access: { api_keys: ApiKeyCache; guard: Guard }): void {
  server.register(
    async (scope) => {
      const routes = scope as unknown as Server
      routes.addHook('onRoute', (route) => {
        route.config = {
          ...(!route.schema?.hide && { permission: 'pay_bills' }),
          formatError: billErrorBody,
          body_timeout_ms: SHORT_BODY_TIMEOUT_MS,
          ...route.config,
        }
      })
      addGuard(routes, app, access)
      withOtherMethods(routes, () => {
        addServices(routes, app)
        addProducts(routes, app)
        addAccountHolders(routes, app)
        addBalance(routes, app)
        addPurchases(routes, app)
      })
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
  const names = createLookUpLimit((usernames) => findExistingNames(app.db, usernames))
  routes.decorateRequest('bytes', undefined)
  routes.decorateRequest('signed_by', undefined)
  routes.addHook('onRequest', async (request, reply) => {
    if (!isSigned(request)) return guard(request, reply, () => identifyByKey(api_keys, request, app.config.CELL))
    // Without a known name the body is not waited for. The request is counted once: here, or when its body is checked.
    await findSigner(app, names, request).then(
      (signer) => {
        request.signed_by = signer
      },
      (refusal) => guard(request, reply, () => Promise.reject(refusal)),
    )
  })
  routes.addHook('preParsing', async (request, reply, payload) => {
    const { signed_by } = request
    const is_read = request.method === 'GET' || request.method === 'HEAD'
    if (!signed_by && !is_read) return payload
    const bytes = await readAll(payload, request.routeOptions.bodyLimit)
    request.bytes = bytes
    if (signed_by) await guard(request, reply, async () => verifyBody(signed_by, request, bytes))
    return Readable.from([bytes])
  })
  routes.addHook('preValidation', async (request: FastifyRequest) => gatherFields(request, request.bytes))
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body of a signed request or of a GET. */
    bytes?: Buffer
    /** Signer of a request, before the signature is checked. */
    signed_by?: Signer
  }
}

/** Read a body into memory. @throws TooLarge */
async function readAll(payload: AsyncIterable<Buffer>, max_bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > max_bytes) throw new TooLarge(max_bytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
