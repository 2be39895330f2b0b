import { z } from 'zod'
import type { App } from '../../app.ts'
import type { ProviderConnection } from '../../connections/connection.ts'
import { findRow, rowsOfSettings } from '../../connections/settings-rows.ts'
import { isPublicHttps } from '../../connections/test-connection.ts'
import { type ConnectionView, placesOf, viewConnection } from '../../connections/view.ts'
import { type ConnectionHealth, readConnectionHealth } from '../../core/connections/connection-health.ts'
import {
  type ConnectionRow,
  connectionStates,
  hasPassed,
  listConnections,
  type TestResult,
} from '../../core/connections/connections.ts'
import { listPlaces } from '../../core/connections/places.ts'
import { id, timestamp } from '../../core/fields.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Reader } from '../../db/client.ts'
import { type AnyDriver, connectionKinds } from '../../drivers/contract.ts'
import { type SettingField, settingFields } from '../../drivers/settings.ts'
import { getMessage } from '../../lib/messages/message.ts'

/** The path of one connection. */
export const slugParams = z.object({ slug: z.string() })

/** The go-live checklist of the installation, for the managers who operate it. */
export const ChecklistView = z.object({
  /** True if the caller's organization is the only one, so that its managers operate the service. */
  yours: z.boolean(),
  items: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['done', 'open', 'advice']),
      /** Key of the sentence for this finding and its values: the console has it in the reader's language. */
      variant: z.string(),
      values: z.record(
        z.string(),
        z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()])).readonly()]),
      ),
      /** Ids of the wallets, or slugs of the connections, that the item is about. */
      objects: z.array(z.union([z.int(), z.string()])).readonly(),
      found: z.string(),
      commands: z.array(z.string()).readonly(),
      todo: z.string().nullable(),
    }),
  ),
})

/** Setting of a driver, as forms show it. */
const SettingFieldView = z.object({
  name: z.string(),
  title: z.string(),
  /** Source of the value, and its purpose. */
  help: z.string(),
  example: z.string().optional(),
  secret: z.boolean(),
  required: z.boolean(),
  kind: z.enum(['text', 'long-text', 'number', 'yes-no', 'choice']),
  choices: z.array(z.string()).optional(),
  default: z.string().optional(),
})

/** A network, SMS provider or bill provider that can be connected. */
export const NetworkDriverView = z.object({
  kind: z.enum(connectionKinds),
  code: z.string(),
  name: z.string(),
  /** ISO 3166-1, two letters. */
  countries: z.array(z.string()),
  currencies: z.array(z.string()),
  environments: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      /** True if real money moves there. */
      live: z.boolean(),
      /** True if this installation refuses it: it is live, but no real money moves there. */
      refused: z.boolean(),
    }),
  ),
  fields: z.array(SettingFieldView),
  /** True if the network lets programs make credentials in its test environment. */
  can_provision: z.boolean(),
})
export type NetworkDriverView = z.output<typeof NetworkDriverView>

/** Result of one step of a test. */
export const TestResultView = z.object({
  name: z.string(),
  outcome: z.enum(['ok', 'failed', 'unknown', 'skipped']),
  message: z.string(),
  /** The titles of the settings that the message names. */
  settings: z.array(z.string()),
})
export type TestResultView = z.output<typeof TestResultView>

const Health = z.object({
  state: z.enum(['healthy', 'degraded']),
  degraded_since: timestamp.nullable(),
  calls: z.int(),
  /** Rate from 0 to 1; null without calls. */
  success_rate: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  last_answer: timestamp.nullable(),
  alarms: z.array(z.object({ message: z.string(), last: timestamp, count: z.int() })),
})

const Place = z.object({
  account: id,
  number: z.string(),
  currency: z.string(),
  country: z.string().nullable(),
  collects: z.boolean(),
  pays_out: z.boolean(),
  unrequested: z.boolean(),
})

