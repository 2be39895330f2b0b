import { z } from 'zod'
import { callWithToken, type NotSent, notAsked, readAccessToken } from '../../drivers/access-tokens.ts'
import { spare } from '../../drivers/members.ts'
import { beginningOf } from '../../drivers/words.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import type { AccessToken, DriverTools, OutgoingCall } from '../contract.ts'
import type { MtnConnection, Product } from './settings.ts'

/** Maximum seconds of one operation with all its calls, such as the token before a charge. */
export const CALL_S = 15

/** An answer of MTN. `body` is undefined when it is not JSON. */
export interface Reply {
  outcome: 'answered'
  status: number
  text: string
  body: unknown
}

/** A call to a product. The client adds the token, the subscription key and the target environment. */
export interface ProductCall extends Pick<OutgoingCall, 'verb' | 'method' | 'body'> {
  product: Product
  /** Path after the product, such as `/v1_0/requesttopay`. */
  path: string
  headers?: Record<string, string>
  /** True if the account may lack this address without an alarm. */
  is_optional?: boolean
}

/** Call MTN within the time of one operation. */
export interface Client {
  /** Make a call without effect, with the product's token. A refused token is renewed, and the call repeated once. */
  call(call: ProductCall): Promise<Reply | UnknownOutcome>
  /** As `call`, for an order to MTN. `not_sent` means that MTN certainly has not carried it out. */
  order(call: ProductCall): Promise<Reply | NotSent | UnknownOutcome>
  fetchToken(product: Product): Promise<TokenReply>
  /** Call without a token. */
  plain(call: OutgoingCall): Promise<Reply | UnknownOutcome>
}

/** A token, or why there is none. `reply` is there when MTN has answered. */
export type TokenReply = AccessToken | (UnknownOutcome & { reply?: Reply })

