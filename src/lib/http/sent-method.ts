import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import findMyWay from 'find-my-way'

/** All methods that the service knows. An address answers 405 to those that it does not offer. */
export const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** The methods of requests that were routed as TRACE. */
const sent_methods = new WeakMap<IncomingMessage, string>()

/** Rules by which the addresses of requests are read. */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 200 } as const

/** The addresses that offer some methods only. */
export interface Addresses {
  add(url: string, routed: ReadonlySet<string>): void
  /** Send a request whose method has no route at its address to the route that refuses it. */
  routeOthers(raw: IncomingMessage, url: string): void
}

/** Open the list of a server's addresses. Requests look here before they look for their route. */
export function openAddresses(): Addresses {
  const router = findMyWay(ROUTER_OPTIONS)
  return {
    add(url, routed) {
      router.on('GET', url, () => {}, routed)
    },
    routeOthers(raw, url) {
      const { method = '' } = raw
      if (method === 'HEAD') return
      const known = methods.some((one) => one === method)
      const routed: ReadonlySet<string> | undefined = known ? router.find('GET', url)?.store : undefined
      if (!known || routed?.has(method) === false) routeElsewhere(raw)
    },
  }
}

/**
 * Route a request like TRACE, which no address offers: its method has no route at its address, or is unknown, such as
 * PROPFIND. A route for each of the thirty methods that Node reads would make ten times as many routes.
 */
function routeElsewhere(raw: IncomingMessage): void {
  sent_methods.set(raw, raw.method ?? '')
  raw.method = 'TRACE'
}

/** Give a request that has its route the method back with which it was sent, unless it is unknown. */
export function restoreMethod(raw: IncomingMessage): void {
  const sent = sent_methods.get(raw)
  if (methods.some((one) => one === sent)) raw.method = sent
}

/** The method of a request, as it was sent. */
export function sentMethod({ raw, method }: Pick<FastifyRequest, 'raw' | 'method'>): string {
  return sent_methods.get(raw) ?? method
}
