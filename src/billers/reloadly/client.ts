import { z } from 'zod'
import { callWithToken, type NotSent, notAsked, readAccessToken } from '../../drivers/access-tokens.ts'
import type { AccessToken, DriverTools, OutgoingCall } from '../../drivers/contract.ts'
import { spareText } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import type { HttpAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import { cleanWords } from '../shared/words.ts'
import { audienceOf } from './places.ts'
import { type Product, type ReloadlyConnection, secretsOf } from './settings.ts'

/** Maximum seconds of one call: a failing operator holds it for almost a minute. */
export const CALL_S = 90
/** Time limit of a query, which is answered sooner. */
const QUERY_S = 30

/** An answer of Reloadly. `body` is undefined when it is not JSON; its numbers are texts. */
export interface Reply {
  outcome: 'answered'
  status: number
  body: unknown
}

/** A token, or why there is none. `reply` is there when Reloadly has answered. */
export type TokenReply = AccessToken | (UnknownOutcome & { reply?: Reply })

/** Call Reloadly with a token for each of its services. */
export interface Client {
  /** Call with the token of the service. A refused token proves that nothing ran: it is renewed, and the call repeated once. */
  call(product: Product, call: ProductCall): Promise<Reply | UnknownOutcome>
  /** As `call`, for a purchase. `not_sent` means that certainly nothing was sold. */
  order(product: Product, call: ProductCall): Promise<Reply | NotSent | UnknownOutcome>
  fetchToken(product: Product): Promise<TokenReply>
  /** Describe Reloadly's answer for messages: the status, with code and words if given. */
  describe(reply: Reply): string
}

/** Call to a service. `path` follows the host. */
export interface ProductCall {
  verb: string
  path: string
  /** The JSON text of a POST; a GET unless given. */
  body?: string
}

export function openClient(connection: ReloadlyConnection, tools: DriverTools): Client {
  const secrets = secretsOf(connection)

  async function fetchToken(product: Product): Promise<TokenReply> {
    const answer = await tools.http(tokenCall(connection, product))
    const reply = answer.outcome === 'unknown' ? answer : readReply(answer)
    if (reply.outcome === 'unknown') return reply
    const token = reply.status === 200 ? readAccessToken(reply.body) : undefined
    if (token) return token
    return {
      outcome: 'unknown',
      message: getMessage('reloadly.gave_no_token', { answer: describe(reply, secrets) }),
      reply,
    }
  }

  const tokenFor = (product: Product) =>
    tools.tokens.get(tokenName(connection, product), async () => {
      const fetched = await fetchToken(product)
      if ('token' in fetched) return fetched
      const fault = fetched.reply && tokenFault(fetched.reply)
      if (fault) tools.alarm(fault)
      return { outcome: 'unknown', message: fault ?? fetched.message }
    })

  const send = (product: Product, { verb, path, body }: ProductCall, token: string) =>
    tools.http({
      verb,
      method: body === undefined ? 'GET' : 'POST',
      url: hostOf(connection, product) + path,
      ...(body === undefined ? { timeout_s: QUERY_S } : { body }),
      headers: {
        authorization: `Bearer ${token}`,
        accept: `application/com.reloadly.${product}-v1+json`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    })

  async function order(product: Product, given: ProductCall): Promise<Reply | NotSent | UnknownOutcome> {
    const answer = await callWithToken({
      token: () => tokenFor(product),
      refuse: (token) => tools.tokens.refuse(tokenName(connection, product), token),
      send: (token) => send(product, given, token),
      onRefused(refused) {
        tools.alarm(getMessage('reloadly.refuses_own_new', { product }))
        return getMessage('reloadly.refuses_access_nothing', { answer: describe(toReply(refused), secrets) })
      },
    })
    return answer.outcome === 'answered' ? readReply(answer) : answer
  }

  async function call(product: Product, given: ProductCall): Promise<Reply | UnknownOutcome> {
    const reply = await order(product, given)
    if (reply.outcome !== 'not_sent') return reply
    return reply.refusal ? toReply(reply.refusal) : notAsked(reply)
  }

  return { call, order, fetchToken, describe: (reply) => describe(reply, secrets) }
}

function readReply(answer: HttpAnswer): Reply | UnknownOutcome {
  return answer.incomplete === null ? toReply(answer) : { outcome: 'unknown', message: answer.incomplete }
}

function toReply({ status, text }: HttpAnswer): Reply {
  return { outcome: 'answered', status, body: parseJsonAsTexts(text) }
}

/** Return the fault when Reloadly gives no token, as far as its answer shows it. */
export function tokenFault(reply: Reply): string | undefined {
  const code = errorCode(reply)
  if (code === 'INVALID_AUDIENCE') return getMessage('reloadly.not_service_token')
  if (code !== 'INVALID_CREDENTIALS' && reply.status !== 401 && reply.status !== 403) return undefined
  return getMessage('reloadly.refuses_client_id_client_secret')
}

/** The code of an error in capitals; undefined if the body is not Reloadly's own. */
export function errorCode({ body }: Reply): string | undefined {
  const code = ErrorBody.safeParse(body).data?.errorCode
  return code === undefined ? undefined : cleanWords(code).toUpperCase()
}

/** The HTTP status and the code, as the tables have them. */
export function keyOf(reply: Reply): string {
  return `${reply.status} ${errorCode(reply) ?? ''}`
}

function describe(reply: Reply, secrets: readonly string[]): string {
  const { errorCode: code, message } = ErrorBody.safeParse(reply.body).data ?? {}
  const words = [code, message].flatMap((text) => (text ? [cleanWords(text, secrets)] : []))
  return [`HTTP ${reply.status}`, ...words].join(', ')
}

function tokenCall(connection: ReloadlyConnection, product: Product): OutgoingCall {
  const { client_id, client_secret } = connection.settings
  const audience = audienceOf(connection.environment, product)
  return {
    verb: 'token',
    is_token: true,
    method: 'POST',
    url: `${withoutTrailing(connection.hosts.auth ?? '', '/')}/oauth/token`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials', audience }),
  }
}

function hostOf({ hosts }: ReloadlyConnection, product: Product): string {
  return withoutTrailing(hosts[product] ?? '', '/')
}

/** A token belongs to an audience and to a key. */
function tokenName({ environment, settings }: ReloadlyConnection, product: Product): string {
  return `${audienceOf(environment, product)}:${settings.client_id}`
}

const ErrorBody = z
  .object({
    errorCode: spareText,
    message: spareText,
  })
  .transform(({ errorCode: code, message }) => ({ errorCode: code ?? undefined, message: message ?? undefined }))
