import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const USER_AGENT = 'Kusanya-Webhooks'

/** Every header of a notification except `Authorization`, with the signatures for the time `at`. */
export function notificationHeaders(
  keys: readonly KeyObject[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  return headersOfSignature(id, at, signatureHeaders(keys, id, at, body)['webhook-signature'])
}

/** The same headers, from a signature that was kept. */
export function headersOfSignature(id: string, at: Date, signature: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestampOf(at),
    'webhook-signature': signature,
  }
}

function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1_000))
}

/**
 * The `webhook-id` of one event for one receiver, which the token identifies. It is the same in all attempts. `event` is a text for
 * a notification that is not about an event.
 */
export function notificationId(token: string, event: number | string): string {
  return `msg_${token}_${event}`
}

/** The header for receivers that require a user and a password. `credentials` is `user:password`. */
export function basicAuthorization(credentials: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/**
 * The three headers with which a receiver verifies that a notification is ours, recent and not a repetition, according
 * to the Standard Webhooks specification (https://www.standardwebhooks.com). One signature per key, the newest first.
 */
export function signatureHeaders(
  keys: readonly KeyObject[],
  id: string,
  at: Date,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = timestampOf(at)
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The key of a secret, which is `whsec_` and base64. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
}
