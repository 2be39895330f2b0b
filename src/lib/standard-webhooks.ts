import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const USER_AGENT = 'Kusanya-Webhooks'

/** Every header of a notification but `Authorization`, signed as it is sent at this moment. */
export function notificationHeaders(
  keys: readonly KeyObject[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  return { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signatureHeaders(keys, id, at, body) }
}

/** The `webhook-id` of one event for one receiver, who is told apart by a token: the same in all attempts. */
export function notificationId(token: string, event: number): string {
  return `msg_${token}_${event}`
}

/** The header for receivers that want a user and a password; `credentials` are both, with a colon between them. */
export function basicAuthorization(credentials: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/**
 * The three headers by which a receiver knows that a notification is ours, fresh and not a repetition, as the Standard
 * Webhooks specification says (https://www.standardwebhooks.com). One signature for each secret, the newest first.
 */
export function signatureHeaders(
  keys: readonly KeyObject[],
  id: string,
  at: Date,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The key that a secret stands for: `whsec_` and base64. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
}
