import { createHmac } from 'node:crypto'

/**
 * The three headers by which a receiver knows that a notification is ours, fresh and not a repetition, as the Standard
 * Webhooks specification says (https://www.standardwebhooks.com). One signature for each secret, the newest first.
 * @param secrets each `whsec_` and base64.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
