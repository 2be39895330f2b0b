import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { billDrivers } from '../billers/index.ts'
import { hasSeveralOrganizations } from '../core/access/organizations.ts'
import { readStoredConnections } from '../core/connections/connections.ts'
import type { Database } from '../db/client.ts'
import { readUnlessNew } from '../db/failures.ts'
import { logEvent } from '../lib/log-events.ts'
import { rememberFor } from '../lib/remember-for.ts'
import type { SealingKeys } from '../lib/secrets.ts'
import { networkDrivers } from '../networks/index.ts'
import { smsDrivers } from '../senders/index.ts'
import { builtInConnections, type SandboxParts } from './built-in.ts'
import type { BillConnection, Connection, SmsConnection } from './connection.ts'
import { asProvider, createProviders, type DriversByKind, kindOfDriver, type Providers } from './providers.ts'
import { reachOf } from './reach.ts'
import type { ConnectionsOf, StoredConnection } from './registry.ts'
import { createTools, type SharedTools } from './tools/index.ts'

export interface OpenConnectionsOptions {
  db: Database
  log: Logger
  /** Tools that all connections share. */
  shared: SharedTools
  deriveSecret(purpose: string): string
  sealingKeys(purpose: string): SealingKeys
  /** The public address of this service. */
  base_url(): string
  cell: number
  /** The simulated networks of the sandbox; null in live mode. */
  sandbox: SandboxParts | null
  /** The connections that the settings of this program make. */
  from_settings?: readonly StoredConnection[]
  /** Connections instead of those that are stored. */
  given?: GivenConnections | undefined
}

/** Connections that a test has made. */
interface GivenConnections {
  networks?: readonly Connection[]
  sms?: readonly SmsConnection[]
  bills?: readonly BillConnection[]
}

/** The drivers of all providers that this program can speak to. */
export const allDrivers: DriversByKind = { network: networkDrivers, sms: smsDrivers, bills: billDrivers }

/** Cache time for the fact whether organizations share this installation. */
const SHARED_MS = 10_000

/** Words for the providers of each kind in messages. */
const CALLEES = { network: 'network', sms: 'SMS provider', bills: 'network' } as const

/** Open the connections of this installation, and those to the simulated providers in the sandbox. */
export async function openConnections(options: OpenConnectionsOptions): Promise<Providers> {
  const { db, log, shared, sandbox, given, base_url, from_settings = [] } = options
  const revision_key = options.deriveSecret('revisions of connections')
  if (given) return givenProviders(given)
  const isShared = rememberFor(SHARED_MS, shared, () => hasSeveralOrganizations(db))
  const simulated = sandbox ? builtInConnections(sandbox) : []
  const slugs = new Set(simulated.map(({ slug }) => slug))
  const providers = createProviders({
    drivers: allDrivers,
    built_in: [...simulated, ...from_settings],
    read: () => readStoredConnections(db, options.sealingKeys),
    createTools: (connection, driver) =>
      createTools(shared, {
        ...connection,
        traits: driver.traits,
        callee: CALLEES[kindOfDriver(allDrivers, driver.code) ?? 'network'],
        revision: revisionOf(connection, revision_key),
        reach: reachOf(connection, isShared),
        // The simulated networks run beside the service, and reach no public address.
        callback_base: sandbox && slugs.has(connection.slug) ? sandbox.callback_base : base_url,
        cell: options.cell,
      }),
    onError: (connection, error) => logEvent(log, 'connection_not_opened', { connection, error }),
  })
  await readUnlessNew(providers.refresh)
  return providers
}

/** Changes with everything that decides which tokens are valid. Nothing can be read from it, nor guessed without the key. */
function revisionOf({ driver, environment, hosts, settings }: StoredConnection, key: string): string {
  const text = JSON.stringify([driver, environment, hosts, settings])
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 16)
}

/** The connections of an App that are given, so that none are stored or opened. */
export function givenProviders({ networks = [], sms = [], bills = [] }: GivenConnections): Providers {
  const listed = <One extends { slug: string }>(those: readonly One[]): ConnectionsOf<One> => ({
    list: () => those,
    find: (slug) => those.find((one) => one.slug === slug),
  })
  return {
    networks: listed(networks),
    sms: listed(sms),
    bills: listed(bills),
    drivers: [...networkDrivers, ...smsDrivers, ...billDrivers],
    kindOf: (code) => kindOfDriver(allDrivers, code),
    find: (slug) => asProvider([...networks, ...sms, ...bills].find((one) => one.slug === slug)),
    refresh: async () => {},
    from_settings: () => [],
    open: refuseToOpen,
    openNetwork: refuseToOpen,
    provision: refuseToOpen,
  }
}

function refuseToOpen(): never {
  throw new Error('A test has given its connections, so none can be opened.')
}
