import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { Throttled } from '../core/refusals.ts'
import type { Throttle } from '../http/throttle.ts'
import type { RawCallback } from '../networks/network.ts'

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** Headers that are not stored, because they hold credentials. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Makes the routes of this scope accept any body as raw text, because networks sign the raw text. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) => body,
  )
  scope.addHook('onRequest', async ({ headers }) => {
    // Fastify would refuse a Content-Type that is not a valid media type before the body is read.
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type']))
      headers['content-type'] = 'text/plain'
  })
}

/** The callback of a request: the raw body, without null characters, and the headers without credentials. */
export function readRawCallback(request: FastifyRequest): RawCallback {
  const body = typeof request.body === 'string' ? request.body.replaceAll('\0', '') : ''
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  )
  return { headers, body }
}

/** Counts an unverified callback against its IP address, since anyone can send one. @throws Throttled */
export async function countUnverifiedCallback(app: App, throttle: Throttle, request: FastifyRequest): Promise<void> {
  const verdict = await throttle.take(`callback ${request.ip}`, app.config.WRITES_PER_MINUTE)
  if (!verdict.allowed) throw new Throttled(verdict.retry_after_s)
}
