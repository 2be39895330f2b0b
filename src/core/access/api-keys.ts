import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Database, Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { cellMark, KEY_PREFIX } from '../../lib/text/cells.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, timestamp } from '../fields.ts'
import { type Move, requireHere } from '../moves.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'

/** The notification channel for changes of keys and memberships. Processes then clear their API key caches. */
export const ACCESS_CHANNEL = 'access_changed'

/** Tell all processes, when the transaction commits, to forget which keys they have accepted and refused. */
export async function announceAccessChange(tx: Tx): Promise<void> {
  await tx`select pg_notify(${ACCESS_CHANNEL}, '')`
}

/** The permissions of a user in an organization, with their labels. */
export const permissions = {
  view: 'View',
  initiate_collections: 'Initiate Collections',
  initiate_payments: 'Initiate Payments',
  approve_payments: 'Approve Payments',
  pay_bills: 'Pay Bills',
  manage_contacts: 'Manage Contacts',
  erase_contacts: 'Erase Contacts',
  manage_integrations: 'Manage API Keys and Webhooks',
  manage_organization: 'Manage Users and Organization Settings',
} as const
export type Permission = keyof typeof permissions

/** Effect of each permission, for operators. A permission without a text does not compile. */
export const permissionTexts: Readonly<Record<Permission, string>> = {
  view: 'to read all objects and events of the organization',
  initiate_collections:
    'to request money, create and change payment links, claim and match collections, cancel requests and plans, remind customers and try requests again, act on the phones of the sandbox',
  initiate_payments:
    'to send money and airtime, return and refund collections, cancel payments, attest the end of orders',
  approve_payments: 'to approve and reject payments, to attest the end of orders, and to approve what others attested',
  pay_bills: 'every address under `/api/gateway`',
  manage_contacts: 'to create and change contacts',
  erase_contacts: 'to erase contacts in the console',
  manage_integrations:
    'to change webhooks in the console, to try deliveries again, and to create and revoke own API keys',
  manage_organization: 'to change webhooks, users, roles, keys and settings, and to read the audit log',
}
export const allPermissions = Object.keys(permissions) as Permission[]

/** Name permissions on one line: `all`, `none`, or their codes. */
export function shortPermissions(codes: readonly Permission[]): string {
  if (codes.length === 0) return 'none'
  return codes.length === allPermissions.length ? 'all' : codes.join(', ')
}

/** The permissions to move money out and to decide who may. An organization can demand a second factor for them. */
export const moneyPermissions: readonly Permission[] = [
  'initiate_payments',
  'approve_payments',
  'pay_bills',
  'manage_integrations',
  'manage_organization',
]

/**
 * The permissions that the approval by a second person rests on, of payments and of bills. Somebody with two accounts that have
 * them could approve alone, so it takes a second manager to give them.
 */
export const controlPermissions: readonly Permission[] = [
  'initiate_payments',
  'approve_payments',
  'pay_bills',
  'manage_organization',
]

/** The names of permissions with commas between them, for people. */
export function permissionNames(codes: readonly Permission[]): string {
  return codes.map((code) => permissions[code]).join(', ') || 'no permission'
}

/** The caller of a request: a user of an organization, with the permissions and limits of the key. */
export interface Caller {
  /** 0 for a person in the console: no key has this id. */
  key: number
  organization: number
  /** Time zone of the organization, for the beginning and end of its days. */
  time_zone: string
  user: number
  permissions: ReadonlySet<Permission>
  read_only: boolean
  reads_per_minute: number | null
  writes_per_minute: number | null
  expires: Date | null
}

/** Returns true if these permissions have one, or include it: who manages the organization manages its keys and webhooks. */
export function includesPermission(had: ReadonlySet<Permission>, permission: Permission): boolean {
  return had.has(permission) || (permission === 'manage_integrations' && had.has('manage_organization'))
}

/** Checks a permission. @throws Forbidden if the caller lacks it. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!includesPermission(caller.permissions, permission)) throw new Forbidden()
}

const keyTable = table('api_keys', {
  id: column.id(),
  organization: column.bigint(),
  user: column.bigint(),
  name: column.text(),
  prefix: column.text(),
  last_four: column.text(),
  permissions: column.texts<Permission>().nullable(),
  read_only: column.boolean(),
  reads_per_minute: column.integer().nullable(),
  writes_per_minute: column.integer().nullable(),
  expires: column.timestamptz().nullable(),
  revoked: column.timestamptz().later(),
  /** Accurate to a few minutes; null if it was never used. */
  last_used: column.timestamptz().later(),
  created: column.timestamptz(),
  hash: column.bytea(),
})
const shownKey = keyTable.omit('hash')
export type ApiKey = Row<typeof shownKey>

