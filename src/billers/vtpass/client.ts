import { z } from 'zod'
import { isUnauthorized } from '../../drivers/access-tokens.ts'
import type { DriverTools, OutgoingCall } from '../../drivers/contract.ts'
import { spareText } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import { cleanWords } from '../shared/words.ts'
import { WRONG_KEYS } from './codes.ts'
import { secretsOf, type VtpassConnection } from './settings.ts'

/** Maximum seconds of one call. Billers behind VTpass are slow. */
export const CALL_S = 60

/** An answer of VTpass. `body` is undefined when it is not JSON; its numbers are texts. */
export interface Reply {
  outcome: 'answered'
  status: number
  body: unknown
}

/** Call VTpass with the keys of the connection. */
export interface Client {
  get(verb: string, path: string): Promise<Reply | UnknownOutcome>
  post(verb: string, path: string, body: string): Promise<Reply | UnknownOutcome>
  /** Describe VTpass's answer for messages: the status, with code and words if given. */
  describe(reply: Reply): string
}

/** Open the client of one connection. Queries have the public key, and everything else the secret one. */
export function openClient(connection: VtpassConnection, tools: DriverTools): Client {
  const { api_key, public_key, secret_key } = connection.settings
  const secrets = secretsOf(connection)
  // The sandbox's address is known only once its simulator listens.
  const urlOf = (path: string) => withoutTrailing(connection.hosts.api ?? '', '/') + path

  async function call(sent: OutgoingCall): Promise<Reply | UnknownOutcome> {
    const answer = await tools.http(sent)
    if (answer.outcome === 'unknown') return answer
    const reply: Reply = { outcome: 'answered', status: answer.status, body: parseJsonAsTexts(answer.text) }
    const fault = accessFault(reply)
    if (fault) tools.alarm(fault)
    // The status says that nothing was processed, whatever comes after it.
    if (answer.incomplete !== null && !isUnauthorized(reply)) return { outcome: 'unknown', message: answer.incomplete }
    return reply
  }

  return {
    get: (verb, path) =>
      call({ verb, method: 'GET', url: urlOf(path), headers: { 'api-key': api_key, 'public-key': public_key } }),
    post: (verb, path, body) =>
      call({
        verb,
        method: 'POST',
        url: urlOf(path),
        body,
        headers: { 'api-key': api_key, 'secret-key': secret_key, 'content-type': 'application/json' },
      }),
    describe: (reply) => describe(reply, secrets),
  }
}

/** Return the reason why VTpass denies access. */
export function accessFault(reply: Reply): string | undefined {
  const wrong = codeOf(reply) === WRONG_KEYS || /INVALID CREDENTIALS/i.test(wordsOf(reply) ?? '')
  if (!wrong && reply.status !== 401 && reply.status !== 403) return undefined
  return getMessage('vtpass.refuses_api_key_public_key_secret_key')
}

/** The code of an answer, three digits; undefined if there is none. */
export function codeOf({ body }: Reply): string | undefined {
  const code = Envelope.safeParse(body).data?.code
  return code !== undefined && /^\d{1,3}$/.test(code) ? code.padStart(3, '0') : undefined
}

function wordsOf({ body }: Reply): string | undefined {
  return Envelope.safeParse(body).data?.response_description
}

function describe(reply: Reply, secrets: readonly string[]): string {
  const words = wordsOf(reply)
  return [`HTTP ${reply.status}`, codeOf(reply), words && cleanWords(words, secrets)].filter(Boolean).join(', ')
}

const Envelope = z.object({
  code: spareText,
  response_description: spareText,
})
