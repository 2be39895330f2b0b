import type { AnyBillDriver, BillOperations } from '../billers/contract.ts'
import type { AnyDriver, ConnectionKind, ProvisionAnswer } from '../drivers/contract.ts'
import type { AnyNetworkDriver, LimitedOrder, NetworkOperations } from '../networks/contract.ts'
import type { AnySmsDriver, SmsOperations } from '../senders/contract.ts'
import type { BillConnection, Connection, ProviderConnection, SmsConnection } from './connection.ts'
import {
  type ConnectionRegistry,
  type ConnectionsOf,
  createRegistry,
  provisionConnection,
  type RegistryOptions,
  type StoredConnection,
} from './registry.ts'
import { rememberLimits } from './stated-limits.ts'
import { callDriver } from './tools/call-driver.ts'

/** The drivers of each kind of providers. */
export interface DriversByKind {
  network: readonly AnyNetworkDriver[]
  sms: readonly AnySmsDriver[]
  bills: readonly AnyBillDriver[]
}

/** The connections of this process, to providers of all kinds. */
export interface Providers {
  networks: ConnectionsOf<Connection>
  sms: ConnectionsOf<SmsConnection>
  bills: ConnectionsOf<BillConnection>
  /** Drivers of all providers that this program can speak to, networks first. Each has a unique code. */
  drivers: readonly AnyDriver[]
  /** Return the kind of a driver; undefined for an unknown code. */
  kindOf(driver: string): ConnectionKind | undefined
  /** The connection with this slug, of any kind. */
  find(slug: string): ProviderConnection | undefined
  /** The connections that the settings of this program make, as long as no stored one has the same name. */
  from_settings(): readonly StoredConnection[]
  /** Read the stored connections again, because one was changed. */
  refresh(): Promise<void>
  /**
   * Open a connection as it is given, to test it. It is in no list.
   * @throws Error when its driver is unknown, ZodError for wrong settings
   */
  open(connection: StoredConnection): ProviderConnection
  /** As `open`, for a network driver. @throws Error */
  openNetwork(connection: StoredConnection): Connection
  /** Make credentials in the test environment of a provider. Its settings need not be complete. @throws Error */
  provision(connection: StoredConnection): Promise<ProvisionAnswer>
}

interface ProvidersOptions extends Pick<RegistryOptions<unknown>, 'built_in' | 'createTools' | 'onError'> {
  drivers: DriversByKind
  /** Read the stored connections of all kinds. */
  read(): Promise<readonly StoredConnection[]>
}

/** Open the drivers of the stored connections of all kinds. */
export function createProviders({ drivers, built_in, read, createTools, onError }: ProvidersOptions): Providers {
  const all: readonly AnyDriver[] = [...drivers.network, ...drivers.sms, ...drivers.bills]
  const kindOf = (code: string) => kindOfDriver(drivers, code)
  const kindOfRow = (row: StoredConnection) => kindOf(row.driver) ?? row.kind ?? 'network'
  const optionsOf = (kind: ConnectionKind) => ({
    kind,
    drivers: drivers[kind],
    createTools,
    onError,
    built_in: built_in.filter((row) => kindOfRow(row) === kind),
  })
  const networks = createRegistry<Connection>({
    ...optionsOf('network'),
    finish: asNetwork,
  })
  const sms = createRegistry<SmsConnection>({
    ...optionsOf('sms'),
    finish: (connection) => ({
      ...connection,
      driver: connection.driver as AnySmsDriver,
      operations: connection.operations as SmsOperations,
    }),
  })
  const bills = createRegistry<BillConnection>({
    ...optionsOf('bills'),
    finish: (connection) => ({
      ...connection,
      driver: connection.driver as AnyBillDriver,
      operations: connection.operations as BillOperations,
    }),
  })
  const registries: Record<ConnectionKind, ConnectionRegistry<Connection | SmsConnection | BillConnection>> = {
    network: networks,
    sms,
    bills,
  }
  let started = 0
  let applied = 0
  return {
    networks,
    sms,
    bills,
    drivers: all,
    kindOf,
    find: (slug) => asProvider(networks.find(slug) ?? sms.find(slug) ?? bills.find(slug)),
    from_settings: () =>
      built_in.filter(({ slug, settings_read }) => settings_read && registries.sms.find(slug)?.from_settings),
    open: (row) => asProvider(registries[kindOfRow(row)].open(row))!,
    openNetwork: networks.open,
    provision: (row) => provisionConnection({ drivers: all, createTools }, row),
    async refresh() {
      started += 1
      const turn = started
      const stored = Map.groupBy(await read(), kindOfRow)
      // A later turn may have ended earlier, and has read newer data.
      if (turn < applied) return
      applied = turn
      for (const [kind, registry] of Object.entries(registries)) registry.use(stored.get(kind as ConnectionKind) ?? [])
    },
  }
}

/** Return an open connection to a network, with the parts that only networks have. */
export function asNetwork(connection: ProviderConnection, { places }: Pick<StoredConnection, 'places'>): Connection {
  const operations = connection.operations as NetworkOperations
  const driver = connection.driver as AnyNetworkDriver
  const network: Connection = { ...connection, kind: 'network', driver, operations, places }
  const { tools } = connection
  if (!operations.limits || !tools) return network
  const read = async (order: LimitedOrder) => {
    const limits = await callDriver(tools, network, 'limits', order)
    return limits && 'outcome' in limits ? undefined : limits
  }
  return { ...network, statedLimits: rememberLimits(read) }
}

/** Return the kind of a driver; undefined for an unknown code. */
export function kindOfDriver(drivers: DriversByKind, code: string): ConnectionKind | undefined {
  const kinds = Object.entries(drivers) as [ConnectionKind, readonly AnyDriver[]][]
  return kinds.find(([, those]) => those.some((driver) => driver.code === code))?.[0]
}

/** A connection as doors see it that work for all kinds. */
export function asProvider(
  connection: Connection | SmsConnection | BillConnection | undefined,
): ProviderConnection | undefined {
  return connection && { ...connection, kind: connection.kind ?? 'network' }
}
