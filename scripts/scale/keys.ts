import type { Reader } from '../../src/db/client.ts'
import { DISTRIBUTION_COLUMN, type Placement, tableOf, tables } from './tables.ts'

/** Why a unique key of a distributed table may become unique within its organization without any loss. */
type Reason =
  /** It contains the id of a row that belongs to one organization. */
  | 'parent'
  /** Its values are drawn at random, so they do not meet. */
  | 'random'
  /** It is a text made of such an id. */
  | 'derived'
  /** It must hold over all organizations. This remains open. */
  | 'open'

/** Unique keys without the organization, as `table(columns)`. Generated ids (`id`) need no entry: one sequence draws them. */
export const keysWithoutOrganization: Readonly<Record<string, Reason>> = {
  'acceptance_checks(collection)': 'parent',
  'acceptance_checks(connection, remote_transaction_id, account, phonenumber, amount)': 'parent',
  'accounts(id, currency)': 'parent',
  'approval_notices(payment, user)': 'parent',
  'archive_keys(contact)': 'parent',
  'bill_attempts(purchase, attempt)': 'parent',
  'bill_attempts(reference)': 'random',
  'bill_purchases(reference)': 'random',
  'bulk_payment_rows(bulk_payment, number)': 'parent',
  'bulk_payment_rows(recipient)': 'parent',
  'collection_reversals(collection, remote_id)': 'parent',
  'collections(collection_request)': 'parent',
  'contact_import_refusals(contact_import, number)': 'parent',
  'collections(connection, remote_transaction_id)': 'open',
  'collections(network_order)': 'parent',
  'invoice_links(payment_link)': 'parent',
  'invoice_reminders(invoice, day)': 'parent',
  'invoice_requests(request)': 'parent',
  'invoices(code)': 'random',
  'late_payouts(recipient)': 'parent',
  'network_orders(collection_request, attempt)': 'parent',
  'network_orders(payment_recipient, attempt)': 'parent',
  'network_orders(reference)': 'random',
  'occurrences(collection_request)': 'parent',
  'occurrences(plan, date)': 'parent',
  'bill_approval_notices(purchase, user)': 'parent',
  'bill_approvals(purchase, user)': 'parent',
  'order_attestations(bill_purchase)': 'parent',
  'order_attestations(network_order)': 'parent',
  'payment_approvals(payment, user)': 'parent',
  'payment_link_visits(form_digest)': 'random',
  'payment_link_visits(request)': 'parent',
  'payment_link_visits(token_digest)': 'random',
  'payment_links(token)': 'random',
  'payout_reversals(recipient, remote_id)': 'parent',
  'plans(collection_request)': 'parent',
  'receipts(code)': 'random',
  'receipts(collection)': 'parent',
  'refills(account)': 'parent',
  'request_actions(new_request)': 'parent',
  'request_actions(payment)': 'parent',
  'request_actions(payment_link)': 'parent',
  'sms_attempts(reference)': 'random',
  'sms_attempts(sms_message, attempt)': 'parent',
  'sms_messages(bill_purchase, purpose)': 'parent',
  'sms_messages(collection_request, purpose, number)': 'parent',
  'sms_messages(payment_recipient)': 'parent',
  'transfers(reference)': 'derived',
  'webhook_deliveries(webhook, event)': 'parent',
  'webhooks(token)': 'random',
}

/** Foreign keys that a distributed database cannot have, because one side is on another server, and what holds without them. */
export const impossibleForeignKeys: Readonly<Record<string, string>> = {
  'connection_places(account) → accounts': 'places are written by operators, and accounts are never deleted',
  'unassigned_payments(account) → accounts': 'accounts are never deleted; `doctor` can compare both servers',
  'unassigned_payments(collection) → collections': 'collections are never deleted; `doctor` can compare both servers',
}

export interface UniqueKey {
  table: string
  index: string
  columns: string[]
  /** What the constraint is that owns the index; null for an index alone. */
  constraint: 'primary key' | 'unique' | null
  definition: string
}

export interface ForeignKey {
  table: string
  name: string
  columns: string[]
  to: string
  to_columns: string[]
  definition: string
}

/** The unique keys of all tables and partitions, in the order of their tables. */
export async function listUniqueKeys(db: Reader): Promise<UniqueKey[]> {
  const keys = await db<UniqueKey[]>`
    select c.relname as table, i.relname as index, pg_get_indexdef(x.indexrelid) as definition,
      (select case contype when 'p' then 'primary key' else 'unique' end from pg_constraint
        where conindid = x.indexrelid and contype in ('p', 'u')) as constraint,
      array(select a.attname from unnest(x.indkey::smallint[]) with ordinality k(attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where k.place <= x.indnkeyatts order by k.place) as columns
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where x.indisunique and c.relnamespace = current_schema()::regnamespace order by 1, 2`
  return keys.map((key) => ({ ...key, table: tableOf(key.table) }))
}

