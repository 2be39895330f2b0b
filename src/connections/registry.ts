import type {
  AnyDriver,
  ConnectionKind,
  DriverOperations,
  OpenedConnection,
  ProvisionAnswer,
} from '../drivers/contract.ts'
import { getMessage } from '../lib/messages/message.ts'
import type { Connection, OwnPlace, ProviderConnection } from './connection.ts'
import type { ConnectionTools } from './tools/index.ts'

/** A stored connection, with its secrets in plain text. */
export interface StoredConnection
  extends Pick<ProviderConnection, 'slug' | 'environment' | 'organization' | 'state' | 'priority' | 'callback_secret'> {
  /** Kind of the connection. Default: the driver's kind. */
  kind?: ConnectionKind
  driver: string
  hosts: Record<string, string>
  settings: Record<string, unknown>
  max_concurrent: number
  max_per_second: number
  /** Networks that the operator lets it call, besides public addresses. */
  allowed_networks?: string
  /** The accounts that use a connection to a network; null for all. */
  places: readonly OwnPlace[] | null
  /** Count the changes of its settings, where a row holds them. */
  version?: number
  /** The settings of the service describe it. */
  from_settings?: boolean
  /**
   * Time at which the service's settings were read, where no row holds it. A stored connection of the same name counts
   * instead.
   */
  settings_read?: Date
  /** Reason why it cannot be opened, if known. */
  problem?: string
}

/** The connections of one kind in this process. */
export interface ConnectionsOf<One> {
  /** List all except removed ones: drafts and paused ones too. */
  list(): readonly One[]
  find(slug: string): One | undefined
}

/** The connections to networks. */
export type Connections = ConnectionsOf<Connection>

/**
 * Return the name of a network for people, by a connection's slug or a driver's code. A vanished one keeps its code.
 */
export function nameOfNetwork(connections: Connections, code: string): string {
  const named = connections.find(code) ?? connections.list().find((one) => one.code === code)
  return named?.name ?? code
}

/** The connections of one kind, which can be opened and replaced. */
export interface ConnectionRegistry<One> extends ConnectionsOf<One> {
  /** Open these connections, and close all others. One that has not changed stays open, with its tokens. */
  use(stored: readonly StoredConnection[]): void
  /**
   * Open a connection as it is given, to test it. It is not one of `list`.
   * @throws Error when its driver is unknown, ZodError for wrong settings
   */
  open(connection: StoredConnection): One
}

export interface RegistryOptions<One> {
  kind: ConnectionKind
  drivers: readonly AnyDriver[]
  /** Connections that this process has without a row, such as the simulated network of the sandbox. */
  built_in: readonly StoredConnection[]
  createTools(connection: StoredConnection, driver: AnyDriver): ConnectionTools
  /** A stored connection cannot be opened: its driver is unknown, or its settings are wrong. */
  onError(slug: string, error: unknown): void
  /** Complete an open connection with the parts of its kind. */
  finish(connection: ProviderConnection, row: StoredConnection): One
}

/** Open the drivers of the stored connections of one kind. */
export function createRegistry<One extends { slug: string }>(options: RegistryOptions<One>): ConnectionRegistry<One> {
  const { built_in } = options
  const built_in_slugs = new Set(built_in.map(({ slug }) => slug))
  let open = new Map<string, { key: string; connection: One }>()

  // The hosts of built-in connections may change while they are open, so they are read at each call.
  const keyOf = ({ hosts, ...row }: Pick<StoredConnection, 'slug' | 'hosts'>) =>
    JSON.stringify(built_in_slugs.has(row.slug) ? row : { ...row, hosts })
  const openOne = (row: StoredConnection): One | undefined => {
    try {
      return openConnection(options, row)
    } catch (error) {
      options.onError(row.slug, error)
      return undefined
    }
  }
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
  openAll(built_in)

  return {
    list: () => [...open.values()].map(({ connection }) => connection),
    find: (slug) => open.get(slug)?.connection,
    open: (connection) => openConnection(options, connection),
    use(stored) {
      // A built-in connection has a row only for its state, priority and places.
      const rowOf = ({ slug, settings_read }: StoredConnection) =>
        stored.find((row) => row.slug === slug && !(settings_read && row.state === 'removed'))
      const used = built_in.filter((one) => !one.settings_read || !rowOf(one))
      const merged = used.map((one) => {
        const row = rowOf(one)
        if (!row) return one
        return { ...one, state: row.state, priority: row.priority, places: one.places && row.places }
      })
      const used_slugs = new Set(used.map(({ slug }) => slug))
      openAll([...stored.filter(({ slug, state }) => !used_slugs.has(slug) && state !== 'removed'), ...merged])
    },
  }
}

