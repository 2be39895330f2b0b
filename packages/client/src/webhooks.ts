import { BILL_MONEY_FIELDS, parseJson } from './json.ts'
import type { Notification } from './types.ts'

/** The headers of a request, as `fetch`, Node's http and web frameworks have them. */
export type IncomingHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** Maximum difference of a notification's time from now, in seconds. Default: 300. */
  tolerance?: number
  /** The time that counts as now. */
  now?: Date
}

/** Notification with a right signature. */
export type VerifiedNotification = Notification & {
  /** The same in all attempts to deliver it: keep it, and ignore a notification whose id you have processed. */
  webhook_id: string
  /** Time of sending. */
  sent: Date
}

/** Error for a request that is not a recent, genuine notification: answer 400 or 401, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** WebCrypto's type is known under this name with the types of browsers and of Node. */
type VerificationKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const DEFAULT_TOLERANCE_S = 300

/**
 * Check that a notification was sent by your Kusanya, is recent and unchanged, as Standard Webhooks says
 * (standardwebhooks.com), and give its content. WebCrypto compares the signatures in constant time.
 * @param body exactly the bytes that came, or their text; not the parsed JSON
 * @param secret of the webhook (`npx kusanya webhooks secret <id>`); several while they change, or for several webhooks
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: IncomingHeaders,
  secret: string | readonly string[],
  { tolerance = DEFAULT_TOLERANCE_S, now = new Date() }: VerifyOptions = {},
): Promise<VerifiedNotification> {
  const bytes = bytesOf(body)
  const keys = await Promise.all([secret].flat().map(importKey))
  if (keys.length === 0) throw new TypeError('A secret is needed.')
  const webhook_id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is no time.')
  const age_s = now.getTime() / 1_000 - Number(timestamp)
  if (!(Math.abs(age_s) <= tolerance))
    throw new WebhookVerificationError('The notification is too old, or one of the clocks is wrong.')
  const signed = concat(new TextEncoder().encode(`${webhook_id}.${timestamp}.`), bytes)
  if (!(await hasSignature(signed, signatures, keys)))
    throw new WebhookVerificationError('No signature of the notification fits the secret.')
  const notification = parseNotification(new TextDecoder().decode(bytes))
  return { webhook_id, sent: new Date(Number(timestamp) * 1_000), ...notification }
}

/** The content of a notification. @throws SyntaxError */
export function parseNotification(text: string): Notification {
  const is_bill = /"event"\s*:\s*"billpayment\./.test(text)
  const { hook, data } = parseJson(text, is_bill ? BILL_MONEY_FIELDS : undefined) as Notification
  return { type: hook.event, hook, data } as Notification
}

async function hasSignature(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  keys: readonly VerificationKey[],
): Promise<boolean> {
  // More than a few are no signatures of ours, and would only cost time.
  const candidates = signatures.split(' ').slice(0, 10)
  for (const candidate of candidates) {
    const signature = candidate.startsWith('v1,') ? decodeBase64(candidate.slice(3)) : undefined
    if (!signature) continue
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

function importKey(secret: string): Promise<VerificationKey> {
  const bytes = typeof secret === 'string' ? decodeBase64(secret.replace(/^whsec_/, '')) : undefined
  if (!bytes || bytes.length === 0) throw new TypeError('The secret of a webhook is whsec_ and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function readHeader(headers: IncomingHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

function bytesOf(body: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('The body must be the text or the bytes that came. Parsed JSON has lost what was signed.')
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
