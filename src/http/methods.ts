import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import { MethodNotAllowed } from './errors.ts'
import type { Server } from './server.ts'

/** All methods that the service knows. An address answers 405 to those that it does not offer. */
const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** The methods of requests that no route knows, such as PROPFIND. */
const sent_methods = new WeakMap<IncomingMessage, string>()

/**
 * Lets a request with a method that no route knows be refused as one with TRACE is: no address offers that. A route for each of
 * the thirty methods that Node reads would make five times as many routes.
 */
export function replaceUnknownMethod(raw: IncomingMessage): void {
  const { method = '' } = raw
  if (method === 'HEAD' || methods.some((one) => one === method)) return
  sent_methods.set(raw, method)
  raw.method = 'TRACE'
}

/** The method of a request, as it was sent. */
export function sentMethod({ raw, method }: Pick<FastifyRequest, 'raw' | 'method'>): string {
  return sent_methods.get(raw) ?? method
}

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
