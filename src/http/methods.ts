import type { FastifyRequest } from 'fastify'
import { type Addresses, methods, sentMethod } from '../lib/http/sent-method.ts'
import { MethodNotAllowed } from './errors.ts'
import type { Server } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    address_methods: Addresses
  }
}

/**
 * Add routes to a scope, and for each of their addresses one that answers all other methods: OPTIONS with the offered ones,
 * the rest with 405; both send the Allow header. Routes of scopes inside are included.
 */
export function withOtherMethods(scope: Server, addRoutes: () => void): void {
  const addresses = new Map<string, Address>()
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
    for (const [url, address] of addresses) {
      last.address_methods.add(url, address.routed)
      addOtherMethods(last as unknown as Server, url.slice(scope.prefix.length), allowHeader(address.offered))
    }
  })
}

/** The methods of one address: those that callers may use, and those that have a route. */
interface Address {
  offered: Set<string>
  routed: Set<string>
}

function addOtherMethods(server: Server, url: string, allow: string): void {
  server.route({
    method: 'TRACE',
    url,
    config: { allow },
    schema: { hide: true },
    handler: (request, reply) => {
      refuseMethod(request)
      return reply.header('allow', allow).send()
    },
  })
}

/** Refuse a request whose address does not offer its method. @throws MethodNotAllowed */
export function refuseMethod(request: Pick<FastifyRequest, 'method' | 'raw' | 'routeOptions'>): void {
  const { allow } = request.routeOptions.config
  if (allow !== undefined && request.method !== 'OPTIONS') throw new MethodNotAllowed(sentMethod(request), allow)
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
