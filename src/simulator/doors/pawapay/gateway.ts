import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wordsOf } from './numbers.ts'
import { isSignedRequest } from './signatures.ts'
import { API_TOKEN, type OperationName, operations, type PawapaySwitches, type PawapayWorld } from './switches.ts'

/** A refusal in the network's form. */
export function failure(failureCode: string, failureMessage = wordsOf(failureCode)) {
  return { failureReason: { failureCode, failureMessage } }
}

/** A refusal of an order, with its id where it was given. */
export function refusal(operation: OperationName, id: unknown, code: string, words?: string) {
  return {
    ...(typeof id === 'string' && { [operations[operation].id]: id }),
    status: 'REJECTED',
    ...failure(code, words),
  }
}

/** Checks the token of every call. */
export function addGateway(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers
    if (authorization === undefined) return reply.code(401).send(failure('NO_AUTHENTICATION'))
    if (authorization !== `Bearer ${API_TOKEN}`) return reply.code(403).send(failure('AUTHENTICATION_ERROR'))
  })
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not Found', status: 404 }))
}

/** Checks what the dashboard says about an operation. @returns the refusal, which is sent; undefined when the order may go on */
export function refuseOrder(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    operation,
    id,
    switches,
    world,
  }: { operation: OperationName; id: unknown; switches: PawapaySwitches; world: PawapayWorld },
): FastifyReply | undefined {
  const { method, originalUrl, headers } = request
  const is_signed = headers.signature !== undefined
  const path = originalUrl.split('?')[0]!
  const signed = {
    method,
    path,
    headers: headers as Record<string, string>,
    body: request.body as string,
    now: world.real(),
  }
  if (switches.signed_requests_only && !is_signed) return forbid(reply, operation, id, 'HTTP_SIGNATURE_ERROR')
  if (is_signed && switches.request_public_key !== '' && !isSignedRequest(signed, switches))
    return forbid(reply, operation, id, 'HTTP_SIGNATURE_ERROR')
  if (!switches[`${operation}_allowed`]) return forbid(reply, operation, id, `${operation.toUpperCase()}_NOT_ALLOWED`)
  return undefined
}

function forbid(reply: FastifyReply, operation: OperationName, id: unknown, code: string): FastifyReply {
  return reply.code(403).send(refusal(operation, id, code))
}