/** A connection as an organization sees it. Of the operator's connections it sees no settings. */
export const ConsoleConnection = z.object({
  id,
  slug: z.string(),
  kind: z.enum(connectionKinds),
  driver: z.string(),
  /** The name of the network, or of another provider. */
  network: z.string(),
  environment: z.string(),
  environment_title: z.string(),
  live: z.boolean(),
  /** True if it is the organization's own, false if it is the operator's. */
  own: z.boolean(),
  state: z.enum(connectionStates),
  /** True if the service's settings describe it instead of a person. */
  from_settings: z.boolean(),
  priority: z.int(),
  countries: z.array(z.string()),
  /** The accounts of the organization that use it. */
  places: z.array(Place),
  /** True if every account uses it, like the sandbox's own network. */
  serves_all: z.boolean(),
  /** Results of its calls in the last 15 minutes. */
  health: Health.nullable(),
  /** Time of the test with its present settings. */
  tested: timestamp.nullable(),
  /** True if that test found no fault; null without a test. */
  passed: z.boolean().nullable(),
  created: timestamp,
  modified: timestamp,
})
export type ConsoleConnection = z.output<typeof ConsoleConnection>

/** A connection with everything that its own page shows. */
export const ConsoleConnectionDetail = ConsoleConnection.extend({
  fields: z.array(SettingFieldView),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** `set`, `not set`, or `unreadable` with this SECRET_KEY. Nothing shows a secret again. */
  secrets: z.record(z.string(), z.enum(['set', 'not set', 'unreadable'])),
  last_test: z.array(TestResultView).nullable(),
  callbacks: z.object({
    /** True if the network reports by itself. */
    sends: z.boolean(),
    /** True if the internet reaches this service at PUBLIC_URL. */
    reachable: z.boolean(),
    /** True if this service can register the address at the network. */
    can_register: z.boolean(),
  }),
  /** Orders whose end the network has not said, and orders that a person must look at; null for the operator's connections. */
  orders: z.object({ open: z.int(), attention: z.int() }).nullable(),
})
export type ConsoleConnectionDetail = z.output<typeof ConsoleConnectionDetail>

/**
 * List the drivers that can be connected: networks, then SMS providers, then bill providers. In each kind, those with
 * real money come first.
 */
export function viewDrivers({ providers, config }: App): NetworkDriverView[] {
  const is_live = config.MODE === 'live'
  const views = providers.drivers.map((driver) => ({
    kind: providers.kindOf(driver.code)!,
    code: driver.code,
    name: driver.name,
    ...placesOf(driver),
    environments: Object.entries(driver.environments).map(([name, { title, live }]) => {
      return { name, title, live, refused: is_live && !live }
    }),
    fields: settingFields(driver),
    can_provision: driver.provision !== undefined,
  }))
  const usable = views.filter(({ environments }) => environments.some(({ refused }) => !refused))
  const hasLive = ({ environments }: NetworkDriverView) => environments.some(({ live }) => live)
  return connectionKinds.flatMap((kind) => {
    const of_kind = usable.filter((view) => view.kind === kind)
    return [...of_kind.filter(hasLive), ...of_kind.filter((view) => !hasLive(view))]
  })
}

/** List the connections of an organization, newest first, then the operator's that it can use. */
export async function listForOrganization(app: App, db: Reader, organization: number): Promise<ConsoleConnection[]> {
  const [rows, places, health] = await Promise.all([
    listConnections(db),
    listPlaces(db),
    readConnectionHealth(db, app.clock.real()),
  ])
  const own = rows.filter((row) => row.organization === organization).reverse()
  const shared = [...rows, ...rowsOfSettings(app)].filter(
    (row) => row.organization === null && isShared(app, row, organization, places),
  )
  const parts = { drivers: app.providers.drivers, sealingKeys: app.sealingKeys, places, health }
  return [...own, ...shared].map((row) => toSummary(app, row, viewConnection(row, parts), organization))
}

/** Return true if an organization sees a connection of the operator: one that carries its orders, or is about to. */
function isShared(
  { connections }: App,
  { slug, state, kind }: ConnectionRow,
  organization: number,
  places: readonly { connection: string; organization: number }[],
): boolean {
  if (places.some((place) => place.connection === slug && place.organization === organization)) return true
  // Without routes, every SMS connection of the operator carries the SMS of all. Every organization buys bills over its
  // bill connections.
  return state !== 'draft' && (kind !== 'network' || connections.find(slug)?.places === null)
}

