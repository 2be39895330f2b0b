import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSignedRequest } from './signatures.ts'
import { API_TOKEN, type OperationName, type PawapaySwitches, type PawapayWorld } from './switches.ts'
import { v1 } from './v1.ts'
import { v2 } from './v2.ts'
import type { Fault } from './wire.ts'

/** Check the token of every call. */
export function addGateway(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers
    const form = request.routeOptions.url?.includes('/v2/') ? v2 : v1
    if (authorization === undefined) return reply.code(401).send(form.fail('NO_AUTHENTICATION'))
    if (authorization !== `Bearer ${API_TOKEN}`) return reply.code(403).send(form.fail('AUTHENTICATION_ERROR'))
  })
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not Found', status: 404 }))
}

/** Check an operation against the dashboard's settings. @returns the reason for a refusal; undefined if it may go on */
export function findFault(
  { method, originalUrl, headers, body }: FastifyRequest,
  operation: OperationName,
  switches: PawapaySwitches,
  world: PawapayWorld,
): Fault | undefined {
  const is_signed = headers.signature !== undefined
  const signed = {
    method,
    path: originalUrl.split('?')[0]!,
    headers: headers as Record<string, string>,
    body: body as string,
    now: world.real(),
  }
  if (switches.signed_requests_only && !is_signed) return { code: 'HTTP_SIGNATURE_ERROR', status: 403 }
  if (is_signed && switches.request_public_key !== '' && !isSignedRequest(signed, switches))
    return { code: 'HTTP_SIGNATURE_ERROR', status: 403 }
  if (!switches[`${operation}_allowed`]) return { code: `${operation.toUpperCase()}_NOT_ALLOWED`, status: 403 }
  return undefined
}
