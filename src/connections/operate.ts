import type { Logger } from 'pino'
import { readConnectionHealth } from '../core/connections/connection-health.ts'
import {
  type ConnectionRow,
  getConnection,
  hasPassed,
  type KeysFor,
  type TestResult,
  unsealSecrets,
} from '../core/connections/connections.ts'
import { listPlaces } from '../core/connections/places.ts'
import { Invalid, NotFound } from '../core/refusals.ts'
import type { Database } from '../db/client.ts'
import { isLoopbackHost } from '../lib/http/ip-addresses.ts'
import { getMessage } from '../lib/messages/message.ts'
import { type ConnectionContext, toStored } from './changes.ts'
import type { Providers } from './providers.ts'
import { findRow } from './settings-rows.ts'
import { testConnection } from './test-connection.ts'
import { type ConnectionView, viewConnection } from './view.ts'

/** The parts of the App that the doors need to work on connections. */
export interface ConnectionsApp {
  config: { MODE: 'sandbox' | 'live'; PUBLIC_URL?: string | undefined; CELL: number }
  db: Database
  clock: { now(): Date; real(): Date }
  providers: Providers
  log: Logger
  address: { url: string }
  sealingKeys: KeysFor
}

/** Return the facts about this installation that changes of connections need. */
export function connectionContext(app: ConnectionsApp): ConnectionContext {
  return {
    now: app.clock.now(),
    drivers: app.providers.drivers,
    kindOf: app.providers.kindOf,
    mode: app.config.MODE,
    sealingKeys: app.sealingKeys,
    base_url: app.address.url,
    cell: app.config.CELL,
  }
}

/** Try a connection as it is given, without moving money. @throws WrongKey */
export async function tryConnection(app: ConnectionsApp, row: ConnectionRow): Promise<TestResult[]> {
  const secrets = unsealSecrets(app.sealingKeys, row.sealed_secrets)
  return testConnection(app, app.providers.open(toStored(row, app)), {
    secrets,
    public_url: app.config.PUBLIC_URL,
    local_url: isOnThisMachine(row) ? app.address.url : undefined,
  })
}

/** Return true if a connection calls a simulator beside the service instead of its provider. */
function isOnThisMachine({ hosts }: ConnectionRow): boolean {
  const urls = Object.values(hosts).filter((url) => URL.canParse(url))
  return urls.length > 0 && urls.every((url) => isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, '')))
}

/** Return the public view of a connection. @throws NotFound */
export async function readView(app: ConnectionsApp, slug: string): Promise<ConnectionView> {
  const [row, places, health] = await Promise.all([
    findRow(app, app.db, slug),
    listPlaces(app.db, slug),
    readConnectionHealth(app.db, app.clock.real(), slug),
  ])
  const { drivers } = app.providers
  return viewConnection(row, { drivers, sealingKeys: app.sealingKeys, places, health })
}

/** A database of another mode may hold connections that this one refuses. @throws Invalid */
export function requireAllowed(app: ConnectionsApp, view: Pick<ConnectionView, 'live' | 'network' | 'environment'>) {
  const { live, network, environment } = view
  if (app.config.MODE === 'live' && !live)
    throw new Invalid({
      environment: [getMessage('connections.moves_no_real', { environment, network })],
    })
}

/**
 * Require that an organization may put its connection into use here, and that it has passed its test. Core's words fit
 * the command line, these the console. @throws NotFound for connections of others and of the operator, Invalid
 */
export async function requireReady(app: ConnectionsApp, organization: number, slug: string): Promise<void> {
  const row = await getConnection(app.db, slug)
  if (row.organization !== organization) throw new NotFound(getMessage('connections.none', { connection: slug }))
  requireAllowed(app, await readView(app, slug))
  if (row.state === 'active' || hasPassed(row)) return
  const message = row.last_test ? getMessage('connections.failed_last_test') : getMessage('connections.not_tested')
  throw new Invalid({ state: [message] })
}

/** Return true if a test found no fault. A skipped check is no fault. */
export function isGood(results: readonly TestResult[]): boolean {
  return results.every(({ outcome }) => outcome === 'ok' || outcome === 'skipped')
}
