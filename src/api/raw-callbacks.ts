import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { Throttled } from '../core/refusals.ts'
import type { Throttle } from '../http/throttle.ts'
import type { RawCallback } from '../networks/network.ts'

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** Headers that are worth keeping; credentials are not. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Lets the routes of this scope take whatever a network may send: what counts is the raw text, over which it signs. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) => body,
  )
  scope.addHook('onRequest', async ({ headers }) => {
    // Fastify would refuse what is no media type at all before anybody could read it.
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type']))
      headers['content-type'] = 'text/plain'
  })
}

/** What a network has sent, word for word. */
export function readRawCallback(request: FastifyRequest): RawCallback {
  const body = typeof request.body === 'string' ? request.body.replaceAll('\0', '') : ''
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  )
  return { headers, body }
}

/** Anybody can knock, so those who prove nothing are counted by their address. @throws Throttled */
export async function countUnverifiedCallback(app: App, throttle: Throttle, request: FastifyRequest): Promise<void> {
  const verdict = await throttle.take(`callback ${request.ip}`, app.config.WRITES_PER_MINUTE)
  if (!verdict.allowed) throw new Throttled(verdict.retry_after_s)
}