/**
 * Make the connection of one account.
 * @throws Error when its secrets cannot be read or its driver is unknown, ZodError for wrong settings
 */
export function openConnection<One>(
  { drivers, kind, createTools, finish }: Pick<RegistryOptions<One>, 'drivers' | 'kind' | 'createTools' | 'finish'>,
  row: StoredConnection,
): One {
  if (row.problem !== undefined) throw new Error(row.problem)
  const { driver, opened: unchecked } = findDriver(drivers, row)
  const opened: OpenedConnection = { ...unchecked, settings: driver.settings.parse(row.settings) }
  const { slug, organization, state, priority, callback_secret } = row
  const tools = createTools(row, driver)
  const operations: DriverOperations = driver.open(opened as OpenedConnection<never>, tools)
  const connection: ProviderConnection = {
    kind,
    slug,
    organization,
    state,
    priority,
    callback_secret,
    driver,
    environment: row.environment,
    operations,
    ...(row.version !== undefined && { version: row.version }),
    ...(row.settings_read && { is_fallback: true }),
    code: driver.code,
    name: driver.name,
    tools,
    slots: tools,
    ...(row.from_settings && { from_settings: true as const }),
    is_degraded: () => tools.state() === 'degraded',
  }
  return finish(connection, row)
}

/**
 * Let a provider make credentials in its test environment. The settings of the connection need not be complete. @throws
 * Error
 */
export async function provisionConnection(
  { drivers, createTools }: Pick<RegistryOptions<unknown>, 'drivers' | 'createTools'>,
  row: StoredConnection,
): Promise<ProvisionAnswer> {
  const { driver, opened } = findDriver(drivers, row)
  if (!driver.provision)
    return { outcome: 'failed', message: getMessage('connections.lets_no_program', { name: driver.name }) }
  const tools = createTools(row, driver)
  return tools.run({ reference: null, collection_request: null }, (own) => driver.provision!(opened, own))
}

function findDriver(drivers: readonly AnyDriver[], row: StoredConnection) {
  const driver = drivers.find(({ code }) => code === row.driver)
  if (!driver) throw new Error(`There is no driver ${row.driver}.`)
  const environment = driver.environments[row.environment]
  if (!environment) throw new Error(`The driver ${row.driver} has no environment ${row.environment}.`)
  const { slug, settings } = row
  const opened = { slug, environment: row.environment, hosts: hostsOf(environment.hosts, row), settings }
  return { driver, opened }
}

/**
 * Return the environment's hosts with the connection's replacements. They may change, so they are read at each call.
 */
function hostsOf(hosts: Record<string, string>, row: StoredConnection): Record<string, string> {
  return readHosts(Object.keys({ ...hosts, ...row.hosts }), (name) => row.hosts[name] ?? hosts[name]!)
}

/** Make hosts with these names, each of which is read whenever a call needs it. */
export function readHosts(names: readonly string[], read: (name: string) => string): Record<string, string> {
  const getters = names.map((name) => [name, { enumerable: true, get: () => read(name) }] as const)
  return Object.defineProperties({}, Object.fromEntries(getters))
}
