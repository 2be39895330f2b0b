import type { HTTPMethods } from 'fastify'
import { MethodNotAllowed } from './errors.ts'
import type { Server } from './server.ts'

/** Every method that a request may come with; those that an address lacks are answered with 405. */
const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/**
 * Closes an address: after its routes are added, all other methods answer 405 with the Allow header, OPTIONS and HEAD
 * answer as HTTP says. Call it once per address.
 */
export function refuseOtherMethods(server: Server, url: string, offered: readonly HTTPMethods[]): void {
  const allow = allowHeader(offered)
  server.route({
    method: 'OPTIONS',
    url,
    config: { allow },
    schema: { hide: true },
    handler: (_request, reply) => reply.header('allow', allow).send(),
  })
  server.route({
    method: methods.filter((method) => method !== 'OPTIONS' && !offered.includes(method)),
    url,
    config: { allow, method_not_allowed: true },
    schema: { hide: true },
    handler: (request) => {
      throw new MethodNotAllowed(request.method, allow)
    },
  })
}

/** Whether a method changes nothing: it is counted among the reads, and a read-only key may use it. */
export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** `GET, POST, HEAD, OPTIONS`: the order that existing clients have seen. */
function allowHeader(offered: readonly HTTPMethods[]): string {
  const listed = [...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  return listed.join(', ')
}
