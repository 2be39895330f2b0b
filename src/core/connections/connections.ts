import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt, encrypt, type SealingKeys, WrongKey } from '../../lib/secrets.ts'
import type { ActionEntry } from '../access/action.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { releaseHeldCallbacks } from './callbacks.ts'
import { lockConnections } from './changes-lock.ts'
import { type ConnectionPlace, listPlaces, requireNoTwins } from './places.ts'

/** The purpose of the key that encrypts the secrets of connections. */
export const CONNECTION_SECRETS = 'connection secrets'

/**
 * States of a connection. `draft`: not tested, and not used. `active`: gets new orders. `paused`: gets none, and only
 * status queries for open ones. `removed`: gone for people; its row stays, because orders and money name it.
 */
export const connectionStates = ['draft', 'active', 'paused', 'removed'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** Step of a test, in the driver's words. */
export interface TestResult {
  name: string
  outcome: 'ok' | 'failed' | 'unknown' | 'skipped'
  /** Message for a person. It contains no secrets. */
  message: string
}

/** The connection to the SMS provider of the settings SMS_URL and others. No row holds it. */
export const SETTINGS_SMS = 'http'

/** An account of ours at a provider, as it is stored. Its secrets are encrypted. */
export const connectionTable = table('connections', {
  id: column.id(),
  slug: column.text(),
  /** Kind of service. It follows from the driver. */
  kind: column.text<'network' | 'sms' | 'bills'>().default('network'),
  /** The code of the driver. */
  driver: column.text(),
  environment: column.text(),
  /** Owner of the merchant account; null for the operator's own. */
  organization: column.bigint().nullable(),
  /** Base URLs that replace the environment's. */
  hosts: column.jsonb<Record<string, string>>().default({}),
  settings: column.jsonb<Record<string, unknown>>().default({}),
  sealed_secrets: column.text().nullable(),
  callback_secret: column.text(),
  /** Networks that the operator lets the connection of an organization call, in CIDR form with commas; public addresses need none. */
  allowed_networks: column.text().default(''),
  /** Maximum numbers of calls at the same time, and of calls begun in one second. */
  max_concurrent: column.integer().default(50),
  max_per_second: column.integer().default(100),
  /** Priority where several connections serve a phone: the smallest number comes first. */
  priority: column.integer().default(100),
  state: column.text<ConnectionState>(),
  /** Source of its settings: a person, or the settings of the service, which use it or only name it. */
  source: column.text<'person' | 'settings' | 'unused_settings'>().default('person'),
  last_test: column.jsonb<TestResult[]>().later(),
  tested: column.timestamptz().later(),
  /** Counts the changes of its settings, secrets and hosts. */
  version: column.integer().default(1),
  created: column.timestamptz(),
  modified: column.timestamptz(),
})
export type ConnectionRow = Row<typeof connectionTable>

/** Return the entry of the audit log about a connection. */
export function connectionEntry(
  { id, slug, organization }: ConnectionRow,
  details: ActionEntry['details'],
): ActionEntry {
  return { object: id, organization, details: { connection: slug, ...details } }
}

/** A connection that has been checked and is to be stored. */
type NewConnectionRow = Pick<
  ConnectionRow,
  | 'slug'
  | 'kind'
  | 'driver'
  | 'environment'
  | 'organization'
  | 'hosts'
  | 'settings'
  | 'sealed_secrets'
  | 'callback_secret'
> &
  Partial<ConnectionLimits>

/** Limits set by an operator besides the settings of the driver. */
export type ConnectionLimits = Pick<
  ConnectionRow,
  'max_concurrent' | 'max_per_second' | 'priority' | 'allowed_networks'
>

/** The keys of a purpose: `app.sealingKeys`. */
export type KeysFor = (purpose: string) => SealingKeys

/** Encrypts the secret settings of a connection; null when it has none. */
export function sealSecrets(keysFor: KeysFor, secrets: Record<string, unknown>): string | null {
  if (Object.keys(secrets).length === 0) return null
  return encrypt(keysFor(CONNECTION_SECRETS), JSON.stringify(secrets))
}

/** Decrypts the secret settings of a connection. @throws WrongKey */
export function unsealSecrets(keysFor: KeysFor, sealed: string | null): Record<string, unknown> {
  if (sealed === null) return {}
  return JSON.parse(decrypt(keysFor(CONNECTION_SECRETS), sealed)) as Record<string, unknown>
}

/**
 * All connections with their places, and with their secrets in plain text among their settings, for the program that opens
 * them. `problem` says why one cannot be opened.
 */
export async function readStoredConnections(db: Reader, keysFor: KeysFor) {
  const [stored, places] = await Promise.all([listConnections(db), listPlaces(db)])
  const placesByConnection = Map.groupBy(places, ({ connection }) => connection)
  return stored.map((row) => {
    const { slug, kind, driver, environment, organization, hosts, callback_secret, state, priority } = row
    const { max_concurrent, max_per_second, version, allowed_networks, source } = row
    return {
      slug,
      kind,
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
      from_settings: source !== 'person',
      places: placesByConnection.get(slug) ?? ([] as ConnectionPlace[]),
      ...withSecrets(keysFor, row.settings, row.sealed_secrets),
    }
  })
}

function withSecrets(keysFor: KeysFor, settings: Record<string, unknown>, sealed: string | null) {
  try {
    return { settings: { ...settings, ...unsealSecrets(keysFor, sealed) } }
  } catch (error) {
    // One connection that cannot be read must not keep the others, and the commands that repair it, from working.
    if (!(error instanceof WrongKey)) throw error
    return { settings, problem: `Its secrets cannot be read. ${error.message}` }
  }
}

/** All connections that are not removed, or those too, oldest first. */
export async function listConnections(db: Reader, options: { removed?: boolean } = {}): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select ${connectionTable.columns} from connections where ${options.removed ? sql.always : sql`state <> 'removed'`} order by id`
}

/** Reads a connection that is not removed. @throws NotFound */
export async function getConnection(db: Reader, slug: string): Promise<ConnectionRow> {
  const [row] = await db<ConnectionRow[]>`select ${connectionTable.columns} from connections where slug = ${slug}`
  if (!row || row.state === 'removed')
    throw new NotFound(
      slug === SETTINGS_SMS
        ? getMessage('connections.connection_comes_settings', { slug })
        : getMessage('connections.no_connection_npx', { slug }),
    )
  return row
}

/** Stores a new connection as a draft. @throws Invalid if its slug is taken, or there is no such organization */
export async function insertConnection(tx: Tx, now: Date, row: NewConnectionRow): Promise<ConnectionRow> {
  await lockConnections(tx)
  if (row.organization !== null) {
    const [organization] = await tx`select 1 from organizations where id = ${row.organization}`
    if (!organization)
      throw new Invalid({
        organization: [getMessage('access.no_organization_with', { organization: row.organization })],
      })
  }
  const { max_concurrent = 50, max_per_second = 100, priority = 100, allowed_networks = '' } = row
  const [inserted] = await tx<ConnectionRow[]>`
    ${insert(connectionTable, [row], {
      kind: row.kind,
      hosts: row.hosts,
      settings: row.settings,
      max_concurrent,
      max_per_second,
      priority,
      allowed_networks,
      state: 'draft',
      created: now,
      modified: now,
    })}
    on conflict (slug) do nothing returning ${connectionTable.columns}`
  if (!inserted) throw new Invalid({ slug: [getMessage('connections.slug_taken', { slug: row.slug })] })
  return inserted
}

/** Changes of a connection that are possible at any time. Missing members stay as they are. */
export type ConnectionChange = Partial<Pick<ConnectionRow, 'hosts' | 'settings' | 'sealed_secrets'> & ConnectionLimits>

/**
 * Changes a connection. Other settings, secrets or hosts need another test, whose results may come along.
 * @throws NotFound
 */
export async function updateConnection(
  tx: Tx,
  now: Date,
  slug: string,
  change: ConnectionChange,
  test: TestResult[] | null = null,
): Promise<ConnectionRow> {
  await lockConnections(tx)
  const before = await getConnection(tx, slug)
  const after = { ...before, ...change }
  const is_other_account =
    change.settings !== undefined || change.sealed_secrets !== undefined || change.hosts !== undefined
  const last_test = is_other_account ? test : before.last_test
  const tested = is_other_account ? test && now : before.tested
  await tx`
    update connections set hosts = ${sql.json(after.hosts)}, settings = ${sql.json(after.settings)},
      sealed_secrets = ${after.sealed_secrets}, max_concurrent = ${after.max_concurrent},
      max_per_second = ${after.max_per_second}, priority = ${after.priority},
      allowed_networks = ${after.allowed_networks},
      last_test = ${last_test && sql.json(last_test)}, tested = ${tested}, modified = ${now},
      version = version + ${is_other_account ? 1 : 0}
    where id = ${before.id}`
  return getConnection(tx, slug)
}

/** Stores the results of a test. The tested settings must still be the connection's, or nothing is stored. */
export async function recordTest(tx: Tx, now: Date, tested: ConnectionRow, results: TestResult[]): Promise<void> {
  await lockConnections(tx)
  const row = await getConnection(tx, tested.slug)
  if (versionOf(row) !== versionOf(tested)) throw new Invalid({ slug: [getMessage('connections.test_again')] })
  await tx`update connections set last_test = ${sql.json(results)}, tested = ${now} where id = ${row.id}`
}

/** Distinguishes one version of the connection from another: settings, secrets and hosts. */
export function versionOf({ settings, sealed_secrets, hosts }: ConnectionRow): string {
  return JSON.stringify([settings, sealed_secrets, hosts])
}

/** True if the last test found no fault. A step that could not be tried is no fault. */
export function hasPassed({ last_test }: Pick<ConnectionRow, 'last_test'>): boolean {
  return last_test?.every(({ outcome }) => outcome === 'ok' || outcome === 'skipped') ?? false
}

/** The states from which a connection can come into each state. */
const CAN_BECOME: Record<Exclude<ConnectionState, 'draft'>, readonly ConnectionState[]> = {
  active: ['draft', 'paused'],
  paused: ['active'],
  removed: ['draft', 'active', 'paused'],
}

/**
 * Changes the state of a connection. It becomes active only after a test that found nothing wrong, unless `force` is given.
 * It is removed only when nothing is open there.
 * @throws NotFound, Invalid
 */
export async function setConnectionState(
  tx: Tx,
  now: Date,
  slug: string,
  state: Exclude<ConnectionState, 'draft'>,
  options: { force?: boolean } = {},
): Promise<ConnectionRow> {
  await lockConnections(tx)
  const row = await getConnection(tx, slug)
  requireTransition(row, state, options)
  if (state === 'removed') await requireNothingOpen(tx, slug)
  if (row.state === 'draft' && state === 'active') await requireNoTwins(tx, slug, await listPlaces(tx, slug))
  await tx`update connections set state = ${state}, modified = ${now} where id = ${row.id}`
  if (state === 'active') await releaseHeldCallbacks(tx, now, slug)
  if (state === 'removed') await tx`delete from connection_places where connection = ${slug}`
  return { ...row, state, modified: now }
}

/** @throws Invalid if the connection cannot come into this state */
export function requireTransition(
  row: ConnectionRow,
  state: Exclude<ConnectionState, 'draft'>,
  { force = false }: { force?: boolean } = {},
): void {
  if (row.state === state)
    throw new Invalid({ state: [getMessage('connections.connection_already', { slug: row.slug, state })] })
  if (!CAN_BECOME[state].includes(row.state))
    throw new Invalid({
      state: [getMessage('connections.cannot_become', { slug: row.slug, state: row.state, status: state })],
    })
  if (state !== 'active' || force || hasPassed(row)) return
  const key = row.last_test === null ? 'connections.untested_since_change' : 'connections.test_not_passed'
  throw new Invalid({ state: [getMessage(key, { slug: row.slug })] })
}

/** @throws Invalid while anything is open at the connection, or money of it waits for an account */
async function requireNothingOpen(tx: Tx, slug: string): Promise<void> {
  const [open] = await tx<Record<string, number>[]>`
    select
      (select count(*) from network_orders where connection = ${slug} and kind <> 'vend' and closed is null) as "open orders",
      (select count(*) from open_collection_requests o join collection_requests r on r.id = o.collection_request
        where r.connection = ${slug}) as "open requests",
      (select count(*) from payment_recipients
        where connection = ${slug} and state not in ('complete', 'error', 'aborted')) as "open payouts",
      (select count(*) from plans p join collection_requests r on r.id = p.collection_request
        where r.connection = ${slug} and (p.due_at is not null or p.paused is not null and p.stopped is null)) as "recurring requests",
      (select count(*) from unassigned_payments where connection = ${slug} and state = 'unassigned')
        as "payments without an account"`
  const parts = Object.entries(open!).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
  if (parts.length > 0)
    throw new Invalid({
      state: [getMessage('connections.connection_still_pause', { slug, list: parts.join(', ') })],
    })
}
