import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { DriverTools, OpenedConnection, ProvisionAnswer } from '../contract.ts'
import { baseUrl, describe, type Reply } from './client.ts'

/** Input for making an API user in the sandbox. */
interface Provisioning {
  /** The base URL, such as `https://sandbox.momodeveloper.mtn.com`. */
  api: string
  /** The key of any product of the profile. */
  subscription_key: string
  /** The host of our callback address, without scheme and path. MTN calls no other, and it cannot be changed later. */
  callback_host: string
}

/** The API user that was made, or why there is none. */
type MadeUser =
  | { outcome: 'provisioned'; api_user: string; api_key: string }
  | { outcome: 'failed'; message: string }
  | UnknownOutcome

/**
 * Make an API user and its key in MTN's sandbox, where nobody else gives them out. A repeated call loses nothing: each
 * call makes another user. In production, users are made in the partner portal. Source: momodeveloper.mtn.com, "Sandbox
 * User Provisioning".
 */
export async function provision(given: Provisioning, tools: Pick<DriverTools, 'http'>): Promise<MadeUser> {
  const api_user = randomUUID()
  const base = baseUrl({ hosts: { api: given.api } })
  const headers = { 'Ocp-Apim-Subscription-Key': given.subscription_key }
  const made = await send(tools, {
    verb: 'API user',
    method: 'POST',
    url: `${base}/v1_0/apiuser`,
    headers: { ...headers, 'X-Reference-Id': api_user, 'Content-Type': 'application/json' },
    body: JSON.stringify({ providerCallbackHost: given.callback_host }),
  })
  if (made.outcome === 'unknown') return made
  if (made.status !== 201) return refusal('API user', made)
  const keyed = await send(tools, {
    verb: 'API key',
    method: 'POST',
    url: `${base}/v1_0/apiuser/${api_user}/apikey`,
    headers,
  })
  if (keyed.outcome === 'unknown') return keyed
  const api_key = keyed.status === 201 ? ApiKey.safeParse(keyed.body).data?.apiKey : undefined
  return api_key === undefined ? refusal('API key', keyed) : { outcome: 'provisioned', api_user, api_key }
}

/**
 * Make the credentials of a connection to MTN's sandbox: an API user whose callback host is ours. One user serves both
 * products. It needs the subscription key of one product.
 */
export async function provisionConnection(
  { environment, hosts, settings }: OpenedConnection,
  tools: DriverTools,
): Promise<ProvisionAnswer> {
  if (environment === 'production') return { outcome: 'failed', message: getMessage('mtn.gives_out_api') }
  const keys = SubscriptionKeys.safeParse(settings).data
  const product = keys?.collection_subscription_key ? 'collection' : 'disbursement'
  const subscription_key = keys?.[`${product}_subscription_key`]
  if (!subscription_key) return { outcome: 'failed', message: getMessage('mtn.give_subscription_key') }
  const callback_host = new URL(tools.callbackUrl(null)).hostname
  const made = await provision({ api: hosts.api!, subscription_key, callback_host }, tools)
  if (made.outcome !== 'provisioned') return made
  const { api_user, api_key } = made
  return { outcome: 'provisioned', settings: { [`${product}_api_user`]: api_user, [`${product}_api_key`]: api_key } }
}

const SubscriptionKeys = z.object({
  collection_subscription_key: z.string().optional(),
  disbursement_subscription_key: z.string().optional(),
})

async function send(
  tools: Pick<DriverTools, 'http'>,
  call: Parameters<DriverTools['http']>[0],
): Promise<Reply | UnknownOutcome> {
  const answer = await tools.http(call)
  if (answer.outcome === 'unknown') return answer
  if (answer.incomplete !== null) return { outcome: 'unknown', message: answer.incomplete }
  return { outcome: 'answered', status: answer.status, text: answer.text, body: parseJson(answer.text) }
}

function refusal(what: string, reply: Reply): Exclude<MadeUser, { outcome: 'provisioned' }> {
  if (reply.status >= 500 || reply.status === 429)
    return { outcome: 'unknown', message: getMessage('mtn.sandbox_not_available', { answer: describe(reply) }) }
  const advice =
    reply.status === 401
      ? 'check that the subscription key is that of a product in your profile at momodeveloper.mtn.com'
      : 'check the callback host: it is a host name without scheme and path'
  return { outcome: 'failed', message: getMessage('mtn.sandbox_made_no', { what, answer: describe(reply), advice }) }
}

const ApiKey = z.object({ apiKey: z.string().min(1) })
