import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { header, sendError, sendGatewayError } from './answers.ts'
import { currenciesOf } from './environments.ts'
import type { MtnWorld } from './switches.ts'
import { findUser } from './users.ts'

/*
 * Checks of MTN before it handles a call. The gateway checks the subscription key, the wallet platform the token and
 * the country. Each answers in its own form.
 */

export type ProductName = 'collection' | 'disbursement'

/** The subscription keys that this network accepts. */
export const subscriptionKeys: Readonly<Record<ProductName, string>> = {
  collection: 'simulated-collection-subscription-key',
  disbursement: 'simulated-disbursement-subscription-key',
}

/** Caller, after all checks. */
export interface Caller {
  product: ProductName
  /** The API user. */
  user: string
  environment: string
  /** The currency of its wallets. */
  currencies: readonly [string, ...string[]]
}

/** Add the checks of the gateway: a length for each POST, and a subscription key of the product. */
export function addGateway(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' && header(request, 'content-length') === undefined)
      return reply.code(411).type('text/html').send('<html><body><h2>Length Required</h2></body></html>')
    const key = header(request, 'ocp-apim-subscription-key')
    const accepted = acceptedKeys(request.routeOptions.url)
    if (key !== undefined && accepted.includes(key)) return
    const what = key === undefined ? 'missing' : 'invalid'
    return sendGatewayError(reply, 401, `Access denied due to ${what} subscription key.`)
  })
  server.setNotFoundHandler((_request, reply) => sendGatewayError(reply, 404, 'Resource not found'))
}

/** A key opens its own product only. The calls that make API users take any. */
function acceptedKeys(url = ''): string[] {
  const names = Object.keys(subscriptionKeys) as ProductName[]
  const product = names.find((name) => url.includes(`/${name}/`))
  return product ? [subscriptionKeys[product]] : Object.values(subscriptionKeys)
}

/** Add `POST /{product}/token/`. */
export function addTokenRoute(server: FastifyInstance, world: MtnWorld, product: ProductName): void {
  server.post(`/${product}/token/`, { config: { verb: 'token' } }, async (request, reply) => {
    const { token_seconds, token_body } = await world.switches()
    if (token_body === 'refused' && request.body !== '')
      return sendError(reply, 400, undefined, 'The token call takes no body.')
    const [id = '', key = ''] = readBasic(header(request, 'authorization'))
    const user = await findUser(world, id)
    if (!user || user.key === null || user.key !== key) return reply.code(401).send({ error: 'login_failed' })
    const access_token = await world.issueToken(`${product} ${user.id}`, token_seconds)
    return { access_token, token_type: 'access_token', expires_in: token_seconds }
  })
}

function readBasic(authorization = ''): string[] {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)]
}

/**
 * Check token and country of a business call.
 * @returns who calls; undefined when the call was refused, and its answer is sent
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  world: MtnWorld,
  product: ProductName,
): Promise<Caller | undefined> {
  const token = /^Bearer (.+)$/.exec(header(request, 'authorization') ?? '')?.[1]
  const owner = token === undefined ? undefined : await world.ownerOfToken(token)
  const [owned_product, user] = owner?.split(' ') ?? []
  if (owned_product !== product || user === undefined) {
    reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'invalid_token' })
    return undefined
  }
  const switches = await world.switches()
  const environment = header(request, 'x-target-environment') ?? ''
  const currencies = currenciesOf(environment)
  const is_own = switches.target_environment === 'any' || switches.target_environment === environment
  if (!currencies || !is_own) {
    sendError(reply, 500, 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'Access to target environment is forbidden.')
    return undefined
  }
  if (product === 'disbursement' && !switches.source_is_allowed) {
    sendError(reply, 403, 'FORBIDDEN_IP', 'Authorization failed. IP not authorized to use the API.')
    return undefined
  }
  return { product, user, environment, currencies }
}
