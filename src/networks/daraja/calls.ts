import { z } from 'zod'
import { callWithToken, isUnauthorized, type NotSent, readAccessToken } from '../../drivers/access-tokens.ts'
import { spareText } from '../../drivers/members.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import type { AccessToken, FailureReason, UnknownOutcome } from '../contract.ts'
import { refusedTokenCodes } from './codes.ts'
import type { Session } from './settings.ts'
import { toMessage } from './wire.ts'

/** Refusal of a call by Daraja. */
export interface DarajaError {
  code: string
  message: string
}

/** An answer of Daraja. `error` is null if the body has no error. */
export interface DarajaAnswer {
  outcome: 'answered'
  status: number
  body: unknown
  error: DarajaError | null
}

export type { NotSent } from '../../drivers/access-tokens.ts'

/**
 * Post JSON with the token of the connection. Without a token the call does not leave, so that certainly nothing has happened;
 * and when Daraja refuses a token.
 */
export async function post(
  session: Session,
  verb: string,
  path: string,
  content: object,
): Promise<DarajaAnswer | NotSent | UnknownOutcome> {
  const { tools, connection } = session
  const body = JSON.stringify(content)
  let no_token: string | undefined
  const answer = await callWithToken({
    async token() {
      const got = await tools.tokens.get(TOKEN, () => fetchToken(session))
      if (got.outcome === 'unknown') no_token = got.message
      return got
    },
    refuse: (token) => tools.tokens.refuse(TOKEN, token),
    send: (token) =>
      tools.http({
        verb,
        method: 'POST',
        url: connection.hosts.api + path,
        body,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      }),
    isRefused(reply) {
      const error = errorOf(reply)
      return (isUnauthorized(reply) || isRefusedToken(error)) && !isMissingProduct(error)
    },
    onRefused(reply) {
      tools.alarm('Daraja refuses an access token that it has just given out: ask Safaricom for the state of the app.')
      return `Daraja refuses the access token, so nothing was sent (HTTP ${reply.status}).`
    },
  })
  if (no_token !== undefined) return { outcome: 'not_sent', message: no_token }
  if (answer.outcome !== 'answered') return answer
  const read = readAnswer(answer)
  if (read.outcome === 'answered') reportMissingProduct(session, verb, read)
  return read
}

const TOKEN = 'api'

/** Get a token. It says which setting is wrong where Daraja refuses the consumer key and secret. */
export async function fetchToken({ connection, tools }: Session): Promise<AccessToken | UnknownOutcome> {
  const { consumer_key, consumer_secret } = connection.settings
  const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')
  const reply = await tools.http({
    verb: 'token',
    is_token: true,
    method: 'GET',
    url: `${connection.hosts.api}/oauth/v1/generate?grant_type=client_credentials`,
    headers: { authorization: `Basic ${basic}` },
  })
  if (reply.outcome === 'unknown') return reply
  const token = reply.incomplete === null ? readAccessToken(parseJson(reply.text)) : undefined
  if (reply.status === 200 && token) return token
  // Wrong credentials get a 400, with an error or with an empty body.
  if ([400, 401, 403].includes(reply.status)) {
    const { environment } = connection
    const message = `Daraja refuses the consumer key and secret: check consumer_key and consumer_secret, and that the app is one of the ${environment} environment.`
    tools.alarm(message)
    return { outcome: 'unknown', message }
  }
  return { outcome: 'unknown', message: `Daraja gave no access token (HTTP ${reply.status}).` }
}

const ErrorBody = z.union([
  z
    .object({ errorCode: z.union([z.string(), z.number()]).transform(String), errorMessage: z.string().catch('') })
    .transform(({ errorCode, errorMessage }): DarajaError => ({ code: errorCode, message: errorMessage })),
  // The API gateway in front of Daraja has its own form.
  z
    .object({
      fault: z.object({
        faultstring: z.string().catch(''),
        detail: z.object({ errorcode: spareText }).nullish().catch(null),
      }),
    })
    .transform(({ fault }): DarajaError => ({ code: fault.detail?.errorcode ?? '', message: fault.faultstring })),
])

