import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import type { DoorState, World } from '../../world/world.ts'
import type { ValuesOf, WorldOf } from '../door.ts'
import { CONSUMER_KEY, CONSUMER_SECRET } from './accounts.ts'
import { refuse } from './wire.ts'

/** Differences between accounts, and points on which sources disagree. */
export const switches = {
  new_token_ends_earlier: { help: 'A new token ends the earlier ones.', default: true },
  wrong_credentials: {
    help: 'What a wrong consumer key or secret gets: an error, or a 400 with an empty body.',
    choices: ['error', 'empty'],
    default: 'error',
  },
  errors_with_200: { help: 'Errors come with HTTP 200.', default: false },
  open_prompt: {
    help: 'How the question about an open prompt is answered: an error 500.001.1001, or the result code 4999.',
    choices: ['error', 'code'],
    default: 'error',
  },
  code_as_number: { help: 'The question about a prompt is answered with a number as ResultCode.', default: false },
  locks_subscriber: { help: 'A second prompt for a phone is refused while one is open.', default: true },
  checks_time_zone: { help: 'A Timestamp that is three hours behind, such as UTC, is refused.', default: false },
  blank_in_status: { help: 'The registration for Pull Transactions answers with "Response Status".', default: true },
  phone_as_text_fails: {
    help: 'A prompt whose PartyA is a text ends with 1037, without having been on the phone.',
    default: false,
  },
  phone_in_callback: {
    help: 'The phone number in the callback about a prompt.',
    choices: ['clear', 'masked'],
    default: 'clear',
  },
  phone_in_confirmation: {
    help: 'The phone number in confirmations: as the version of the registration says, or a SHA-256.',
    choices: ['by version', 'hashed'],
    default: 'by version',
  },
  confirms_prompts: { help: 'The money of prompts is confirmed at the registered address, too.', default: true },
  validation: { help: 'Safaricom has switched validation on.', default: true },
  registers_once: { help: 'Addresses can be registered once, as in production.', default: false },
  pull_date: {
    help: 'The time zone that the dates of Pull Transactions mean, all of which end with Z.',
    choices: ['UTC', 'EAT'],
    default: 'UTC',
  },
  reference_items: {
    help: 'ReferenceItem of a result is an object or a list.',
    choices: ['object', 'list'],
    default: 'object',
  },
} as const

export type Switches = ValuesOf<typeof switches>
export type DarajaWorld = WorldOf<typeof switches>
export type DarajaState = Omit<DoorState, 'switches'> & { switches: Switches }

/** Spelling of a refused token, by product. */
export const refusedToken = {
  prompt: '404.001.03',
  reversal: '404.001.03',
  status: '400.003.01',
  c2b: '400.003.01',
  balance: '401.002.01',
  payout: '401.002.01',
  pull: '401.001',
} as const

/** A call with a good token and a body that can be read. */
export interface Call<Body> {
  body: Body
  reply: FastifyReply
  switches: Switches
  /** Refuse the call with an error of Daraja. */
  refuse(code: string, message: string): unknown
}

/**
 * Make a handler of a product. It refuses a bad token in the spelling of the product, and a field that is missing or
 * wrong by its name.
 */
export function product<Schema extends z.ZodType>(
  world: DarajaWorld,
  token_code: string,
  schema: Schema,
  answer: (call: Call<z.output<Schema>>) => Promise<unknown>,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const values = await world.switches()
    const refused = (code: string, message: string) => refuse(reply, code, message, values.errors_with_200)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!token || (await world.ownerOfToken(token)) === undefined) return refused(token_code, 'Invalid Access Token')
    const content = parseJson(String(request.body))
    if (typeof content !== 'object' || content === null) return refused('400.002.05', 'Invalid Request Payload')
    const body = schema.safeParse(content)
    if (!body.success)
      return refused('400.002.02', `Bad Request - Invalid ${String(body.error.issues[0]?.path[0] ?? '')}`)
    return answer({ body: body.data, reply, switches: values, refuse: refused })
  }
}

/** `GET /oauth/v1/generate`: a token. How long it is valid is a text. */
export function tokenHandler(world: Pick<World, 'issueToken'> & DarajaWorld) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { wrong_credentials, new_token_ends_earlier } = await world.switches()
    const { grant_type } = request.query as { grant_type?: string }
    if (grant_type !== 'client_credentials') return refuse(reply, '400.008.02', 'Invalid grant type passed', false)
    const expected = Buffer.from(`${CONSUMER_KEY}:${CONSUMER_SECRET}`).toString('base64')
    if (request.headers.authorization !== `Basic ${expected}`) {
      if (wrong_credentials === 'empty') return reply.code(400).send('')
      return refuse(reply, '400.008.01', 'Invalid Authentication passed', false)
    }
    const access_token = await world.issueToken('app', TOKEN_S, { ends_earlier: new_token_ends_earlier })
    return { access_token, expires_in: String(TOKEN_S) }
  }
}

const TOKEN_S = 3_599
