import type { App } from '../../../app.ts'
import type { ConnectionContext } from '../../../connections/changes.ts'
import { toStored } from '../../../connections/changes.ts'
import { testConnection } from '../../../connections/test-connection.ts'
import { type ConnectionView, viewConnection } from '../../../connections/view.ts'
import type { AuditAction } from '../../../core/access/audit.ts'
import { readConnectionHealth } from '../../../core/connections/connection-health.ts'
import {
  type ConnectionRow,
  getConnection,
  type TestResult,
  unsealSecrets,
} from '../../../core/connections/connections.ts'
import { listPlaces } from '../../../core/connections/places.ts'
import { logEvent } from '../../../lib/log-events.ts'
import type { AnyNetworkDriver } from '../../../networks/contract.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'

/** What changes of connections need to know of this installation. */
export function connectionContext(app: App): ConnectionContext {
  return {
    now: app.clock.now(),
    drivers: app.connections.drivers,
    mode: app.config.MODE,
    sealingKeys: app.sealingKeys,
    base_url: app.address.url,
  }
}

/** The driver with this code. @throws CommandError */
export function chooseDriver(app: App, code: string): AnyNetworkDriver {
  const driver = app.connections.drivers.find((one) => one.code === code)
  if (driver) return driver
  const codes = app.connections.drivers.map((one) => one.code).join(', ')
  throw new CommandError(
    `There is no driver ${code}. There are: ${codes}. \`npx kusanya connections drivers\` says more.`,
  )
}

/** Tries a connection as it is given, without moving money. */
export async function tryConnection(app: App, row: ConnectionRow): Promise<TestResult[]> {
  const started = performance.now()
  const secrets = unsealSecrets(app.sealingKeys, row.sealed_secrets)
  return testConnection(app.connections.open(toStored(row, app)), {
    secrets,
    public_url: app.config.PUBLIC_URL,
    onError: (error) => {
      const duration_ms = Math.round(performance.now() - started)
      logEvent(app.log, 'network_call_failed', {
        ...{ network: row.driver, connection: row.slug, call: 'test', duration_ms, error },
      })
    },
  })
}

/** What people may see of a connection. */
export async function readView(app: App, slug: string): Promise<ConnectionView> {
  const [row, places, health] = await Promise.all([
    getConnection(app.db, slug),
    listPlaces(app.db, slug),
    readConnectionHealth(app.db, app.clock.real(), slug),
  ])
  const { drivers } = app.connections
  return viewConnection(row, { drivers, sealingKeys: app.sealingKeys, places, health })
}

/** An entry of the audit log about a connection. Details must not contain secrets. */
export function connectionAction(
  action: string,
  { id, slug }: Pick<ConnectionRow, 'id' | 'slug'>,
  details: AuditAction['details'] = {},
): AuditAction {
  return { action, object_type: 'connection', object: id, details: { connection: slug, ...details } }
}

/** Prints what a test has found. */
export function printTest(terminal: Terminal, results: readonly TestResult[]): void {
  const marks = { ok: terminal.good('✓'), failed: terminal.bad('✗'), unknown: terminal.bad('?'), skipped: '-' }
  for (const { name, outcome, message } of results) terminal.print(`${marks[outcome]} ${name}: ${message}`)
}

/** Whether nothing was found wrong. */
export function isGood(results: readonly TestResult[]): boolean {
  return results.every(({ outcome }) => outcome === 'ok' || outcome === 'skipped')
}
