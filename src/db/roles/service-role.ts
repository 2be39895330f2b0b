import type { Reader, Tx } from '../client.ts'

/*
 * The service works as a role that owns no table. So it can neither change append-only tables nor turn off the triggers
 * that refuse it (docs/decisions/0024). Migrations run as the owner, who grants these rights after each of them.
 */

/** Rights of the service on tables of a kind. */
const RIGHTS = {
  append_only: ['SELECT', 'INSERT'],
  read_only: ['SELECT'],
  ordinary: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
} as const
type Kind = keyof typeof RIGHTS

/** The tables and views that are not ordinary. A trigger writes `audit_chain` and a function `audit_anchors`, with the rights of their owner. */
const KINDS: Readonly<Record<string, Kind>> = {
  audit_anchors: 'read_only',
  audit_chain: 'read_only',
  audit_log: 'append_only',
  collection_request_transitions: 'read_only',
  countries: 'read_only',
  lost_secret_keys: 'append_only',
  migrations: 'read_only',
  network_order_answers: 'read_only',
  secret_keys: 'append_only',
  sms_providers: 'read_only',
  transfers: 'append_only',
  webhook_deliveries: 'read_only',
  webhook_deliveries_sent: 'read_only',
  webhook_deliveries_unsent: 'read_only',
}

/** Rights that let a role change data or definitions; TRIGGER and REFERENCES can stop the writes of others. */
const TABLE_RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']

/** The functions of the migrations that the service may call. */
const FUNCTIONS = [
  'partition_age_column(text)',
  'create_time_partition(text, timestamptz, timestamptz)',
  'drop_time_partition(text, text)',
  'remove_archived_audit_entries(bigint, bigint)',
]

/** A table with the rights that the service's role has and should have. */
interface TableRights {
  table: string
  has: string[]
}

/**
 * Gives a role the rights of the service and takes all others from it, in the schema of this connection. It must run as
 * the owner. Changes nothing when all is as it should be.
 * @returns true if anything was changed
 */
export async function grantServiceRights(tx: Tx, role: string): Promise<boolean> {
  const wrong = await findWrongRights(tx, role)
  const [missing] = await tx<{ functions: boolean; sequences: boolean; schema: boolean }[]>`
    select not bool_and(has_function_privilege(${role}, f.signature, 'EXECUTE')) as functions,
      exists (select from pg_class c where c.relnamespace = current_schema()::regnamespace
        and case when c.relkind = 'S' then not has_sequence_privilege(${role}, c.oid, 'USAGE') end) as sequences,
      not has_schema_privilege(${role}, current_schema()::regnamespace, 'USAGE') as schema
    from unnest(${FUNCTIONS}::text[]) as f(signature)`
  if (wrong.length === 0 && !Object.values(missing!).includes(true)) return false
  const [schema] = await tx<{ name: string }[]>`select current_schema() as name`
  const [within, to] = [quote(schema!.name), quote(role)]
  await tx.unsafe(`grant usage on schema ${within} to ${to}`)
  await tx.unsafe(`grant usage, select on all sequences in schema ${within} to ${to}`)
  for (const signature of FUNCTIONS) await tx.unsafe(`grant execute on function ${signature} to ${to}`)
  for (const { table } of wrong) {
    await tx.unsafe(`revoke all on ${quote(table)} from ${to}`)
    await tx.unsafe(`grant ${wantedRights(table).join(', ')} on ${quote(table)} to ${to}`)
  }
  return true
}

/** The tables on which a role has other rights than the service should have. The rights of its groups count. */
export async function findWrongRights(db: Reader, role: string): Promise<TableRights[]> {
  const tables = await db<TableRights[]>`
    select c.relname as table,
      array(select r from unnest(${TABLE_RIGHTS}::text[]) as r where has_table_privilege(${role}, c.oid, r)) as has
    from pg_class c
    where c.relkind in ('r', 'p', 'v') and c.relnamespace = current_schema()::regnamespace
      and not (c.relispartition and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM%')
    order by c.relname`
  return tables.filter(({ table, has }) => has.toSorted().join() !== wantedRights(table).toSorted().join())
}

function wantedRights(table: string): readonly string[] {
  return RIGHTS[KINDS[table] ?? 'ordinary']
}

/**
 * Describes the faults of this connection's role for `doctor`, in sentences; empty when it has the rights of the
 * service.
 */
export async function checkServiceRole(db: Reader): Promise<string[]> {
  const role = await currentRole(db)
  const owned = await countOwnedTables(db)
  if (owned > 0)
    return [
      `The role ${role} of DATABASE_URL owns ${owned} tables, so it can change the ledger and the audit log. docs/operating/database.md, "Two roles", says how to change this.`,
    ]
  const wrong = await findWrongRights(db, role)
  if (wrong.length === 0) return []
  return [
    `The role ${role} of DATABASE_URL has other rights than the service needs on ${wrong.map(({ table }) => table).join(', ')}. \`npx kusanya migrate\` with MIGRATION_DATABASE_URL corrects them.`,
  ]
}

/** The role of this connection. */
export async function currentRole(db: Reader): Promise<string> {
  const [row] = await db<{ role: string }[]>`select current_user::text as role`
  return row!.role
}

/**
 * Counts the tables that the role of this connection owns or could act as the owner of. A superuser owns all of them.
 */
export async function countOwnedTables(db: Reader): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from pg_class
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and pg_has_role(current_user, relowner, 'MEMBER')`
  return row!.count
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
