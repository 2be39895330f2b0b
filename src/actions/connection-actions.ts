import { z } from 'zod'
import { addConnection, applyConnectionChange, type NewConnection } from '../connections/changes.ts'
import { type ConnectionsApp, connectionContext } from '../connections/operate.ts'
import { isFromSettings } from '../connections/settings-rows.ts'
import { type ActionEntry, action } from '../core/access/action.ts'
import { type ConnectionRow, recordTest, type TestResult } from '../core/connections/connections.ts'

declare module '../core/access/action.ts' {
  interface ActionService {
    connections_app: ConnectionsApp
  }
}

/* Actions on connections that need the drivers. */

const ofConnection = { object_type: 'connection', permission: 'manage_organization' } as const

/** Add a connection as a draft, which moves no money. An organization owns what its manager adds. */
export const addConnectionAction = action({
  ...ofConnection,
  name: 'add connection',
  input: z.object({ connection: z.custom<NewConnection>() }),
  run: (tx, { service }, { connection }) => addConnection(tx, connectionContext(service.connections_app), connection),
  audit(row, { connection }) {
    const { driver, environment, priority, max_concurrent, max_per_second, allowed_networks } = connection
    const limits = Object.entries({ priority, max_concurrent, max_per_second, allowed_networks })
    return entryOf(row, {
      driver,
      environment,
      hosts: Object.values(row.hosts),
      // Secrets are the values that are not among the settings; their names are no secret.
      secrets: Object.keys(connection.values).filter((name) => !Object.hasOwn(row.settings, name)),
      ...Object.fromEntries(limits.filter(([, value]) => value !== undefined)),
    })
  },
  refreshes: true,
})

/** Change a connection at once, as the operator may. The door has checked and tried it. */
export const changeConnectionAction = action({
  ...ofConnection,
  permission: 'operator',
  name: 'change connection',
  input: z.object({
    prepared: z.custom<Parameters<typeof applyConnectionChange>[2]>(),
    test: z.array(z.custom<TestResult>()).nullable(),
    /** Names of the settings, secrets and hosts, and the limits. */
    changed: z.record(z.string(), z.custom<string | number | string[]>()),
    reason: z.string().optional(),
  }),
  run: (tx, { now }, { prepared, test }) => applyConnectionChange(tx, now, prepared, test),
  audit: (row, { changed, reason }) => entryOf(row, { ...changed, ...(reason && { reason }) }),
  refreshes: true,
})

/** Record how a connection did in its test. */
export const testConnectionAction = action({
  ...ofConnection,
  name: 'test connection',
  input: z.object({ row: z.custom<ConnectionRow>(), results: z.array(z.custom<TestResult>()) }),
  async run(tx, { now }, { row, results }) {
    if (!isFromSettings(row)) await recordTest(tx, now, row, results)
  },
  audit(_, { row, results }) {
    const failed = results.flatMap(({ name, outcome }) => (/failed|unknown/.test(outcome) ? [name] : []))
    return entryOf(row, { failed })
  },
})

function entryOf(row: ConnectionRow, details: ActionEntry['details']): ActionEntry {
  const { id, slug, organization } = row
  const object = isFromSettings(row) ? {} : { object: id }
  return { ...object, organization, details: { connection: slug, ...details } }
}
