import type { KeyObject } from 'node:crypto'
import {
  basicAuthorization,
  notificationHeaders,
  notificationId,
  signingKey,
} from '../../lib/http/standard-webhooks.ts'
import { decrypt, type SealingKeys } from '../../lib/secrets.ts'
import { mustVerifyCertificate, type TargetSettings } from '../target-urls.ts'
import type { WebhookSigning } from './webhooks.ts'

/** The time limit of one attempt, from the DNS look-up to the last byte (interface 4.2). */
export const NOTIFICATION_TIMEOUT_MS = 5_000

/** POST to a receiver, ready to send. */
export interface NotificationRequest {
  target: URL
  headers: Record<string, string>
  /** True if the certificate must be valid. */
  verify: boolean
  /** The headers as people may see them: without credentials. */
  shown_headers: Record<string, string>
  /** Masks our credentials where the receiver repeats them. */
  mask(text: string): string
}

/**
 * Returns the function that writes the requests of notifications: signed, with the credentials of the organization. Its
 * `subject` is the event, or its substitute in the `webhook-id`.
 */
export function createRequestWriter(settings: Pick<TargetSettings, 'MODE'>, sealing_keys: SealingKeys) {
  const signingKeys = createSigningKeyCache(sealing_keys)
  return (
    webhook: WebhookSigning,
    subject: number | string,
    body: string,
    at: Date,
    more: Record<string, string> = {},
  ): NotificationRequest => {
    const credentials = webhook.credentials === null ? null : decrypt(sealing_keys, webhook.credentials)
    const id = notificationId(webhook.token, subject)
    const headers = { ...notificationHeaders(signingKeys(webhook), id, at, body), ...more }
    const target = new URL(webhook.target)
    return {
      target,
      headers: credentials === null ? headers : { ...headers, ...basicAuthorization(credentials) },
      verify: mustVerifyCertificate(settings, target),
      shown_headers: credentials === null ? headers : { ...headers, authorization: 'Basic ***' },
      mask: createMask(credentials),
    }
  }
}

/** Returns the signing keys of a webhook, the newest first. They are cached, because decrypting costs more than signing. */
function createSigningKeyCache(sealing_keys: SealingKeys): (webhook: WebhookSigning) => KeyObject[] {
  const keys = new Map<string, KeyObject>()
  const findKey = (sealed: string): KeyObject => {
    const key = keys.get(sealed) ?? signingKey(decrypt(sealing_keys, sealed))
    if (keys.size >= MAX_CACHED_KEYS) keys.clear()
    keys.set(sealed, key)
    return key
  }
  return ({ secret, previous_secret }) => [secret, previous_secret].filter((sealed) => sealed !== null).map(findKey)
}

const MAX_CACHED_KEYS = 10_000

function createMask(credentials: string | null): (text: string) => string {
  if (credentials === null) return (text) => text
  const password = credentials.slice(credentials.indexOf(':') + 1)
  const secrets = [Buffer.from(credentials).toString('base64'), credentials, password].filter((secret) => secret !== '')
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
}
