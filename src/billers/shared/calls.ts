import { isUnauthorized } from '../../drivers/access-tokens.ts'
import type { DriverTools, OutgoingCall } from '../../drivers/contract.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { type JsonAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'

/** Call that sends and receives JSON, over the tools of a connection. */
export interface JsonCall extends Omit<OutgoingCall, 'body' | 'headers'> {
  headers: Record<string, string>
  body?: object | undefined
  /** Secrets that become `***` where the answer repeats them. */
  secrets: readonly string[]
}

/** Make one call. Without a complete answer it is unknown. `body` of the answer is undefined when it is not JSON. */
export async function callProvider(
  tools: DriverTools,
  { body, headers, secrets, ...call }: JsonCall,
): Promise<JsonAnswer | UnknownOutcome> {
  const answer = await tools.http({
    ...call,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.outcome === 'unknown') return answer
  if (isUnauthorized(answer)) tools.alarm(getMessage('billers.provider_refuses_key'))
  else if (answer.incomplete !== null) return { outcome: 'unknown', message: answer.incomplete }
  const hidden = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
  const text = hidden.reduce((masked, secret) => masked.replaceAll(secret, '***'), answer.text)
  return { outcome: 'answered', status: answer.status, body: parseJson(text) }
}

/** A shorter word is no secret, and may be a part of many others. */
const MIN_SECRET_CHARACTERS = 6