/** Begin one operation, whose calls share its time. */
export function beginOperation(connection: MtnConnection, tools: DriverTools): Client {
  const end_ms = tools.now().getTime() + CALL_S * 1_000

  async function http(call: OutgoingCall): Promise<HttpAnswer | UnknownOutcome> {
    const left_s = Math.ceil((end_ms - tools.now().getTime()) / 1_000)
    if (left_s < 1) return { outcome: 'unknown', message: getMessage('mtn.took_too_long', { verb: call.verb }) }
    return tools.http(left_s < CALL_S ? { ...call, timeout_s: left_s } : call)
  }

  async function plain(call: OutgoingCall): Promise<Reply | UnknownOutcome> {
    const answer = await http(call)
    return answer.outcome === 'unknown' ? answer : readReply(answer)
  }

  const tokens = createTokens(connection, tools, plain)

  async function once({ product, path, headers = {}, is_optional: _, ...call }: ProductCall, token: string) {
    return http({
      ...call,
      url: `${baseUrl(connection)}/${product.name}${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        'Ocp-Apim-Subscription-Key': product.subscription_key,
        'X-Target-Environment': connection.settings.target_environment,
        ...headers,
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    })
  }

  async function order(given: ProductCall): Promise<Reply | NotSent | UnknownOutcome> {
    const answer = await callWithToken({
      token: () => tokens.get(given.product),
      refuse: (token) => tools.tokens.refuse(tokenName(connection, given.product), token),
      send: (token) => once(given, token),
      onRefused(refused) {
        const reply = toReply(refused)
        tools.alarm(accessFault(reply, given.product)!)
        return getMessage('mtn.refuses_access_nothing', { answer: describe(reply) })
      },
    })
    if (answer.outcome !== 'answered') return answer
    return withAlarm(readReply(answer), given)
  }

  async function call(given: ProductCall): Promise<Reply | UnknownOutcome> {
    const reply = await order(given)
    if (reply.outcome !== 'not_sent') return reply
    return reply.refusal ? toReply(reply.refusal) : notAsked(reply)
  }

  function withAlarm(reply: Reply | UnknownOutcome, { product, is_optional }: ProductCall): Reply | UnknownOutcome {
    if (reply.outcome === 'unknown' || (is_optional && isGatewayNotFound(reply))) return reply
    const fault = accessFault(reply, product)
    if (fault) tools.alarm(fault)
    return reply
  }

  return { call, order, fetchToken: tokens.fetchToken, plain }
}

/** The tokens of a connection's products, fetched with calls that need none. */
function createTokens(connection: MtnConnection, tools: DriverTools, plain: Client['plain']) {
  async function fetchToken(product: Product): Promise<TokenReply> {
    const reply = await plain(tokenCall(connection, product))
    if (reply.outcome === 'unknown') return reply
    const token = reply.status === 200 ? readAccessToken(reply.body) : undefined
    if (token) return token
    return { outcome: 'unknown', message: getMessage('mtn.gave_no_token', { answer: describe(reply) }), reply }
  }

  function get(product: Product) {
    return tools.tokens.get(tokenName(connection, product), async () => {
      const reply = await fetchToken(product)
      if ('token' in reply) return reply
      const fault = reply.reply && tokenFault(reply.reply, product)
      if (fault) tools.alarm(fault)
      return { outcome: 'unknown', message: fault ?? reply.message }
    })
  }

  return { fetchToken, get }
}

function readReply(answer: HttpAnswer): Reply | UnknownOutcome {
  return answer.incomplete === null ? toReply(answer) : { outcome: 'unknown', message: answer.incomplete }
}

function toReply({ status, text }: HttpAnswer): Reply {
  return { outcome: 'answered', status, text, body: parseJson(text) }
}

/** MTN refuses this call when it has a body. */
function tokenCall(connection: MtnConnection, product: Product): OutgoingCall {
  const basic = Buffer.from(`${product.api_user}:${product.api_key}`).toString('base64')
  return {
    verb: 'token',
    is_token: true,
    method: 'POST',
    url: `${baseUrl(connection)}/${product.name}/token/`,
    headers: { Authorization: `Basic ${basic}`, 'Ocp-Apim-Subscription-Key': product.subscription_key },
  }
}

/** The base URL without a slash at its end: MTN refuses addresses with two in a row. */
export function baseUrl({ hosts }: Pick<MtnConnection, 'hosts'>): string {
  return withoutTrailing(hosts.api ?? '', '/')
}

/** Tokens belong to product, country and user, so a connection with another user never uses an old token. */
function tokenName({ settings }: MtnConnection, { name, api_user }: Product): string {
  return `${name}:${settings.target_environment}:${api_user}`
}

/** Return the fault when MTN gives no token, as far as its answer shows it. */
export function tokenFault(reply: Reply, product: Product): string | undefined {
  const { api_user, api_key } = product.sources
  if (isSubscriptionRefused(reply)) return subscriptionFault(product)
  if (reply.status === 401) return getMessage('mtn.refuses_check_belong', { api_user, api_key })
  return accessFault(reply, product)
}

/** Return the fault when MTN denies access, as far as its answer shows it. */
export function accessFault(reply: Reply, product: Product): string | undefined {
  if (isSubscriptionRefused(reply)) return subscriptionFault(product)
  if (reply.status === 401)
    return getMessage('mtn.refuses_new_token', { title: product.title, api_user: product.sources.api_user })
  if (reply.status === 403) return getMessage('mtn.not_allow_server', { title: product.title, answer: describe(reply) })
  if (isFirewall(reply)) return getMessage('mtn.firewall_rejects_give', { title: product.title })
  if (isGatewayNotFound(reply)) return getMessage('mtn.not_know_address', { title: product.title })
  return undefined
}

function subscriptionFault(product: Product): string {
  return getMessage('mtn.refuses__subscription_key_check', { name: product.name, title: product.title })
}

/** The gateway before the wallet platform answers in its own form. It checks the subscription key first. */
function isSubscriptionRefused({ status, body, text }: Reply): boolean {
  return status === 401 && (isGatewayBody(body) || /subscription key/i.test(text))
}

/** The firewall before the gateway answers with a page, with a status of 200 or 400. */
function isFirewall({ text }: Reply): boolean {
  return text.trimStart().startsWith('<') && /request rejected/i.test(text.slice(0, 2_000))
}

/** The gateway does not have this address, so the wallet platform was not asked. */
export function isGatewayNotFound({ status, body }: Reply): boolean {
  return status === 404 && isGatewayBody(body)
}

function isGatewayBody(body: unknown): boolean {
  return GatewayError.safeParse(body).success
}

/** The code of an error of the wallet platform, in capitals with underscores; undefined if the body is not its own. */
export function errorCode({ body }: Reply): string | undefined {
  const code = WalletError.safeParse(body).data?.code
  return code === undefined ? undefined : normalizeCode(code)
}

/** `RESOURCE NOT FOUND` and `resource_not_found` are the same code. */
export function normalizeCode(code: string): string {
  return toStorableText(beginningOf(code)).trim().toUpperCase().replace(/\s+/g, '_').slice(0, MAX_WORD)
}

/** Describe MTN's answer for messages: the status, with code and words if given. */
export function describe(reply: Reply): string {
  const { code, message } = WalletError.safeParse(reply.body).data ?? {}
  const words = [code && normalizeCode(code), message && toStorableText(message).slice(0, MAX_WORDS)].filter(Boolean)
  return [`HTTP ${reply.status}`, ...words].join(', ')
}

/** Return an answer that says nothing about an order. */
export function noVerdict(reply: Reply): UnknownOutcome {
  return { outcome: 'unknown', message: getMessage('mtn.answer_says_nothing', { answer: describe(reply) }) }
}

const MAX_WORD = 60
const MAX_WORDS = 200

const word = spare(z.union([z.string(), z.number()]).transform(String))
const WalletError = z.object({ code: word, message: word })

const GatewayError = z.object({ statusCode: z.union([z.number(), z.string().regex(/^\d{3}$/)]) })
