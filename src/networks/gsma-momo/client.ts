import { createHash } from 'node:crypto'
import { callWithToken, isUnauthorized, type NotSent, notAsked, readAccessToken } from '../../drivers/access-tokens.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import type { HttpAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import type { AccessToken, DriverTools, OutgoingCall } from '../contract.ts'
import { describe, type Reply, readError, unknown } from './answers.ts'
import type { GsmaConnection, GsmaSettings } from './settings.ts'

/** Maximum seconds of one operation with all its calls. A provider may answer only after the customer does. */
export const CALL_S = 60

/** A call to the API. The client adds the credentials. */
interface ApiCall {
  verb: string
  method: 'GET' | 'POST'
  /** Path after the base address, such as `/heartbeat`. */
  path: string
  /** The order that is sent. */
  order?: { reference: string; callback_url: string | null; body: string }
  /** Reason to ignore a refusal: the provider lacks this address, or does not permit the call either. */
  optional?: 'address' | 'permission'
}

/** A token, or why there is none. `reply` is there when the provider has answered. */
export type TokenReply = AccessToken | (UnknownOutcome & { reply?: Reply })

/** Call a provider within the time of one operation. */
export interface Client {
  settings: GsmaSettings
  tools: DriverTools
  /** Make a call without effect. A refused token is renewed, and the call repeated once. */
  call(call: ApiCall): Promise<Reply | UnknownOutcome>
  /** As `call`, for an order to the provider. `not_sent` means that it certainly has not carried it out. */
  order(call: ApiCall): Promise<Reply | NotSent | UnknownOutcome>
  fetchToken(): Promise<TokenReply>
}

/** Begin one operation, whose calls share its time. */
export function beginOperation(connection: GsmaConnection, tools: DriverTools): Client {
  const { settings } = connection
  const end_ms = tools.now().getTime() + CALL_S * 1_000

  async function http(call: OutgoingCall): Promise<HttpAnswer | UnknownOutcome> {
    const left_s = Math.ceil((end_ms - tools.now().getTime()) / 1_000)
    if (left_s < 1) return unknown(getMessage('gsma.took_too_long', { verb: call.verb }))
    return tools.http(left_s < CALL_S ? { ...call, timeout_s: left_s } : call)
  }

  const tokens = createTokens(connection, tools, http)

  async function once(call: ApiCall, token: string | undefined) {
    const { verb, method, path, order } = call
    const headers = { ...commonHeaders(settings, token, tools.now()), ...(order && orderHeaders(settings, order)) }
    const url = baseUrl(connection) + path
    return http({ verb, method, url, headers, ...(order && { body: order.body }) })
  }

  /** Send an order where there are no tokens to renew: a refusal concerns the credentials of the connection. */
  async function orderWithoutToken(wanted: ApiCall): Promise<HttpAnswer | NotSent | UnknownOutcome> {
    const answer = await once(wanted, undefined)
    return answer.outcome === 'answered' && isRefused(answer) ? reportRefusal(answer, wanted.verb) : answer
  }

  function reportRefusal(answer: HttpAnswer, verb: string): NotSent {
    const reply = toReply(answer)
    tools.alarm(accessFault(reply, verb, settings)!)
    const message = getMessage('gsma.refuses_credentials_nothing', { answer: describe(reply) })
    return { outcome: 'not_sent', message, refusal: answer }
  }

  async function order(wanted: ApiCall): Promise<Reply | NotSent | UnknownOutcome> {
    const answer =
      settings.security_level === 'development'
        ? await orderWithoutToken(wanted)
        : await callWithToken({
            token: tokens.get,
            refuse: (token) => tools.tokens.refuse(tokenName(settings), token),
            send: (token) => once(wanted, token),
            isRefused,
            onRefused: (refused) => reportRefusal(refused, wanted.verb).message,
          })
    return answer.outcome === 'answered' ? withAlarm(readReply(answer), wanted) : answer
  }

  async function call(wanted: ApiCall): Promise<Reply | UnknownOutcome> {
    const reply = await order(wanted)
    if (reply.outcome !== 'not_sent') return reply
    return reply.refusal ? toReply(reply.refusal) : notAsked(reply)
  }

  function withAlarm(reply: Reply | UnknownOutcome, { verb, optional }: ApiCall): Reply | UnknownOutcome {
    if (reply.outcome === 'unknown') return reply
    const is_expected =
      (optional === 'permission' && reply.status === 403) || (optional !== undefined && isMissing(reply))
    const fault = is_expected ? undefined : accessFault(reply, verb, settings)
    if (fault) tools.alarm(fault)
    return reply
  }

  return { settings, tools, call, order, fetchToken: tokens.fetchToken }
}

