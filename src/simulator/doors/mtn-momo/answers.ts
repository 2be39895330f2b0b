import type { FastifyReply, FastifyRequest } from 'fastify'

/** The header of a request, when it is there exactly once. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** An error of the gateway. */
export function sendGatewayError(reply: FastifyReply, statusCode: number, message: string) {
  return reply.code(statusCode).send({ statusCode, message })
}

/** An error of the wallet platform. */
export function sendError(reply: FastifyReply, status: number, code: string | undefined, message: string) {
  return reply.code(status).send({ message, ...(code !== undefined && { code }) })
}

/** Answer that an object does not exist. */
export function sendNotFound(reply: FastifyReply, code = 'RESOURCE_NOT_FOUND') {
  return sendError(reply, 404, code, 'Requested resource was not found.')
}
