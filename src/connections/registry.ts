import type { AnyNetworkDriver, OpenedConnection, ProvisionAnswer } from '../networks/contract.ts'
import type { Connection } from './connection.ts'
import { rememberLimits } from './stated-limits.ts'
import type { ConnectionTools } from './tools/index.ts'
import { runEach } from './tools/operations.ts'

/** A stored connection, with its secrets in plain text. */
export interface StoredConnection
  extends Pick<
    Connection,
    'slug' | 'environment' | 'organization' | 'state' | 'priority' | 'callback_secret' | 'places'
  > {
  driver: string
  hosts: Record<string, string>
  settings: Record<string, unknown>
  max_concurrent: number
  max_per_second: number
  /** Why it cannot be opened, where that is known. */
  problem?: string
}

/** The connections of this process. */
export interface Connections {
  /** The drivers of all networks that this program can speak to. */
  drivers: readonly AnyNetworkDriver[]
  /** All that are not removed, also drafts and those that are paused. */
  list(): readonly Connection[]
  find(slug: string): Connection | undefined
  /** Reads the stored connections again, because one was changed. */
  refresh(): Promise<void>
  /**
   * Opens a connection as it is given, to test it. It is not one of `list`.
   * @throws Error when its driver is unknown, ZodError for wrong settings
   */
  open(connection: StoredConnection): Connection
  /** Makes credentials in the test environment of a network. Its settings need not be complete. @throws Error */
  provision(connection: StoredConnection): Promise<ProvisionAnswer>
}

export interface ConnectionsOptions {
  drivers: readonly AnyNetworkDriver[]
  /** Reads the stored connections. */
  read(): Promise<readonly StoredConnection[]>
  /** Connections that this process has without a row, such as the simulated network of the sandbox. */
  built_in: readonly StoredConnection[]
  createTools(connection: StoredConnection, driver: AnyNetworkDriver): ConnectionTools
  /** A stored connection cannot be opened: its driver is unknown, or its settings are wrong. */
  onError(slug: string, error: unknown): void
}

/** Opens the drivers of the stored connections. A connection that has not changed stays open, with its tokens. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { drivers, built_in } = options
  let open = new Map<string, { key: string; connection: Connection }>()

  const openAll = (stored: readonly StoredConnection[]) => {
    const next: typeof open = new Map()
    for (const row of stored) {
      const { places, state, priority, organization, ...opened } = row
      const key = keyOf(opened)
      const known = open.get(row.slug)
      const connection =
        known?.key === key ? { ...known.connection, places, state, priority, organization } : openOne(row)
      if (connection) next.set(row.slug, { key, connection })
    }
    open = next
  }
  // The hosts of what is built in may change while it is open. They are read at each call.
  const keyOf = ({ hosts, ...row }: Pick<StoredConnection, 'slug' | 'hosts'>) =>
    JSON.stringify(built_in.some(({ slug }) => slug === row.slug) ? row : { ...row, hosts })
  const openOne = (row: StoredConnection): Connection | undefined => {
    try {
      return openConnection(drivers, row, options.createTools)
    } catch (error) {
      options.onError(row.slug, error)
      return undefined
    }
  }
  openAll(built_in)

  return {
    drivers,
    list: () => [...open.values()].map(({ connection }) => connection),
    find: (slug) => open.get(slug)?.connection,
    open: (connection) => openConnection(drivers, connection, options.createTools),
    async provision(row) {
      const { driver, opened } = findDriver(drivers, row)
      if (!driver.provision) return { outcome: 'failed', message: `${driver.name} lets no program make credentials.` }
      const tools = options.createTools(row, driver)
      return tools.run(null, () => driver.provision!(opened, tools))
    },
    async refresh() {
      const stored = await options.read()
      // What is built in has a row for its state, its priority and its places only.
      const merged = built_in.map((one) => {
        const row = stored.find(({ slug }) => slug === one.slug)
        if (!row) return one
        return { ...one, state: row.state, priority: row.priority, places: one.places && row.places }
      })
      const names = new Set(built_in.map(({ slug }) => slug))
      openAll([...stored.filter(({ slug, state }) => !names.has(slug) && state !== 'removed'), ...merged])
    },
  }
}

/**
 * Makes the connection of one merchant account.
 * @throws Error when its secrets cannot be read or its driver is unknown, ZodError for wrong settings
 */
export function openConnection(
  drivers: readonly AnyNetworkDriver[],
  row: StoredConnection,
  createTools: ConnectionsOptions['createTools'],
): Connection {
  if (row.problem !== undefined) throw new Error(row.problem)
  const { driver, opened: unchecked } = findDriver(drivers, row)
  const opened: OpenedConnection = { ...unchecked, settings: driver.settings.parse(row.settings) }
  const { slug, organization, state, priority, callback_secret, places } = row
  const tools = createTools(row, driver)
  const operations = runEach(driver.open(opened as OpenedConnection<never>, tools), tools)
  return {
    ...{ slug, organization, state, priority, callback_secret, places },
    ...{ driver, environment: row.environment, operations },
    code: driver.code,
    name: driver.name,
    slots: tools,
    is_degraded: () => tools.state() === 'degraded',
    statedLimits: rememberLimits(operations),
  }
}

function findDriver(drivers: readonly AnyNetworkDriver[], row: StoredConnection) {
  const driver = drivers.find(({ code }) => code === row.driver)
  if (!driver) throw new Error(`There is no driver ${row.driver}.`)
  const environment = driver.environments[row.environment]
  if (!environment) throw new Error(`The driver ${row.driver} has no environment ${row.environment}.`)
  const { slug, settings } = row
  const opened = { slug, environment: row.environment, hosts: hostsOf(environment.hosts, row), settings }
  return { driver, opened }
}

/** The hosts of the environment, replaced by those of the connection. They are read at each call, because they may change. */
function hostsOf(hosts: Record<string, string>, row: StoredConnection): Record<string, string> {
  return new Proxy(hosts, { get: (_, name: string) => row.hosts[name] ?? hosts[name] })
}
