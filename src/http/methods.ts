import { methods, sentMethod } from '../lib/http/sent-method.ts'
import { MethodNotAllowed } from './errors.ts'
import type { Server } from './server.ts'

/**
 * Add routes to a scope, and then the remaining methods of each of their addresses: OPTIONS lists the offered methods,
 * all others answer 405; both send the Allow header. Routes of scopes inside are included.
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
    for (const [url, address] of addresses)
      refuseOtherMethods(last as unknown as Server, url.slice(scope.prefix.length), address)
  })
}

/** The methods of one address: those that callers may use, and those that have a route. */
interface Address {
  offered: Set<string>
  routed: Set<string>
}

function refuseOtherMethods(server: Server, url: string, { offered, routed }: Address): void {
  const allow = allowHeader(offered)
  server.route({
    method: 'OPTIONS',
    url,
    config: { allow },
    schema: { hide: true },
    handler: (_request, reply) => reply.header('allow', allow).send(),
  })
  server.route({
    method: methods.filter((method) => method !== 'OPTIONS' && !routed.has(method)),
    url,
    config: { allow, method_not_allowed: true },
    schema: { hide: true },
    handler: (request) => {
      throw new MethodNotAllowed(sentMethod(request), allow)
    },
  })
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