function readAnswer({ status, text, incomplete }: HttpAnswer): DarajaAnswer | UnknownOutcome {
  if (incomplete !== null) return { outcome: 'unknown', message: incomplete }
  const body = parseJson(text)
  return { outcome: 'answered', status, body, error: errorIn(body) }
}

const errorIn = (body: unknown): DarajaError | null => ErrorBody.safeParse(body).data ?? null
const errorOf = ({ text }: HttpAnswer) => errorIn(parseJson(text))

function isRefusedToken(error: DarajaError | null): boolean {
  return (
    error !== null &&
    (refusedTokenCodes.has(error.code) || /invalid access token|access token expired/i.test(error.message))
  )
}

/** Alert the operator to a product that the app lacks, or that the contract does not cover. */
function reportMissingProduct({ tools }: Session, verb: string, { error }: DarajaAnswer): void {
  if (error?.code === '403.001' || isMissingProduct(error))
    tools.alarm(`The app has no product for the call "${verb}": add it to the app in the Daraja portal, under My Apps.`)
}

/** Return true if the gateway denies the app this product. The token is right, and nothing was processed. */
function isMissingProduct(error: DarajaError | null): boolean {
  return /no apiproduct match/i.test(error?.message ?? '')
}

/** The outcome of an answer that says nothing certain. */
export function unclear(what: string, { status, error }: DarajaAnswer): UnknownOutcome {
  const words = error ? `: ${error.code} ${toMessage(error.message, '')}`.trimEnd() : ''
  return {
    outcome: 'unknown',
    message: `Daraja's answer to the ${what} says nothing certain (HTTP ${status}${words}).`,
  }
}

/** Interpret a refusal that comes before Daraja does anything. Undefined for all other errors. */
export function readRefusal(
  { tools }: Session,
  error: DarajaError,
): { outcome: 'failed'; reason: FailureReason; message: string; code: string } | undefined {
  const { code } = error
  const refuse = (reason: FailureReason, otherwise: string) =>
    ({ outcome: 'failed', reason, message: toMessage(error.message, otherwise), code }) as const
  if (code.startsWith('400.002.') || code === '400.003.02') {
    const setting = SETTINGS_IN_WORDS.find(([words]) => words.test(error.message))?.[1]
    if (setting) tools.alarm(`Daraja refuses a field (${toMessage(error.message, code)}): check ${setting}.`)
    return refuse(setting ? 'not_allowed' : 'rejected', 'Daraja refuses a field.')
  }
  if (isMissingProduct(error)) return refuse('not_allowed', 'The app lacks the product.')
  if (code !== '500.001.1001') return undefined
  if (/merchant does not exist/i.test(error.message)) {
    tools.alarm('Daraja does not know the short code: check short_code, and that the app went live with it.')
    return refuse('not_allowed', 'The merchant does not exist.')
  }
  if (/wrong credentials/i.test(error.message)) {
    tools.alarm('Daraja refuses the password of M-Pesa Express: check passkey and short_code, which belong together.')
    return refuse('not_allowed', 'Wrong credentials.')
  }
  if (/lock subscriber/i.test(error.message)) return refuse('unreachable', 'Another payment is open on the phone.')
  return undefined
}

/** Fields of ours that a message may name, and where their value comes from. */
const SETTINGS_IN_WORDS: readonly [RegExp, string][] = [
  [
    /callback\s*url|resulturl|queuetimeouturl|confirmationurl|validationurl/i,
    'PUBLIC_URL, which must be a public https address',
  ],
  [/shortcode|short code/i, 'short_code and payout_short_code'],
  [/initiator/i, 'initiator'],
  [/securitycredential|security credential/i, 'initiator_password and certificate'],
]
