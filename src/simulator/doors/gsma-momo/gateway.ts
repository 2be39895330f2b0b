import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { errors, type GsmaError, showError, statusOf } from './codes.ts'
import { API_KEY, CONSUMER_KEY, CONSUMER_SECRET, type GsmaSwitches, type GsmaWorld } from './switches.ts'

/** The end of the base address: the version and `mm`. */
export const API = '/1.2.0/mm'
/** The addresses that the SDKs of the GSMA add to the base URL: with a token, and with HTTP Basic alone. */
export const SDK = { token: '/2/oauth/simulator/v1.2/mm', basic: '/simulator/v1.2/passthrough/mm' }
export const TOKENS = '/v1/oauth/accesstoken'

const switchesOfCalls = new WeakMap<FastifyRequest, GsmaSwitches>()

/** The switches as they were when the call came in. The address of the SDKs decides the level, where it is theirs. */
export function switchesOf(request: FastifyRequest): GsmaSwitches {
  return switchesOfCalls.get(request)!
}

/** Answers with an error of the standard. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  world: Pick<GsmaWorld, 'now'>,
  error: GsmaError,
  words?: string,
) {
  return reply.code(statusOf(error)).send(showError(error, switchesOf(request), world.now(), words))
}

/** The header of a request, when it is there exactly once. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The JSON object in a body; undefined for anything else. */
export function readBody(request: FastifyRequest): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(String(request.body))
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Checks what every call must have. Hooks apply to the routes that are added after this. */
export function addGateway(server: FastifyInstance, world: GsmaWorld): void {
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ message: 'no Route matched with those values' }),
  )
  server.addHook('onRequest', async (request, reply) => {
    const switches = await world.switches()
    const is_basic = request.routeOptions.url?.includes(SDK.basic) === true
    switchesOfCalls.set(request, is_basic ? { ...switches, security_level: 'development' } : switches)
    if (request.routeOptions.config.verb === 'token') return
    if (!(await isClient(request, world))) return sendError(request, reply, world, errors.client)
  })
  server.addHook('preHandler', async (request, reply) => {
    if (switchesOf(request).security_level !== 'enhanced' || request.routeOptions.config.verb === 'token') return
    if (header(request, 'x-date') === undefined)
      return sendError(request, reply, world, errors.missing, 'X-Date is missing')
    const body = String(request.body)
    const hash = createHash('sha256').update(body).digest('hex')
    if (body !== '' && header(request, 'x-content-hash') !== hash)
      return sendError(request, reply, world, errors.format, 'X-Content-Hash is not that of the content')
  })
  addTokenRoute(server, world)
}

async function isClient(request: FastifyRequest, world: GsmaWorld): Promise<boolean> {
  const authorization = header(request, 'authorization') ?? ''
  if (header(request, 'x-api-key') !== API_KEY) return false
  if (switchesOf(request).security_level === 'development') return isBasic(authorization)
  const [, token] = /^Bearer (.+)$/.exec(authorization) ?? []
  return token !== undefined && (await world.ownerOfToken(token)) !== undefined
}

function isBasic(authorization: string): boolean {
  return authorization === `Basic ${Buffer.from(`${CONSUMER_KEY}:${CONSUMER_SECRET}`).toString('base64')}`
}

/** Tokens are given out as OAuth 2 has it, so errors here have its form. `expires_in` is in seconds. */
function addTokenRoute(server: FastifyInstance, world: GsmaWorld): void {
  server.post(TOKENS, { config: { verb: 'token' } }, async (request, reply) => {
    if (!isBasic(header(request, 'authorization') ?? '')) return reply.code(401).send({ error: 'invalid_client' })
    const form = new URLSearchParams(String(request.body))
    if (form.get('grant_type') !== 'client_credentials')
      return reply.code(400).send({ error: 'unsupported_grant_type' })
    const { token_seconds: expires_in } = switchesOf(request)
    const access_token = await world.issueToken(CONSUMER_KEY, expires_in)
    return { access_token, token_type: 'Bearer', expires_in }
  })
}
