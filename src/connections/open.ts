import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { readStoredConnections } from '../core/connections/connections.ts'
import type { Database } from '../db/client.ts'
import { readUnlessNew } from '../db/failures.ts'
import { logEvent } from '../lib/log-events.ts'
import type { SealingKeys } from '../lib/secrets.ts'
import { networkDrivers } from '../networks/index.ts'
import { builtInConnections, type SandboxParts } from './built-in.ts'
import type { Connection } from './connection.ts'
import { type Connections, createConnections, type StoredConnection } from './registry.ts'
import { createTools, type SharedTools } from './tools/index.ts'

export interface OpenConnectionsOptions {
  db: Database
  log: Logger
  /** What the tools of all connections share. */
  shared: SharedTools
  deriveSecret(purpose: string): string
  sealingKeys(purpose: string): SealingKeys
  /** The public address of this service. */
  base_url(): string
  /** The simulated networks of the sandbox; null in live mode. */
  sandbox: SandboxParts | null
  /** Connections instead of those that are stored. */
  given?: readonly Connection[] | undefined
}

/** Opens the connections of this installation, and that to the simulated network in the sandbox. */
export async function openConnections(options: OpenConnectionsOptions): Promise<Connections> {
  const { db, log, shared, sandbox, given, base_url } = options
  const revision_key = options.deriveSecret('revisions of connections')
  if (given)
    return {
      drivers: networkDrivers,
      list: () => given,
      find: (slug) => given.find((one) => one.slug === slug),
      refresh: async () => {},
      open: refuseToOpen,
      provision: refuseToOpen,
    }
  const built_in = sandbox ? builtInConnections(sandbox) : []
  const slugs = new Set(built_in.map(({ slug }) => slug))
  const connections = createConnections({
    drivers: networkDrivers,
    built_in,
    read: () => readStoredConnections(db, options.sealingKeys),
    createTools: (connection, driver) =>
      createTools(shared, {
        ...connection,
        traits: driver.traits,
        revision: revisionOf(connection, revision_key),
        // The simulated networks run beside the service, and reach no public address.
        callback_base: sandbox && slugs.has(connection.slug) ? sandbox.callback_base : base_url,
      }),
    onError: (connection, error) => logEvent(log, 'connection_not_opened', { connection, error }),
  })
  await readUnlessNew(connections.refresh)
  return connections
}

/** Changes with everything that decides which tokens are valid. Nothing can be read from it, nor guessed without the key. */
function revisionOf({ driver, environment, hosts, settings }: StoredConnection, key: string): string {
  const text = JSON.stringify([driver, environment, hosts, settings])
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 16)
}

function refuseToOpen(): never {
  throw new Error('A test has given its connections, so none can be opened.')
}
