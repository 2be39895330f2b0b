import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import findMyWay from 'find-my-way'

/** All methods that the service knows. An address answers 405 to those that it does not offer. */
export const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Rules by which the addresses of requests are read. */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 200 } as const

/** An address that offers some methods only. */
export interface Address {
  /** Pattern of its routes, such as `/api/collectionrequests/:id`. */
  url: string
  /** The methods that have a route here. */
  routed: ReadonlySet<string>
  /** The Allow header. */
  allow: string
  /** Path of the route that answers all other methods, with the hooks of this address. */
  others: string
}

/** The addresses of a server. */
export interface Addresses {
  add(address: Address): void
  /**
   * Send a request to a route that can answer it: HEAD to GET, and a method without a route at its address to the one that
   * answers such methods. Returns the URL to look for.
   */
  reroute(raw: IncomingMessage, url: string): string
}

/** A request that is looked for under another method or URL than its own. */
interface Rerouted {
  method: string
  url: string
  address?: Address
  params?: object
}

const rerouted = new WeakMap<IncomingMessage, Rerouted>()

/** Open the list of a server's addresses. Requests look here before they look for their route. */
export function openAddresses(): Addresses {
  const router = findMyWay(ROUTER_OPTIONS)
  return {
    add(address) {
      router.on('GET', address.url, () => {}, address)
    },
    reroute(raw, url) {
      const { method = '' } = raw
      if (method === 'HEAD') {
        // The answer tells the length of the whole body: @fastify/compress leaves it as it is.
        raw.headers['x-no-compression'] = ''
        return routeAs('GET', raw, { method, url })
      }
      const is_known = methods.some((one) => one === method)
      const found = router.find('GET', url)
      const address: Address | undefined = found?.store
      if (!address) return is_known ? url : routeAs('TRACE', raw, { method, url })
      if (is_known && address.routed.has(method)) return url
      routeAs('TRACE', raw, { method, url, address, params: found!.params })
      return address.others + url.slice(url.split('?', 1)[0]!.length)
    },
  }
}

/** Have a request looked for under a method that routes have: no address offers TRACE, and none has a route for PROPFIND. */
function routeAs(method: HTTPMethods, raw: IncomingMessage, sent: Rerouted): string {
  rerouted.set(raw, sent)
  raw.method = method as string
  return sent.url
}

/** Give a request that has its route what it was sent with: its URL, and its method unless that is unknown. */
export function restoreRequest(request: FastifyRequest): void {
  const sent = rerouted.get(request.raw)
  if (!sent) return
  request.raw.url = sent.url
  if (sent.params) request.params = sent.params
  if (sent.method === 'HEAD' || methods.some((one) => one === sent.method)) request.raw.method = sent.method
}

/** The method of a request, as it was sent. */
export function sentMethod({ raw, method }: Pick<FastifyRequest, 'raw' | 'method'>): string {
  return rerouted.get(raw)?.method ?? method
}

/** The address of a request whose method has no route there. */
export function addressWithoutMethod(raw: IncomingMessage): Address | undefined {
  return rerouted.get(raw)?.address
}

/** The pattern of a request's address; undefined if it has none. */
export function addressPattern({
  raw,
  routeOptions,
}: Pick<FastifyRequest, 'raw' | 'routeOptions'>): string | undefined {
  return rerouted.get(raw)?.address?.url ?? routeOptions.url
}