/** The access token of a connection, fetched with calls that need none. */
function createTokens(connection: GsmaConnection, tools: DriverTools, http: DriverTools['http']) {
  async function fetchToken(): Promise<TokenReply> {
    const answer = await http(tokenCall(connection))
    const reply = answer.outcome === 'unknown' ? answer : readReply(answer)
    if (reply.outcome === 'unknown') return reply
    const token = reply.status === 200 || reply.status === 201 ? readAccessToken(reply.body) : undefined
    if (token) return token
    return { ...unknown(getMessage('gsma.gave_no_access', { answer: describe(reply) })), reply }
  }

  function get() {
    return tools.tokens.get(tokenName(connection.settings), async () => {
      const reply = await fetchToken()
      if ('token' in reply) return reply
      const fault = reply.reply && tokenFault(reply.reply)
      if (fault) tools.alarm(fault)
      return unknown(fault ?? reply.message)
    })
  }

  return { fetchToken, get }
}

function readReply(answer: HttpAnswer): Reply | UnknownOutcome {
  return answer.incomplete === null ? toReply(answer) : unknown(answer.incomplete)
}

function toReply({ status, headers, text }: HttpAnswer): Reply {
  return { outcome: 'answered', status, headers, body: parseJsonAsTexts(text) }
}

const isRefused = (answer: HttpAnswer): boolean => isUnauthorized(answer) && isClientRefused(toReply(answer))

/** The base address without a slash at its end. The host may change while the connection is open. */
function baseUrl({ hosts }: Pick<GsmaConnection, 'hosts'>): string {
  return withoutTrailing(hosts.api ?? '', '/')
}

function tokenCall({ hosts, settings }: GsmaConnection): OutgoingCall {
  return {
    verb: 'token',
    is_token: true,
    method: 'POST',
    url: hosts.token ?? '',
    headers: {
      Accept: 'application/json',
      Authorization: basic(settings),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  }
}

function basic({ consumer_key = '', consumer_secret = '' }: GsmaSettings): string {
  return `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')}`
}

/** Tokens belong to the application, so a connection with another one never uses an old token. */
function tokenName({ consumer_key = '' }: GsmaSettings): string {
  return `access:${consumer_key}`
}

/** The date goes with calls whose content is hashed. The standard's file wants ISO 8601, and its text the form of HTTP. */
function commonHeaders(settings: GsmaSettings, token: string | undefined, now: Date): Record<string, string> {
  const { consumer_key, api_key, client_id, institution_type, institution_id } = settings
  const authorization = token === undefined ? consumer_key && basic(settings) : `Bearer ${token}`
  return {
    Accept: 'application/json',
    'Accept-Charset': 'utf-8',
    ...(authorization && { Authorization: authorization }),
    ...(api_key && { 'X-API-Key': api_key }),
    ...(client_id && { 'X-Client-Id': client_id }),
    ...(settings.security_level === 'enhanced' && { 'X-Date': now.toISOString() }),
    ...(institution_type &&
      institution_id && {
        'X-Account-Holding-Institution-Identifier-Type': institution_type,
        'X-Account-Holding-Institution-Identifier': institution_id,
      }),
  }
}

function orderHeaders(
  { security_level, user_credential_1, user_credential_2 }: GsmaSettings,
  { reference, callback_url, body }: NonNullable<ApiCall['order']>,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-CorrelationID': reference,
    ...(callback_url !== null && { 'X-Callback-URL': callback_url }),
    ...(user_credential_1 && { 'X-User-Credential-1': user_credential_1 }),
    ...(user_credential_2 && { 'X-User-Credential-2': user_credential_2 }),
    ...(security_level === 'enhanced' && { 'X-Content-Hash': createHash('sha256').update(body).digest('hex') }),
  }
}

/** Return true if a 401 refuses our own credentials. The standard also has 401 for faults of a party to the order. */
export function isClientRefused(reply: Reply): boolean {
  if (reply.status !== 401) return false
  const code = readError(reply.body)?.code.toLowerCase()
  return code === undefined || !PARTY_CODES.has(code)
}

const PARTY_CODES: ReadonlySet<string> = new Set([
  'requestdeclined',
  'requestingpartyauthorisationerror',
  'servicingpartyauthorisationerror',
])

/** Return true if the address does not exist, however the provider says so. */
export function isMissing({ status }: Reply): boolean {
  return status === 404 || status === 405
}

/** Return the fault when a provider gives no token, as far as its answer shows it. */
export function tokenFault(reply: Reply): string | undefined {
  const { status } = reply
  if (status === 400 || status === 401 || status === 403)
    return getMessage('gsma.refuses_consumer_key_consumer_secret', { answer: describe(reply) })
  if (status === 404 || status === 405) return getMessage('gsma.nothing_gives_out', { code: status })
  return undefined
}

/** Return the fault when a provider denies access, as far as its answer shows it. */
export function accessFault(reply: Reply, verb: string, settings: GsmaSettings): string | undefined {
  const { status } = reply
  if (isClientRefused(reply))
    return settings.security_level === 'development'
      ? getMessage('gsma.refuses_call_check', { verb, answer: describe(reply) })
      : getMessage('gsma.refuses_new_token', { answer: describe(reply) })
  if (status === 403) return getMessage('gsma.forbids_call_check', { verb, answer: describe(reply) })
  if (isMissing(reply) && !readError(reply.body)) return getMessage('gsma.no_host_api', { verb, code: status })
  return undefined
}