/** A key as the console and the CLI show it, without the key itself. */
export const ApiKeyView = z.object({
  id,
  name: z.string(),
  /** User whose permissions it has; null for a key of the service itself. */
  user_name: z.string().nullable(),
  prefix: z.string(),
  last_four: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  permissions: z.array(z.string()).nullable(),
  read_only: z.boolean(),
  reads_per_minute: z.int().nullable(),
  writes_per_minute: z.int().nullable(),
  expires: timestamp.nullable(),
  revoked: timestamp.nullable(),
  last_used: timestamp.nullable(),
  created: timestamp,
})

export interface NewApiKey {
  organization: number
  user: number
  name: string
  permissions?: Permission[] | null
  read_only?: boolean
  reads_per_minute?: number | null
  writes_per_minute?: number | null
  expires?: Date | null
  /** Key of the demo organization, which is fixed. Default: a new random key. */
  key?: string
  /** Maximum number of active keys; unlimited unless given. */
  max_keys?: number
}

/**
 * Creates a key. Only this result contains the key itself; the database stores its hash.
 * @throws Invalid if the user is not a member of the organization, if the expiry is in the past, or if the organization
 *   has its maximum of keys.
 */
export async function createKey(tx: Tx, now: Date, input: NewApiKey): Promise<{ key: string; row: ApiKey }> {
  if (input.expires && input.expires <= now) throw new Invalid({ expires: [getMessage('keys.past_expiry')] })
  const [member] =
    await tx`select 1 from memberships where organization = ${input.organization} and "user" = ${input.user}`
  if (!member) throw new Invalid({ user: [getMessage('keys.not_member')] })
  if (input.max_keys !== undefined) await requireRoom(tx, now, input.organization, input.max_keys)
  const key = input.key ?? generateKey(tx.cell)
  const [row] = await tx<ApiKey[]>`
    ${insert(keyTable, [input], {
      hash: hashKey(key),
      prefix: key.slice(0, 8),
      last_four: key.slice(-4),
      permissions: ({ permissions }) => permissions,
      read_only: ({ read_only }) => read_only ?? false,
      created: truncateToSecond(now),
    })}
    returning ${shownKey.columns}`
  // Processes that refused this key before it existed forget that.
  await announceAccessChange(tx)
  return { key, row: row! }
}

/** @throws Invalid if the organization has `max_keys` active keys. Two that are made at once wait for each other. */
async function requireRoom(tx: Tx, now: Date, organization: number, max_keys: number): Promise<void> {
  await tx`select id from organizations where id = ${organization} for no key update`
  const [row] = await tx<{ count: number }[]>`
    select count(*) from api_keys
    where organization = ${organization} and revoked is null and (expires is null or expires > ${now})`
  if (row!.count >= max_keys)
    throw new Invalid({
      non_field_errors: [getMessage('keys.many_keys', { max: max_keys })],
    })
}

/** Generates a random key. Its prefix identifies it for people and for secret scanners. */
export function generateKey(cell: number): string {
  return `${KEY_PREFIX}${cellMark(cell)}${randomBytes(24).toString('base64url')}`
}

/** Lists the keys of an organization, newest first: all, or one page. */
export async function listKeys(
  db: Reader,
  organization: number,
  page: { limit: number; offset: number } | null = null,
): Promise<ApiKey[]> {
  const rows = await db<ApiKey[]>`
    select ${shownKey.columns} from api_keys where organization = ${organization} order by id desc
    limit ${page?.limit ?? null} offset ${page?.offset ?? 0}`
  return [...rows]
}

