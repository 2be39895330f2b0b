import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { words } from './codes.ts'
import { KEYS, type VtpassWorld } from './switches.ts'

/** An answer with a code and nothing else. */
export function refusal(code: string, more = '') {
  return { code, content: { errors: words[code] }, response_description: (words[code] ?? code) + more }
}

/** The JSON object in a body, or the fields of a form; undefined for anything else. */
export function readBody({ body, headers }: FastifyRequest): JsonObject | undefined {
  if (/x-www-form-urlencoded/.test(headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(String(body)))
  try {
    const parsed: unknown = JSON.parse(String(body))
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Check the keys: queries (GET) have the public one, all other calls the secret one. */
export function addGateway(server: FastifyInstance, world: VtpassWorld): void {
  server.addHook('preHandler', async (request, reply) => {
    const { host } = await world.switches()
    const { api_key, public_key, secret_key } = KEYS[host]
    const { 'api-key': given, 'public-key': for_questions, 'secret-key': for_purchases } = request.headers
    const fits = request.method === 'GET' ? for_questions === public_key : for_purchases === secret_key
    if (given !== api_key || !fits) return reply.send(refusal('087'))
  })
}
