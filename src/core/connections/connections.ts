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
 * All connections, with their secrets in plain text among their settings. One whose secrets cannot be decrypted has the
 * reason as its `fault`: it must not keep the others from working.
 */
export async function readStoredConnections(db: Reader, keysFor: (purpose: string) => SealingKeys) {
  const stored = await db<ConnectionRow[]>`
    select slug, driver, environment, organization, hosts, settings, sealed_secrets, callback_secret, state, priority,
      max_concurrent, max_per_second
    from connections order by id`
  return stored.map(({ sealed_secrets, settings, ...row }) => {
    const { secrets, fault } = unseal(sealed_secrets, keysFor(CONNECTION_SECRETS))
    return { ...row, settings: { ...settings, ...secrets }, ...(fault && { fault }) }
  })
}

function unseal(sealed: string | null, keys: SealingKeys): { secrets: Record<string, unknown>; fault?: WrongKey } {
  if (sealed === null) return { secrets: {} }
  try {
    return { secrets: JSON.parse(decrypt(keys, sealed)) as Record<string, unknown> }
  } catch (error) {
    if (error instanceof WrongKey) return { secrets: {}, fault: error }
    throw error
  }
}
