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

/** The switches as they were when the call came in. Some are decided by the addresses of the SDKs. */
export function switchesOf(request: FastifyRequest): GsmaSwitches {
  return switchesOfCalls.get(request)!
}

/** The refusal of a call. */
export interface Refusal {
  error: GsmaError
  words?: string
}

/** Answer with an error of the standard. */
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

/** Answer with one page of a list and the total count. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, world: Pick<GsmaWorld, 'now'>, list: object[]) {
  const { limit = String(DEFAULT_LINES), offset = '0' } = request.query as Record<string, string>
  if (![limit, offset].every((text) => /^\d{1,9}$/.test(text))) return sendError(request, reply, world, errors.offset)
  const page = list.slice(Number(offset), Number(offset) + Math.min(MAX_LINES, Number(limit)))
  reply.header('x-records-available-count', list.length)
  reply.header('x-records-returned-count', page.length)
  return reply.send(page)
}

const DEFAULT_LINES = 50
const MAX_LINES = 100

/** Add a change. Clients that cannot send PATCH send POST, and name the method in a header. */
export function addPatch(
  server: FastifyInstance,
  path: string,
  verb: string,
  change: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  server.patch(path, { config: { verb } }, change)
  server.post(path, { config: { verb } }, async (request, reply) =>
    header(request, 'x-http-method-override')?.toUpperCase() === 'PATCH' ? change(request, reply) : sendNoRoute(reply),
  )
}

export function sendNoRoute(reply: FastifyReply) {
  return reply.code(404).send({ message: 'no Route matched with those values' })
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

/** The headers of calls that create or change something. */
export interface CallHeaders {
  correlation_id?: string
  callback_url?: string
}

/** Read the correlation id and the address for the callback. */
export function readHeaders(request: FastifyRequest): CallHeaders | Refusal {
  const correlation_id = header(request, 'x-correlationid')
  const callback_url = header(request, 'x-callback-url')
  if (correlation_id !== undefined && !UUID.test(correlation_id))
    return { error: errors.format, words: 'X-CorrelationID' }
  if (callback_url !== undefined && !URL.canParse(callback_url))
    return { error: errors.format, words: 'X-Callback-URL' }
  return {
    ...(correlation_id !== undefined && { correlation_id: correlation_id.toLowerCase() }),
    ...(callback_url !== undefined && { callback_url }),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Check the headers that every call must have. Hooks apply only to routes that are added later. */
export function addGateway(server: FastifyInstance, world: GsmaWorld): void {
  server.setNotFoundHandler((_request, reply) => sendNoRoute(reply))
  server.addHook('onRequest', async (request, reply) => {
    const switches = await world.switches()
    const is_at = (path: string) => request.routeOptions.url?.includes(path) === true
    switchesOfCalls.set(request, {
      ...switches,
      ...((is_at(SDK.basic) || is_at(SDK.token)) && { currencies: 'any', waits: true }),
      ...(is_at(SDK.basic) && { security_level: 'development' }),
    })
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
