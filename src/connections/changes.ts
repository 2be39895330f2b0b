import { randomBytes } from 'node:crypto'
import {
  type ConnectionChange,
  type ConnectionLimits,
  type ConnectionRow,
  getConnection,
  insertConnection,
  type KeysFor,
  sealSecrets,
  type TestResult,
  unsealSecrets,
  updateConnection,
} from '../core/connections/connections.ts'
import { isBuiltIn } from '../core/connections/sandbox-networks.ts'
import { Invalid } from '../core/refusals.ts'
import type { Reader, Tx } from '../db/client.ts'
import type { AnyDriver, ConnectionKind } from '../drivers/contract.ts'
import { secretNames } from '../drivers/settings.ts'
import { parseRanges } from '../lib/http/ip-addresses.ts'
import { getMessage } from '../lib/messages/message.ts'
import { cellMark } from '../lib/text/cells.ts'
import { withoutTrailing } from '../lib/text/trailing.ts'
import { checkConnection, type ProposedConnection } from './check-settings.ts'
import type { StoredConnection } from './registry.ts'

/** The installation that a connection belongs to. */
export interface ConnectionContext {
  now: Date
  drivers: readonly AnyDriver[]
  kindOf(driver: string): ConnectionKind | undefined
  mode: 'sandbox' | 'live'
  sealingKeys: KeysFor
  /** The public address of this service. */
  base_url: string
  cell: number
}

/** Connection that a person wants to add. */
export interface NewConnection extends ProposedConnection, Partial<ConnectionLimits> {
  /** Owner of the account; null for the operator. */
  organization: number | null
}

/** Store a new connection as a draft. @throws Invalid with all fields and settings that are wrong */
export async function addConnection(tx: Tx, context: ConnectionContext, input: NewConnection): Promise<ConnectionRow> {
  const callback_secret = randomBytes(24).toString('hex')
  const { settings, secrets, hosts } = check(context, input, callback_secret)
  requireLimits(input)
  const { values: _, ...row } = input
  const sealed_secrets = sealSecrets(context.sealingKeys, secrets)
  const kind = context.kindOf(row.driver)!
  return insertConnection(tx, context.now, { ...row, kind, hosts, settings, sealed_secrets, callback_secret })
}

/** Change of a connection by a person. A null or empty setting gets its default, or none. */
export interface ProposedChange extends Partial<ConnectionLimits> {
  values?: Record<string, unknown>
  /** Hosts to replace; an empty text restores the environment's host. */
  hosts?: Record<string, string>
}

/**
 * Check a change together with the unchanged settings. It stores nothing, so that the result can be tried first.
 * @throws NotFound, WrongKey. Invalid with all wrong fields and settings
 */
export async function prepareConnectionChange(
  db: Reader,
  context: ConnectionContext,
  slug: string,
  proposed: ProposedChange,
): Promise<{ before: ConnectionRow; change: ConnectionChange }> {
  const before = await getConnection(db, slug)
  requireOwnRow(before)
  requireLimits(proposed)
  const { values, hosts, ...limits } = proposed
  if (!values && !hosts) return { before, change: limits }
  const earlier = { ...before.settings, ...unsealSecrets(context.sealingKeys, before.sealed_secrets) }
  const kept_hosts = Object.entries({ ...before.hosts, ...hosts }).filter(([, url]) => url !== '')
  const checked = check(
    context,
    { ...before, hosts: Object.fromEntries(kept_hosts), values: { ...earlier, ...values } },
    before.callback_secret,
  )
  const is_secret_new = secretNames(checked.driver).some((name) => earlier[name] !== checked.secrets[name])
  return {
    before,
    change: {
      ...limits,
      hosts: checked.hosts,
      settings: checked.settings,
      // Sealing the same secrets anew would make another text of them.
      sealed_secrets: is_secret_new ? sealSecrets(context.sealingKeys, checked.secrets) : before.sealed_secrets,
    },
  }
}

/** Apply a checked change, if the connection is still as it was. @throws NotFound, Invalid */
export async function applyConnectionChange(
  tx: Tx,
  now: Date,
  { before, change }: { before: ConnectionRow; change: ConnectionChange },
  test: TestResult[] | null = null,
): Promise<ConnectionRow> {
  const present = await getConnection(tx, before.slug)
  if (present.modified.getTime() !== before.modified.getTime())
    throw new Invalid({ slug: [getMessage('connections.changed')] })
  return updateConnection(tx, now, before.slug, change, test)
}

/** A row in the form in which it is opened. @throws WrongKey */
export function toStored(row: ConnectionRow, context: Pick<ConnectionContext, 'sealingKeys'>): StoredConnection {
  const settings = { ...row.settings, ...unsealSecrets(context.sealingKeys, row.sealed_secrets) }
  const { slug, driver, environment, organization, hosts, callback_secret, state, priority } = row
  const { max_concurrent, max_per_second, version, allowed_networks } = row
  return {
    slug,
    driver,
    environment,
    organization,
    hosts,
    callback_secret,
    state,
    priority,
    max_concurrent,
    max_per_second,
    version,
    allowed_networks,
    settings,
    places: [],
  }
}

/** The address at which the network of a connection reports. */
export function callbackAddress(
  { base_url, cell }: Pick<ConnectionContext, 'base_url' | 'cell'>,
  { slug, callback_secret }: Pick<ConnectionRow, 'slug' | 'callback_secret'>,
) {
  return `${withoutTrailing(base_url, '/')}/api/callbacks/${cellMark(cell)}${slug}/${callback_secret}`
}

/** Address that a person registers at the network, with the network's name for its reports. */
export interface RegisteredAddress {
  name: string
  address: string
}

/** Return the addresses below a connection's address that are registered separately; none for most networks. */
export function registeredAddresses(
  address: string,
  driver: Pick<AnyDriver, 'registered_addresses'> | undefined,
): RegisteredAddress[] {
  const purposes = Object.entries(driver?.registered_addresses ?? {})
  return purposes.map(([purpose, name]) => ({ name, address: `${address}/${purpose}` }))
}

function check(context: ConnectionContext, proposed: ProposedConnection, callback_secret: string) {
  const callback_url = callbackAddress(context, { slug: proposed.slug, callback_secret })
  return checkConnection(proposed, { ...context, callback_url })
}

/**
 * Refuse a connection of the sandbox or of the service's settings, which has no settings of a person. @throws Invalid
 */
export function requireOwnRow({ slug, source }: Pick<ConnectionRow, 'slug' | 'source'>): void {
  if (source !== 'person')
    throw new Invalid({
      slug: [getMessage('connections.settings_upstream_url_upstream_key', { slug })],
    })
  if (isBuiltIn(slug))
    throw new Invalid({
      slug: [getMessage('connections.simulated_network_sandbox')],
    })
}

const LIMITS: Record<Exclude<keyof ConnectionLimits, 'allowed_networks'>, [min: number, max: number]> = {
  max_concurrent: [1, 10_000],
  max_per_second: [1, 100_000],
  priority: [1, 1_000_000],
}

function requireLimits(given: Partial<ConnectionLimits>): void {
  const errors = Object.entries(LIMITS).flatMap(([name, [min, max]]) => {
    const value = given[name as keyof typeof LIMITS]
    const is_right = value === undefined || (Number.isInteger(value) && value >= min && value <= max)
    return is_right ? [] : [[name, [getMessage('connections.whole_number', { min, max })]]]
  })
  if (parseRanges(given.allowed_networks ?? '') === undefined)
    errors.push(['allowed_networks', [getMessage('connections.allowed_networks')]])
  if (errors.length > 0) throw new Invalid(Object.fromEntries(errors))
}
