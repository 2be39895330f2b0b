import type { ConnectionHealth } from '../core/connections/connection-health.ts'
import { type ConnectionRow, type KeysFor, type TestResult, unsealSecrets } from '../core/connections/connections.ts'
import type { ConnectionPlace } from '../core/connections/places.ts'
import type { AnyDriver, ConnectionKind } from '../drivers/contract.ts'
import { settingFields } from '../drivers/settings.ts'
import { WrongKey } from '../lib/secrets.ts'
import type { AnyNetworkDriver } from '../networks/contract.ts'
import type { AnySmsDriver } from '../senders/contract.ts'

/** A connection as people see it. Of its secrets it says only whether they are set. */
export interface ConnectionView {
  slug: string
  kind: ConnectionKind
  driver: string
  /** The name of the network, or of another provider. */
  network: string
  environment: string
  /** True if real money moves there. */
  live: boolean
  organization: number | null
  state: ConnectionRow['state']
  /** `settings`: the settings of the service describe it. `unused_settings`: they do, and BILLER names another one. */
  source: ConnectionRow['source']
  priority: number
  max_concurrent: number
  max_per_second: number
  /** Networks that the operator lets it call, besides public addresses. */
  allowed_networks: string
  /** The base URLs that are called, by the driver's names. */
  hosts: Record<string, string>
  settings: Record<string, unknown>
  secrets: Record<string, 'set' | 'not set' | 'unreadable'>
  places: ConnectionPlace[]
  last_test: TestResult[] | null
  tested: Date | null
  /** Results of its calls in the last 15 minutes; null without calls and alarms. */
  health: Omit<ConnectionHealth, 'connection'> | null
  created: Date
  modified: Date
}

/** ISO 3166-1 of the countries that a driver names, and the currencies where they are known. A provider may serve others. */
export function placesOf(driver: AnyDriver): { countries: string[]; currencies: string[] } {
  const { places = [], countries } = driver as Partial<
    Pick<AnyNetworkDriver, 'places'> & Pick<AnySmsDriver, 'countries'>
  >
  const distinct = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))].sort()
  return {
    // Code XX is the test country of the sandbox.
    countries: distinct(countries ? [...countries] : places.map(({ country }) => country)).filter(
      (code) => code !== 'XX',
    ),
    currencies: distinct(places.map(({ currency }) => currency)),
  }
}

/** Parts of a view besides the row. */
interface ViewParts {
  drivers: readonly AnyDriver[]
  sealingKeys: KeysFor
  places: readonly ConnectionPlace[]
  health: ReadonlyMap<string, ConnectionHealth>
}

/** Make the view of a connection. A driver that this version does not have shows the settings, and no secrets. */
export function viewConnection(
  row: ConnectionRow,
  { drivers, sealingKeys, places, health: known }: ViewParts,
): ConnectionView {
  const { slug, environment: environment_name, organization, state, priority, max_concurrent, max_per_second } = row
  const { kind, source, settings, last_test, tested, created, modified } = row
  const found = known.get(slug)
  const driver = drivers.find(({ code }) => code === row.driver)
  const environment = driver?.environments[row.environment]
  const secret_fields = driver ? settingFields(driver).filter(({ secret }) => secret) : []
  const set = namesOfSecrets(row.sealed_secrets, sealingKeys)
  return {
    slug,
    kind,
    driver: row.driver,
    network: driver?.name ?? row.driver,
    environment: environment_name,
    live: environment?.live ?? false,
    organization,
    state,
    source,
    priority,
    max_concurrent,
    max_per_second,
    allowed_networks: row.allowed_networks,
    hosts: { ...environment?.hosts, ...row.hosts },
    settings,
    secrets: Object.fromEntries(
      secret_fields.map(({ name }) => [name, set === null ? 'unreadable' : set.has(name) ? 'set' : 'not set']),
    ),
    places: places.filter(({ connection }) => connection === slug),
    last_test,
    tested,
    health: found ? withoutSlug(found) : null,
    created,
    modified,
  }
}

function withoutSlug({ connection: _, ...health }: ConnectionHealth): ConnectionView['health'] {
  return health
}

/** Null when this SECRET_KEY cannot decrypt them. */
function namesOfSecrets(sealed: string | null, keysFor: KeysFor): Set<string> | null {
  try {
    return new Set(Object.keys(unsealSecrets(keysFor, sealed)))
  } catch (error) {
    if (error instanceof WrongKey) return null
    throw error
  }
}