function toSummary(app: App, row: ConnectionRow, view: ConnectionView, organization: number): ConsoleConnection {
  const { slug, kind, driver: code, network, environment, live, state, priority, tested, created, modified } = view
  const driver = app.providers.drivers.find((one) => one.code === code)
  const own = row.organization === organization
  return {
    id: row.id,
    slug,
    kind,
    driver: code,
    network,
    environment,
    live,
    own,
    state,
    from_settings: row.source !== 'person',
    priority,
    tested,
    created,
    modified,
    environment_title: driver?.environments[environment]?.title ?? environment,
    countries: driver ? placesOf(driver).countries : [],
    places: view.places.filter((place) => place.organization === organization),
    serves_all: app.connections.find(slug)?.places === null,
    // Alarms that only the operator can repair are shown to the operator alone.
    health: view.health && { ...view.health, alarms: own ? view.health.alarms : [] },
    passed: row.last_test && hasPassed(row),
  }
}

/** Read a connection of an organization, or one of the operator's that it can use. @throws NotFound */
export async function readForOrganization(
  app: App,
  db: Reader,
  organization: number,
  slug: string,
): Promise<ConsoleConnectionDetail> {
  const [row, places, health] = await Promise.all([
    findRow(app, db, slug),
    listPlaces(db, slug),
    readConnectionHealth(db, app.clock.real(), slug),
  ])
  const own = row.organization === organization
  if (!own && (row.organization !== null || !isShared(app, row, organization, places)))
    throw new NotFound(getMessage('connections.none', { connection: slug }))
  return toDetail(app, row, {
    places,
    health,
    organization,
    orders: own ? await countOrders(db, slug, organization) : null,
  })
}

interface DetailParts {
  places: Awaited<ReturnType<typeof listPlaces>>
  health: ReadonlyMap<string, ConnectionHealth>
  organization: number
  orders: ConsoleConnectionDetail['orders']
}

function toDetail(app: App, row: ConnectionRow, parts: DetailParts): ConsoleConnectionDetail {
  const { places, health, organization, orders } = parts
  const { drivers } = app.providers
  const view = viewConnection(row, { drivers, sealingKeys: app.sealingKeys, places, health })
  const summary = toSummary(app, row, view, organization)
  const driver = drivers.find(({ code }) => code === row.driver)
  const fields = summary.own && driver ? settingFields(driver) : []
  return {
    ...summary,
    fields,
    settings: summary.own ? toTexts(view.settings) : {},
    secrets: summary.own ? view.secrets : {},
    last_test: summary.own && row.last_test ? viewResults(row.last_test, fields) : null,
    callbacks: viewCallbacks(app, driver, app.providers.find(row.slug)),
    orders,
  }
}

/** Settings are texts, numbers, and yes or no. What another version stored in another form is shown as JSON. */
function toTexts(settings: Record<string, unknown>): ConsoleConnectionDetail['settings'] {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const is_plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return [name, is_plain ? value : JSON.stringify(value)]
    }),
  )
}

function viewCallbacks({ config }: App, driver: AnyDriver | undefined, connection: ProviderConnection | undefined) {
  return {
    sends: driver !== undefined && driver.traits.callbacks !== 'none',
    reachable: config.PUBLIC_URL !== undefined && isPublicHttps(config.PUBLIC_URL),
    can_register: connection?.operations.setUp !== undefined,
  }
}

/** Count through the indexes of the job and of the list of orders that need a person. */
async function countOrders(db: Reader, slug: string, organization: number) {
  const [counts] = await db<{ open: number; attention: number }[]>`
    select
      (select count(*) from network_orders
        where connection = ${slug} and kind <> 'vend' and due_at is not null and closed is null) as open,
      (select count(*) from network_orders
        where organization = ${organization} and kind <> 'vend' and attention is not null and connection = ${slug}) as attention`
  return counts!
}

/** The results of a test, each with the settings that it is about. */
export function viewResults(results: readonly TestResult[], fields: readonly SettingField[]): TestResultView[] {
  return results.map((result) => ({ ...result, settings: settingsOf(result, fields).map(({ title }) => title) }))
}

/** The settings that a result of a test found wrong: those that its message names. */
export function settingsOf({ outcome, message }: TestResult, fields: readonly SettingField[]): SettingField[] {
  if (outcome === 'ok' || outcome === 'skipped') return []
  return fields.filter(({ name }) => new RegExp(`(^|[^\\w-])${name}([^\\w-]|$)`).test(message))
}
