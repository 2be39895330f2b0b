import { z } from 'zod'
import { callWithToken, isUnauthorized, type NotSent, readAccessToken } from '../../drivers/access-tokens.ts'
import { spareText } from '../../drivers/members.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { AccessToken, FailureReason, UnknownOutcome } from '../contract.ts'
import { refusedTokenCodes } from './codes.ts'
import type { Session } from './settings.ts'
import { toMessage } from './wire.ts'

/** Refusal of a call by Daraja. */
interface DarajaError {
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
      tools.alarm(getMessage('daraja.refuses_access_token'))
      return getMessage('daraja.refuses_access_token_nothing', { code: reply.status })
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
    const message = getMessage('daraja.refuses_consumer_key', { environment })
    tools.alarm(message)
    return { outcome: 'unknown', message }
  }
  return { outcome: 'unknown', message: getMessage('daraja.gave_no_access', { code: reply.status }) }
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
  if (error?.code === '403.001' || isMissingProduct(error)) tools.alarm(getMessage('daraja.app_no_product', { verb }))
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
    message: getMessage('daraja.answer_says_nothing', { what, code: status, words }),
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
    if (setting)
      tools.alarm(getMessage('daraja.refuses_field_check', { detail: toMessage(error.message, code), setting }))
    return refuse(setting ? 'not_allowed' : 'rejected', getMessage('daraja.refuses_field'))
  }
  if (isMissingProduct(error)) return refuse('not_allowed', getMessage('daraja.app_lacks_product'))
  if (code !== '500.001.1001') return undefined
  if (/merchant does not exist/i.test(error.message)) {
    tools.alarm(getMessage('daraja.not_know_short'))
    return refuse('not_allowed', getMessage('daraja.merchant_not_exist'))
  }
  if (/wrong credentials/i.test(error.message)) {
    tools.alarm(getMessage('daraja.refuses_password_m'))
    return refuse('not_allowed', getMessage('daraja.wrong_credentials'))
  }
  if (/lock subscriber/i.test(error.message)) return refuse('unreachable', getMessage('daraja.another_payment_open'))
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
