import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Amount, parseAmount } from '../../../lib/money.ts'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { OPENING_BALANCE } from '../../world/world.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type ReloadlySwitches,
  type ReloadlyWorld,
  WALLET,
  WALLET_CURRENCY,
} from './switches.ts'
import { dateTime, errorBody, money, toJson } from './wire.ts'

export type Product = 'topups' | 'utilities'

/** The dollars in the account. */
export async function accountBalance(world: ReloadlyWorld, { wallet }: ReloadlySwitches): Promise<Amount> {
  return (await world.balance(WALLET, WALLET_CURRENCY)) - OPENING_BALANCE + (parseAmount(String(wallet)) ?? 0n)
}

/** Send an answer in the way of Reloadly. */
export function send(reply: FastifyReply, body: unknown, status = 200) {
  return reply.code(status).type('application/json').send(toJson(body))
}

/** Send an error with a code. */
export function refuse(request: FastifyRequest, reply: FastifyReply, status: number, code: string, message = code) {
  return send(reply, errorBody(message, code, request.url.split('?')[0]!, new Date()), status)
}

/** The JSON object in a body; undefined for anything else. */
export function readBody({ body }: FastifyRequest): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(String(body))
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function audienceOf(product: Product, { host }: ReloadlySwitches): string {
  return `https://${product}${host === 'live' ? '' : '-sandbox'}.reloadly.com`
}

/** Add the service of tokens. There is one for each audience, which is the address of a product. */
export function addTokenRoute(server: FastifyInstance, world: ReloadlyWorld): void {
  server.post('/auth/oauth/token', { config: { verb: 'token' } }, async (request, reply) => {
    const { client_id, client_secret, grant_type, audience } = readBody(request) ?? {}
    const switches = await world.switches()
    if (client_id !== CLIENT_ID || client_secret !== CLIENT_SECRET || grant_type !== 'client_credentials')
      return refuse(request, reply, 401, 'INVALID_CREDENTIALS', 'Access Denied')
    const known = (['topups', 'utilities'] as const).map((product) => audienceOf(product, switches))
    // Keys belong to one environment, so an audience of the other one is a wrong key.
    if (
      typeof audience !== 'string' ||
      !/^https:\/\/(topups|utilities|giftcards)(-sandbox)?\.reloadly\.com$/.test(audience)
    )
      return refuse(request, reply, 400, 'INVALID_AUDIENCE', 'The audience is not valid')
    if (!known.includes(audience)) return refuse(request, reply, 401, 'INVALID_CREDENTIALS', 'Access Denied')
    const access_token = await world.issueToken(audience, switches.token_seconds)
    return send(reply, { access_token, scope: 'send-topups', expires_in: switches.token_seconds, token_type: 'Bearer' })
  })
}

/** Check the token of the product and the requested version on every call. */
export function addProductGateway(server: FastifyInstance, world: ReloadlyWorld, product: Product): void {
  server.addHook('onRequest', async (request, reply) => {
    const [, token] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined) return refuse(request, reply, 401, 'MISSING_TOKEN', 'Full authentication is required')
    const [owner, switches] = await Promise.all([world.ownerOfToken(token), world.switches()])
    if (owner !== audienceOf(product, switches))
      return refuse(request, reply, 401, 'INVALID_TOKEN', 'The token is invalid or has expired')
    if (request.headers.accept !== `application/com.reloadly.${product}-v1+json`)
      return send(reply, { timestamp: dateTime(world.now()), status: 406, error: 'Not Acceptable' }, 406)
  })

  server.get(`/${product}/accounts/balance`, { config: { verb: 'balance' } }, async (_request, reply) => {
    const balance = await accountBalance(world, await world.switches())
    // Reloadly, too, sends this time four hours ahead.
    const updatedAt = dateTime(new Date(world.now().getTime() + 4 * 3_600_000))
    return send(reply, { balance: money(balance), currencyCode: WALLET_CURRENCY, currencyName: 'US Dollar', updatedAt })
  })
}