export async function listForeignKeys(db: Reader): Promise<ForeignKey[]> {
  return db<ForeignKey[]>`
    select c.relname as table, f.conname as name, r.relname as to, pg_get_constraintdef(f.oid) as definition,
      array(select a.attname from unnest(f.conkey) with ordinality k(attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as columns,
      array(select a.attname from unnest(f.confkey) with ordinality k(attnum, place)
        join pg_attribute a on a.attrelid = r.oid and a.attnum = k.attnum order by k.place) as to_columns
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = current_schema()::regnamespace order by 1, 2`
}

export function isDistributed(table: string): boolean {
  return tables[table]?.kind === 'distributed'
}

/** A key of generated ids: one sequence draws them for all organizations, and time partitions repeat their column. */
function isGenerated({ columns }: UniqueKey): boolean {
  return columns.join() === 'id' || columns.join() === 'id,created'
}

/** How a unique key is named in `keysWithoutOrganization`. */
export function nameOfKey({ table, columns }: Pick<UniqueKey, 'table' | 'columns'>): string {
  return `${table}(${columns.join(', ')})`
}

/** What is wrong with the unique keys, in sentences. */
export function findKeyFaults(
  keys: readonly UniqueKey[],
  declared: Readonly<Record<string, string>> = keysWithoutOrganization,
): string[] {
  const without = keys.filter(
    (key) => isDistributed(key.table) && !key.columns.includes(DISTRIBUTION_COLUMN) && !isGenerated(key),
  )
  const names = new Set(without.map(nameOfKey))
  return [
    ...[...names]
      .filter((name) => !(name in declared))
      .map(
        (name) =>
          `The unique key ${name} does not contain the organization, and keysWithoutOrganization says no reason.`,
      ),
    ...Object.keys(declared)
      .filter((name) => !names.has(name))
      .map((name) => `keysWithoutOrganization names ${name}, which is no unique key without the organization.`),
  ]
}

/** How a foreign key stands between two tables that may be on different servers. */
export type ForeignKeyKind = 'kept' | 'colocated' | 'impossible'

/**
 * `kept` as it is; `colocated`: both rows belong to the same organization, and the key gets its column; `impossible`: the
 * other row may be on another server.
 */
export function kindOfForeignKey({ table, to, columns }: ForeignKey): ForeignKeyKind {
  const [from, target] = [tables[table]?.kind, tables[to]?.kind]
  if (from === 'distributed' && target === 'distributed')
    return columns.includes(DISTRIBUTION_COLUMN) ? 'kept' : 'colocated'
  if (target === 'reference' || (from === 'local' && target === 'local')) return 'kept'
  return 'impossible'
}

/** What is wrong with the foreign keys, in sentences: one that would be lost must be declared. */
export function findForeignKeyFaults(
  keys: readonly ForeignKey[],
  declared: Readonly<Record<string, string>> = impossibleForeignKeys,
): string[] {
  const impossible = keys.filter((key) => kindOfForeignKey(key) === 'impossible').map(nameOfForeignKey)
  return [
    ...impossible
      .filter((name) => !(name in declared))
      .map((name) => `The foreign key ${name} leads to another server, and impossibleForeignKeys says nothing of it.`),
    ...Object.keys(declared)
      .filter((name) => !impossible.includes(name))
      .map((name) => `impossibleForeignKeys names ${name}, which is no foreign key to another server.`),
  ]
}

export function nameOfForeignKey({ table, columns, to }: Pick<ForeignKey, 'table' | 'columns' | 'to'>): string {
  return `${table}(${columns.join(', ')}) → ${to}`
}

/** The tables of the schema, without partitions, and whether each has the column of the organization. */
export interface RealTable {
  table: string
  has_organization: boolean
}

export async function listTables(db: Reader): Promise<RealTable[]> {
  return db<RealTable[]>`
    select c.relname as table, exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = ${DISTRIBUTION_COLUMN} and not a.attisdropped) as has_organization
    from pg_class c where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace order by 1`
}

/** What is wrong with the list of tables, in sentences: each table stands in it once, and says where its organization is. */
export function findTableFaults(
  real: readonly RealTable[],
  declared: Readonly<Record<string, Placement>> = tables,
): string[] {
  const known = new Map(real.map(({ table, has_organization }) => [table, has_organization]))
  return [
    ...real
      .filter(({ table }) => !(table in declared))
      .map(({ table }) => `Say in scripts/scale/tables.ts where ${table} is.`),
    ...Object.entries(declared).flatMap(([table, placement]) => {
      if (!known.has(table)) return [`scripts/scale/tables.ts names ${table}, which is no table.`]
      if (placement.kind !== 'distributed' || (placement.through === undefined) === known.get(table)) return []
      return [
        `The table ${table} has ${placement.through ? 'a' : 'no'} column organization: correct scripts/scale/tables.ts.`,
      ]
    }),
  ]
}
