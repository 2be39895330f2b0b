import type { Reader } from '../../db/client.ts'
import { decrypt, type SealingKeys, WrongKey } from '../../lib/secrets.ts'

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

/**
 * All connections, with their secrets in plain text among their settings. `problem` says why one cannot be opened.
 * @param keysFor the keys of a purpose: `app.sealingKeys`
 */
export async function readStoredConnections(db: Reader, keysFor: (purpose: string) => SealingKeys) {
  const stored = await db<ConnectionRow[]>`
    select slug, driver, environment, organization, hosts, settings, sealed_secrets, callback_secret, state, priority,
      max_concurrent, max_per_second
    from connections order by id`
  return stored.map(({ sealed_secrets, settings, ...row }) => ({
    ...row,
    ...withSecrets(keysFor(CONNECTION_SECRETS), settings, sealed_secrets),
  }))
}

function withSecrets(keys: SealingKeys, settings: Record<string, unknown>, sealed: string | null) {
  if (sealed === null) return { settings }
  try {
    return { settings: { ...settings, ...(JSON.parse(decrypt(keys, sealed)) as Record<string, unknown>) } }
  } catch (error) {
    // One connection that cannot be read must not keep the others, and the commands that repair it, from working.
    if (!(error instanceof WrongKey)) throw error
    return { settings, problem: `Its secrets cannot be read. ${error.message}` }
  }
}
