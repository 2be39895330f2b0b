import type { Reader } from '../../db/client.ts'
import { decrypt } from '../../lib/secrets.ts'

/** The PostgreSQL notification channel that tells all processes to read the connections again. */
export const CONNECTIONS_CHANNEL = 'connections'

/** The purpose of the key that encrypts the secrets of connections. */
export const CONNECTION_SECRETS = 'connection secrets'

/** A merchant account at a network, as it is stored. */
export interface ConnectionRow {
  slug: string
  driver: string
  environment: string
  /** Whose merchant account it is; null for the operator's own. */
  organization: number | null
  /** Base URLs that replace those of the environment. */
  hosts: Record<string, string>
  settings: Record<string, unknown>
  sealed_secrets: string | null
  callback_secret: string
  state: 'draft' | 'active' | 'paused' | 'removed'
  priority: number
  max_concurrent: number
  max_per_second: number
}

/** All connections, with their secrets in plain text among their settings. @throws WrongKey */
export async function readStoredConnections(db: Reader, deriveSecret: (purpose: string) => string) {
  const stored = await db<ConnectionRow[]>`
    select slug, driver, environment, organization, hosts, settings, sealed_secrets, callback_secret, state, priority,
      max_concurrent, max_per_second
    from connections order by id`
  return stored.map(({ sealed_secrets, settings, ...row }) => ({
    ...row,
    settings: { ...settings, ...unseal(sealed_secrets, deriveSecret) },
  }))
}

function unseal(sealed: string | null, deriveSecret: (purpose: string) => string): Record<string, unknown> {
  if (sealed === null) return {}
  return JSON.parse(decrypt(deriveSecret(CONNECTION_SECRETS), sealed)) as Record<string, unknown>
}
