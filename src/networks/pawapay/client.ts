import { z } from 'zod'
import { isUnauthorized, type NotSent } from '../../drivers/access-tokens.ts'
import { shortenWords } from '../../drivers/words.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import type { DriverTools } from '../contract.ts'
import { readSigningKey } from './keys.ts'
import type { PawapayConnection } from './settings.ts'
import { signRequest } from './signatures.ts'

/** Maximum seconds of one operation with all its calls. For an order, the provider is looked up first. */
export const CALL_S = 30
/** Time limit of a call without effect, which is answered quickly or not at all. */
const QUICK_S = 8

/** An answer of pawaPay. `body` is undefined when it is not JSON. */
export interface Reply {
  outcome: 'answered'
  status: number
  body: unknown
  /** Reason of pawaPay's refusal, if given. */
  failure: Failure | undefined
}

/** A refusal in pawaPay's words. */
export interface Failure {
  code: string
  /** Message of pawaPay, cleaned and cut. */
  words: string
}

/** Call of the API. */
interface PawapayCall {
  verb: string
  method: 'GET' | 'POST'
  /** Path with a leading slash. */
  path: string
  body?: string
  /** True if the call moves money: it may be signed, and may take longer. */
  is_order?: boolean
}

/** Call pawaPay within the time of one operation. */
export interface Client {
  /** Make a call without effect. */
  call(call: PawapayCall): Promise<Reply | UnknownOutcome>
  /** As `call`, for an order to pawaPay. `not_sent` means that pawaPay certainly has not carried it out. */
  order(call: PawapayCall): Promise<Reply | NotSent | UnknownOutcome>
}

/** Begin one operation, whose calls share its time. */
export function beginOperation(connection: PawapayConnection, tools: DriverTools): Client {
  const end_ms = tools.now().getTime() + CALL_S * 1_000
  const { api_token } = connection.settings

  async function call({ verb, method, path, body, is_order = false }: PawapayCall): Promise<Reply | UnknownOutcome> {
    const left_s = Math.floor((end_ms - tools.now().getTime()) / 1_000)
    if (left_s < 1) return unknown(`pawaPay took too long, so the ${verb} was not sent.`)
    // The host may change while the connection is open.
    const url = withoutTrailing(connection.hosts.api ?? '', '/') + path
    const headers = {
      Authorization: `Bearer ${api_token}`,
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': CONTENT_TYPE }),
      ...(is_order && signatureOf(connection, { method, url, body: body ?? '' }, tools.now())),
    }
    const timeout_s = Math.min(left_s, is_order ? CALL_S : QUICK_S)
    const answer = await tools.http({ verb, method, url, headers, timeout_s, ...(body !== undefined && { body }) })
    if (answer.outcome === 'unknown') return answer
    const parsed = parseJson(answer.text)
    const reply: Reply = { outcome: 'answered', status: answer.status, body: parsed, failure: readFailure(parsed) }
    const fault = accessFault(reply)
    if (fault) tools.alarm(fault)
    return answer.incomplete === null || isUnauthorized(reply) ? reply : unknown(answer.incomplete)
  }

  async function order(wanted: PawapayCall): Promise<Reply | NotSent | UnknownOutcome> {
    const reply = await call(wanted)
    return reply.outcome === 'answered' && isUnauthorized(reply)
      ? { outcome: 'not_sent', message: `pawaPay refuses api_token, so nothing was sent (${describe(reply)}).` }
      : reply
  }

  return { call, order }
}

const CONTENT_TYPE = 'application/json'

function signatureOf(
  { settings }: PawapayConnection,
  message: { method: string; url: string; body: string },
  now: Date,
): Record<string, string> {
  const { signing_key, signing_key_id } = settings
  const key = signing_key === undefined ? undefined : readSigningKey(signing_key)
  if (!key || signing_key_id === undefined || !URL.canParse(message.url)) return {}
  return signRequest({ ...message, content_type: CONTENT_TYPE }, { key, key_id: signing_key_id }, now)
}

const FailureBody = z.object({
  failureReason: z.object({
    failureCode: z.string().regex(/^[A-Z][A-Z0-9_]{2,60}$/),
    failureMessage: z.string().nullish().catch(null),
  }),
})

/** The refusal in an answer, in the data of an order or in a callback. */
export function readFailure(body: unknown): Failure | undefined {
  const reason = FailureBody.safeParse(body).data?.failureReason
  return reason && { code: reason.failureCode, words: shortenWords(reason.failureMessage ?? '', MAX_WORDS) }
}

const MAX_WORDS = 160

/** Return the fault when pawaPay denies access, as far as its answer shows it. */
export function accessFault({ status, failure }: Pick<Reply, 'status' | 'failure'>): string | undefined {
  if (status !== 401 && status !== 403) return undefined
  const code = failure?.code ?? ''
  if (code === 'HTTP_SIGNATURE_ERROR')
    return 'pawaPay refuses the signature of our requests: check signing_key and signing_key_id, and the public key in its dashboard.'
  if (code === 'AUTHORISATION_ERROR')
    return 'pawaPay does not allow our API token to do this: make one with all permissions, and enter it as api_token.'
  if (/^[A-Z_]+_NOT_ALLOWED$/.test(code))
    return `pawaPay says that this operation is not open for our account (${code}): ask pawaPay to open it for this provider.`
  return `pawaPay refuses api_token (${describe({ status, failure })}): check that it is one of this environment and was not removed.`
}

/** Describe pawaPay's answer for messages: the status, with code and words if given. */
export function describe({ status, failure }: Pick<Reply, 'status' | 'failure'>): string {
  return [`HTTP ${status}`, failure?.code, failure?.words].filter(Boolean).join(', ')
}

export function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

/** Return an answer that says nothing about its query. */
export function noVerdict(reply: Reply): UnknownOutcome {
  return unknown(`pawaPay's answer cannot be understood (${describe(reply)}).`)
}
