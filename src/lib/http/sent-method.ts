import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, HTTPMethods } from 'fastify'

/** All methods that the service knows. An address answers 405 to those that it does not offer. */
export const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** The methods of requests that no route knows, such as PROPFIND. */
const sent_methods = new WeakMap<IncomingMessage, string>()

/**
 * Lets a request with an unknown method be refused like TRACE, which no address offers. A route for each of the thirty
 * methods that Node reads would make five times as many routes.
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
