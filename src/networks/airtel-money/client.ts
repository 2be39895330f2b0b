import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { callWithToken, type NotSent, notAsked, readAccessToken } from '../../drivers/access-tokens.ts'
import { spareText } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import type { HttpAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import type { AccessToken, DriverTools, OpenedConnection, OutgoingCall, TokenAnswer } from '../contract.ts'
import { type Reply, readReply, unknown } from './answers.ts'
import { countries } from './places.ts'
import type { AirtelSettings } from './settings.ts'
import { readPublicKey, sign } from './signing.ts'

/** Call of the API. */
export interface AirtelCall {
  verb: string
  method: 'GET' | 'POST'
  /** Path with a leading slash. */
  path: string
  body?: string
  /** The key of Airtel with which the body is signed. */
  sign_with?: KeyObject
  /** Country and currency go in headers in lower case, which one product wants. */
  lower_case?: boolean
}

/** A public key of Airtel. */
interface PublicKey {
  outcome: 'found'
  key: KeyObject
}

/** A connection, and how it calls Airtel. */
export interface AirtelClient {
  settings: AirtelSettings
  calling_code: string
  currency: string
  tools: DriverTools
  /** Return true if the host is part of the simulated network, which needs no https. */
  isSimulated(): boolean
  /** Make a call without effect. A refused token is renewed, and the call repeated once. */
  call(call: AirtelCall): Promise<Reply | UnknownOutcome>
  /** As `call`, for an order to Airtel. `not_sent` means that Airtel certainly has not carried it out. */
  order(call: AirtelCall): Promise<Reply | NotSent | UnknownOutcome>
  /** The access token, which `call` fetches by itself. */
  token(): Promise<TokenAnswer>
  /** The key with which Airtel wants PIN and signatures encrypted. */
  publicKey(): Promise<PublicKey | UnknownOutcome>
  /** Drop a key with which Airtel refused the encryption; the next call fetches a new one. */
  refuseKey(key: PublicKey): void
}

/** Time limits for an order and for a call without effect. One order may need several quick calls. */
export const CALL_S = 60
const QUICK_S = 15

const TOKEN = 'access'

/** @param keys the encryption key, which all calls of the connection share */
export function createClient(
  connection: OpenedConnection<AirtelSettings>,
  tools: DriverTools,
  keys: AirtelKeys,
): AirtelClient {
  const { settings, hosts } = connection
  const { calling_code, currencies } = countries[settings.country]!
  const currency = settings.currency ?? currencies[0]
  const headers = { 'Content-Type': 'application/json', Accept: '*/*' }
  const place = { 'X-Country': settings.country, 'X-Currency': currency }
  const lower_case_place = { 'x-country': settings.country, 'x-currency': currency }

  // The host may change while the connection is open.
  const http = (call: OutgoingCall) => {
    const host = withoutTrailing(hosts.api ?? '', '/')
    return tools.http({ timeout_s: QUICK_S, ...call, url: host + call.url })
  }

  async function fetchToken(): Promise<AccessToken | UnknownOutcome> {
    const { client_id, client_secret } = settings
    const body = JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' })
    const url = '/auth/oauth2/token'
    const answer = await http({ verb: 'token', is_token: true, method: 'POST', url, headers, body })
    return answer.outcome === 'unknown' ? answer : readToken(answer, tools)
  }

  const token = () => tools.tokens.get(TOKEN, fetchToken)

  function callOnce(call: AirtelCall, access_token: string): Promise<HttpAnswer | UnknownOutcome> {
    const { verb, method, path, body, sign_with, lower_case } = call
    const signature = sign_with && body !== undefined ? sign(sign_with, body) : {}
    const all = {
      Authorization: `Bearer ${access_token}`,
      ...headers,
      ...(lower_case ? lower_case_place : place),
      ...signature,
    }
    const sent = body === undefined ? {} : { body, timeout_s: CALL_S }
    return http({ verb, method, url: path, headers: all, ...sent })
  }

  async function order(wanted: AirtelCall): Promise<Reply | NotSent | UnknownOutcome> {
    const answer = await callWithToken({
      token,
      refuse: (refused) => tools.tokens.refuse(TOKEN, refused),
      send: (access_token) => callOnce(wanted, access_token),
      onRefused() {
        tools.alarm(getMessage('airtel.refuses_new_access'))
        return getMessage('airtel.refuses_access_token')
      },
    })
    if (answer.outcome !== 'answered') return answer
    const reply = readReply(answer)
    if ('codes' in reply && reply.http_status === 403 && reply.codes.length === 0)
      tools.alarm(getMessage('airtel.forbids_call_http', { verb: wanted.verb }))
    return reply
  }

  async function call(wanted: AirtelCall): Promise<Reply | UnknownOutcome> {
    const reply = await order(wanted)
    return 'outcome' in reply && reply.outcome === 'not_sent' ? notAsked(reply) : reply
  }

  const isSimulated = () => !hosts.api?.startsWith('https:')
  const publicKey = () => keys.find(tools, call)
  const refuseKey = keys.refuse
  return { settings, calling_code, currency, tools, isSimulated, call, order, token, publicKey, refuseKey }
}

/** The encryption key of Airtel. */
interface AirtelKeys {
  /** Return the key, which is fetched with this call where it is not known. */
  find(tools: DriverTools, call: AirtelClient['call']): Promise<PublicKey | UnknownOutcome>
  refuse(key: PublicKey): void
}

/** Fetch the public key of Airtel once for all callers, and keep it until it ends. */
export function openKeys(): AirtelKeys {
  let kept: { found: PublicKey; until_ms: number } | undefined
  let fetching: Promise<PublicKey | UnknownOutcome> | undefined

  async function fetchKey(tools: DriverTools, call: AirtelClient['call']): Promise<PublicKey | UnknownOutcome> {
    const reply = await call({ verb: 'encryption key', method: 'GET', path: '/v1/rsa/encryption-keys' })
    if ('outcome' in reply) return reply
    const data = EncryptionKey.safeParse(reply.data).data
    const key = data && readPublicKey(data.key)
    if (!key) {
      tools.alarm(getMessage('airtel.gives_no_encryption'))
      return unknown(getMessage('airtel.gives_no_encryption_key', { list: reply.codes.join(', ') || 'no code' }))
    }
    const now = tools.now()
    kept = { found: { outcome: 'found', key }, until_ms: now.getTime() + keyLifetime(data.valid_upto, now) * 1_000 }
    return kept.found
  }

  return {
    async find(tools, call) {
      if (kept && tools.now().getTime() < kept.until_ms) return kept.found
      fetching ??= fetchKey(tools, call).finally(() => {
        fetching = undefined
      })
      return fetching
    },
    refuse(key) {
      if (kept?.found === key) kept = undefined
    },
  }
}

/** Beginning of the message that Airtel refuses the credentials. It says how to repair them. */
export const CREDENTIALS_REFUSED = 'Airtel refuses the client id and secret'
export const CREDENTIALS_HELP = getMessage('airtel.check_client_id_client_secret')

function readToken(answer: HttpAnswer, tools: DriverTools): AccessToken | UnknownOutcome {
  const body = parseJsonAsTexts(answer.text)
  const token = readAccessToken(body)
  if (answer.status === 200 && answer.incomplete === null && token) return token
  if (answer.status === 400 || answer.status === 401) {
    const message = getMessage('airtel.http', { problem_text: CREDENTIALS_REFUSED, code: answer.status })
    tools.alarm(`${message} ${CREDENTIALS_HELP}`)
    return unknown(message)
  }
  return unknown(getMessage('airtel.gave_no_access', { code: answer.status }))
}

const EncryptionKey = z.object({ key: z.string().min(1), valid_upto: spareText })

const DAY_S = 86_400
/** Lifetime for an unreadable or past date. Airtel documents neither the time zone nor the next step. */
const SHORT_S = 300

/** Return the lifetime of a key: until `valid_upto`, such as `12-08-2027 21:29:26`, but at most a day. */
export function keyLifetime(valid_upto: string | undefined, now: Date): number {
  const parts = /^(\d{2})-(\d{2})-(\d{4})[ T](\d{2}):(\d{2}):(\d{2})/.exec(valid_upto ?? '')
  if (!parts) return SHORT_S
  const [day, month, year, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const left_s = Math.floor((Date.UTC(year, month - 1, day, hour, minute, second) - now.getTime()) / 1000)
  return Math.min(DAY_S, Math.max(SHORT_S, left_s))
}