/** Counts the keys of an organization, including revoked ones. */
export async function countKeys(db: Reader, organization: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from api_keys where organization = ${organization}`
  return row!.count
}

/** Finds the key with this id in any organization, so that the caller can decide between 403 and 404. */
export async function findKey(db: Reader, key: number): Promise<ApiKey | undefined> {
  const [row] = await db<ApiKey[]>`select ${shownKey.columns} from api_keys where id = ${key}`
  return row
}

/** The state of a key. Only an active key is accepted. */
export function keyState(key: Pick<ApiKey, 'revoked' | 'expires'>, now: Date): 'active' | 'expired' | 'revoked' {
  if (key.revoked) return 'revoked'
  return isExpired(key, now) ? 'expired' : 'active'
}

/** Updates `last_used` of a key. */
export async function recordKeyUse(tx: Tx, now: Date, key: number): Promise<void> {
  await tx`update api_keys set last_used = ${truncateToSecond(now)} where id = ${key}`
}

/** Revokes a key permanently. All processes are notified at once. @throws NotFound */
export async function revokeKey(tx: Tx, now: Date, key: number): Promise<ApiKey> {
  const [row] = await tx<ApiKey[]>`
    update api_keys set revoked = coalesce(revoked, ${truncateToSecond(now)}) where id = ${key} returning ${shownKey.columns}`
  if (!row) throw new NotFound(getMessage('keys.no_key', { key }))
  await announceAccessChange(tx)
  return row
}

/** Revokes all active keys of a user, in all organizations. All processes are notified at once. */
export async function revokeKeysOfUser(tx: Tx, now: Date, user: number): Promise<ApiKey[]> {
  const active = await tx<{ id: number }[]>`select id from api_keys where "user" = ${user} and revoked is null`
  const ids = active.map(({ id }) => id)
  await tx`select id from api_keys where id = any(${ids}::bigint[]) order by id for update`
  const rows = await tx<ApiKey[]>`
    update api_keys set revoked = ${truncateToSecond(now)} where id = any(${ids}::bigint[]) and revoked is null
    returning ${shownKey.columns}`
  await announceAccessChange(tx)
  return rows.sort((one, other) => one.id - other.id)
}

/** True if this key exists, even if revoked. */
export async function keyExists(db: Reader, key: string): Promise<boolean> {
  const [row] = await db`select 1 from api_keys where hash = ${hashKey(key)}`
  return row !== undefined
}

/** Finds the caller with this key. Undefined if the key is wrong, revoked or expired. */
export function findCaller(db: Database, now: Date, key: string): Promise<Caller | undefined> {
  return findCallerWhere(db, now, sql`k.hash = ${hashKey(key)}`)
}

/** Finds the caller of the key with this id. Undefined if the key is revoked or expired. */
export function findCallerById(db: Database, now: Date, id: number): Promise<Caller | undefined> {
  return findCallerWhere(db, now, sql`k.id = ${id}`)
}

/** The reason to refuse a key. Undefined if the key does not exist or is valid. */
export async function findRefusalReason(
  db: Reader,
  now: Date,
  key: string,
): Promise<'revoked' | 'expired' | undefined> {
  const [row] = await db<{ revoked: Date | null; expires: Date | null }[]>`
    select revoked, expires from api_keys where hash = ${hashKey(key)}`
  if (row?.revoked) return 'revoked'
  return row && isExpired(row, now) ? 'expired' : undefined
}

/** The move of the organization of a key, if there is one. */
interface KeyedMove extends Pick<Move, 'step' | 'other_cell'> {
  role: Move['role'] | null
}

/** @throws WrongCell, Unavailable if the organization has left, or is not here yet */
async function findCallerWhere(db: Database, now: Date, condition: Fragment): Promise<Caller | undefined> {
  const [row] = await db<
    (Omit<Caller, 'permissions'> &
      KeyedMove & { user_permissions: Permission[]; key_permissions: Permission[] | null })[]
  >`
    select k.id as key, k.organization, o.time_zone, k."user", k.read_only, k.reads_per_minute, k.writes_per_minute, k.expires,
      m.permissions as user_permissions, k.permissions as key_permissions, v.role, v.step, v.other_cell
    from api_keys k join organizations o on o.id = k.organization
      join memberships m on m.organization = k.organization and m."user" = k."user"
      left join organization_moves v on v.organization = k.organization
    where ${condition} and k.revoked is null`
  if (!row) return undefined
  const { user_permissions, key_permissions, role, step, other_cell, ...caller } = row
  if (role !== null) requireHere({ role, step, other_cell })
  if (isExpired(caller, now)) return undefined
  const granted = key_permissions
    ? user_permissions.filter((permission) => key_permissions.includes(permission))
    : user_permissions
  return { ...caller, permissions: new Set(granted) }
}

/** True if a key has expired. */
export function isExpired(key: { expires: Date | null }, now: Date): boolean {
  return key.expires !== null && key.expires <= now
}

/** Finds which of these hashes in base64 belong to keys, including revoked keys. */
export async function findExistingKeys(db: Reader, digests: string[]): Promise<string[]> {
  const rows = await db<{ digest: string }[]>`
    select encode(hash, 'base64') as digest from api_keys
    where hash = any(array(select decode(digest, 'base64') from unnest(${digests}::text[]) as digest))`
  return rows.map(({ digest }) => digest)
}

/** The stored hash of a key. Keys are long and random, so a fast hash protects them as well as a slow one. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
