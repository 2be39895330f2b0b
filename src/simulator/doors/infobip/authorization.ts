import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import type { Documented } from '../door.ts'
import type { SmsWorld } from '../sms-door.ts'

/*
 * The four authorizations of Infobip: an API key, a username with its password, and two kinds of tokens for these.
 */

const API_KEY = 'simulated-infobip-api-key'
const USERNAME = 'simulated-infobip-user'
const PASSWORD = 'simulated-infobip-password'

/** The life of tokens, in seconds. */
const TOKEN_S = 3_600

export const credentials: readonly Documented[] = [
  { name: 'api_key', value: API_KEY },
  { name: 'username', value: USERNAME, help: 'HTTP Basic, /auth/1/session, and client_id of /auth/1/oauth2/token' },
  { name: 'password', value: PASSWORD },
]

const basic = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`
const Session = z.object({ username: z.literal(USERNAME), password: z.literal(PASSWORD) })
const isTokenRoute = ({ routeOptions, method }: FastifyRequest) =>
  routeOptions.config.verb === 'token' && method === 'POST'

/** Add the calls that give out tokens, and check the authorization of all others. */
export function addAuthorization(server: FastifyInstance, world: SmsWorld): void {
  server.addHook('preHandler', async (request, reply) => {
    if (!isTokenRoute(request) && !(await isKnown(request, world))) return refuse(reply)
  })
  server.post('/auth/1/session', { config: { verb: 'token' } }, async ({ body }, reply) =>
    Session.safeParse(parseJson(body as string)).success
      ? { token: await world.issueToken('IBSSO', TOKEN_S) }
      : refuse(reply),
  )
  server.delete('/auth/1/session', { config: { verb: 'token' } }, async ({ headers }) => {
    const [scheme, token = ''] = headers.authorization!.split(' ')
    if (scheme === 'IBSSO') await world.issueToken('IBSSO', 0, { token })
    return {}
  })
  server.post('/auth/1/oauth2/token', { config: { verb: 'token' } }, async ({ body }, reply) => {
    const form = new URLSearchParams(body as string)
    if (form.get('grant_type') !== 'client_credentials')
      return reply.code(400).send({ error: 'unsupported_grant_type' })
    if (form.get('client_id') !== USERNAME || form.get('client_secret') !== PASSWORD) return refuse(reply)
    return { access_token: await world.issueToken('Bearer', TOKEN_S), token_type: 'Bearer', expires_in: TOKEN_S }
  })
}

async function isKnown({ headers: { authorization = '' } }: FastifyRequest, world: SmsWorld): Promise<boolean> {
  if (authorization === `App ${API_KEY}` || authorization === basic) return true
  const [scheme, token = ''] = authorization.split(' ')
  return (scheme === 'IBSSO' || scheme === 'Bearer') && (await world.ownerOfToken(token)) === scheme
}

function refuse(reply: FastifyReply) {
  const serviceException = { messageId: 'UNAUTHORIZED', text: 'Invalid login details' }
  return reply.code(401).send({ requestError: { serviceException } })
}
