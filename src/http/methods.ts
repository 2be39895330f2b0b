import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../core/refusals.ts'
import { type Addresses, addressWithoutMethod, methods, sentMethod } from '../lib/http/sent-method.ts'
import { MethodNotAllowed } from './errors.ts'
import type { Server } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    address_methods: Addresses
  }
}

/**
 * Add routes to a scope, and one that answers all other methods at their addresses: OPTIONS with the offered ones, the rest
 * with 405; both send the Allow header. Routes of scopes inside are included.
 */
export function withOtherMethods(scope: Server, addRoutes: () => void): void {
  const addresses = new Map<string, { offered: Set<string>; routed: Set<string> }>()
  let is_complete = false
  scope.addHook('onRoute', ({ url, method, config }) => {
    if (is_complete) return
    const address = addresses.get(url) ?? { offered: new Set(), routed: new Set() }
    addresses.set(url, address)
    for (const one of [method].flat()) address.routed.add(one)
    for (const one of config?.offered ?? [method].flat()) address.offered.add(one)
  })
  addRoutes()
  // Registered last, so it runs after the scopes inside.
  scope.register(async (last) => {
    is_complete = true
    // A path that no caller knows.
    const others = `/${randomUUID()}`
    last.route({
      method: 'TRACE',
      url: others,
      config: { other_methods: true },
      schema: { hide: true },
      handler: answerOtherMethod,
    })
    for (const [url, { offered, routed }] of addresses)
      last.address_methods.add({ url, routed, allow: allowHeader(offered), others: scope.prefix + others })
  })
}

/** Answer OPTIONS. @throws MethodNotAllowed */
function answerOtherMethod(request: FastifyRequest, reply: FastifyReply) {
  refuseMethod(request)
  const address = addressWithoutMethod(request.raw)
  if (!address) throw new NotFound()
  return reply.header('allow', address.allow).send()
}

/** Refuse a request whose address does not offer its method. @throws MethodNotAllowed */
export function refuseMethod(request: Pick<FastifyRequest, 'method' | 'raw'>): void {
  const address = addressWithoutMethod(request.raw)
  if (address && request.method !== 'OPTIONS') throw new MethodNotAllowed(sentMethod(request), address.allow)
}

/** Return true if a method only reads. Such requests count as reads, and a read-only key may send them. */
export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** The Allow header, in the order that existing clients know: `GET, POST, HEAD, OPTIONS`. */
function allowHeader(offered: ReadonlySet<string>): string {
  const listed = methods.filter((method) => offered.has(method))
  return [...listed, ...(offered.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}
