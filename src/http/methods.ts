import type { HTTPMethods } from 'fastify'
import { methods, sentMethod } from '../lib/http/sent-method.ts'
import { MethodNotAllowed } from './errors.ts'
import type { Server } from './server.ts'

/**
 * Adds the remaining methods of an address after its routes: OPTIONS lists the offered methods, all others answer 405;
 * both send the Allow header. Call it once per address. The methods of `routed` have a route that refuses them by itself.
 */
export function refuseOtherMethods(
  server: Server,
  url: string,
  offered: readonly HTTPMethods[],
  routed: readonly HTTPMethods[] = [],
): void {
  const allow = allowHeader(offered)
  server.route({
    method: 'OPTIONS',
    url,
    config: { allow },
    schema: { hide: true },
    handler: (_request, reply) => reply.header('allow', allow).send(),
  })
  server.route({
    method: methods.filter((method) => method !== 'OPTIONS' && ![...offered, ...routed].includes(method)),
    url,
    config: { allow, method_not_allowed: true },
    schema: { hide: true },
    handler: (request) => {
      throw new MethodNotAllowed(sentMethod(request), allow)
    },
  })
}

/** Whether a method only reads. Such requests count as reads, and a read-only key may send them. */
export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** The Allow header, in the order that existing clients know: `GET, POST, HEAD, OPTIONS`. */
function allowHeader(offered: readonly HTTPMethods[]): string {
  const listed = [...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  return listed.join(', ')
}
