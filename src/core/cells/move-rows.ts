import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { decrypt, encrypt } from '../../lib/secrets.ts'
import type { EncryptedColumn, KeysFor } from '../access/sealed-values.ts'
import type { TableFigures } from '../moves.ts'
import { movedTables, rowsOf } from './moved-tables.ts'

/*
 * The rows of an organization that moves: the fence around them, their copy, their figures, and their end. Names of tables
 * come from `movedTables` and those of columns from the catalogue, so statements are put together as text.
 */

/** The tables with a column for their organization. The fence stands around these; rows of others change with them. */
export const fencedTables = Object.entries(movedTables).flatMap(([table, { belongs }]) =>
  belongs === 'organization' ? [table] : [],
)

/** The lease of rows that no job may claim until the move is over. */
const PARKED = new Date('9999-12-31T00:00:00Z')

/** Rows that travel at once, and fewer where a row may have megabytes. */
const PAGE_ROWS = 2_000
const LARGE_PAGE_ROWS = 10
const LARGE_TABLES = ['order_attestations', 'payment_pages']

/** Tables whose rows refer to older rows of the same table. */
export const selfReferringTables = ['bulk_payments', 'webhooks']

/** Tables from which maintenance deletes what is old, of all organizations at once. It goes on while one of them moves. */
const CLEANED_TABLES = ['idempotency_keys', 'mails', 'one_time_links', 'sms_incoming', 'webhook_retries']

/** The tables of people. Their rows may be there already, for another organization, and change without this one. */
export const SHARED_TABLES = ['users', 'passkeys', 'recovery_codes']

/** Let this transaction through the fence. */
export async function passFence(tx: Tx, organization: number): Promise<void> {
  await tx`select set_config('kusanya.moving', ${String(organization)}, true)`
}

/**
 * Plan the checks of foreign keys once for all rows of this transaction, as sessions do not (src/db/client.ts): planning takes
 * most of a check. The plan is right for tables that are empty now, since it always uses the index.
 */
export async function keepPlansOfChecks(tx: Tx): Promise<void> {
  await tx.unsafe('set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off')
}

/** Refuse writes to an organization's rows of a table. Waits for writes that are under way. Needs the owner. */
export async function raiseFence(tx: Tx, organization: number, table: string): Promise<void> {
  await tx.unsafe(`set local lock_timeout = '2s'`)
  const refuse = (name: string, events: string, row: 'new' | 'old') =>
    tx.unsafe(`
      create or replace trigger ${name} before ${events} on ${table} for each row
      when (${row}.organization = ${organization} and current_setting('kusanya.moving', true) is distinct from '${organization}')
      execute function refuse_while_moving('${organization}')`)
  await refuse(`moving_${organization}`, 'insert or update', 'new')
  if (!CLEANED_TABLES.includes(table)) await refuse(`moving_${organization}_deleted`, 'delete', 'old')
}

/** Take the fence away from a table. Needs the owner. */
export async function dropFence(tx: Tx, organization: number, table: string): Promise<void> {
  await tx.unsafe(`set local lock_timeout = '2s'`)
  for (const name of [`moving_${organization}`, `moving_${organization}_deleted`])
    await tx.unsafe(`drop trigger if exists ${name} on ${table}`)
}

/**
 * Keep the due rows of an organization from all jobs, and note when the last lease from before is over: until then a process
 * may be making a call.
 */
export async function parkRows(tx: Tx, organization: number): Promise<void> {
  await passFence(tx, organization)
  for (const { table, has_due } of await listLeasedTables(tx)) {
    const where = sql`${rowsOf(table, organization)} and ${has_due ? sql`due_at is not null` : sql.always}`
    await tx`
      update organization_moves set quiet_from = greatest(quiet_from, (
        select max(leased_until) from ${sql.identifier(table)} where ${where} and leased_until < ${PARKED}))
      where organization = ${organization}`
    await tx`
      update ${sql.identifier(table)} set leased_until = ${PARKED}
      where ${where} and leased_until is distinct from ${PARKED}`
  }
}

/** Give the rows back to the jobs. @param real the time on the clock of leases */
export async function releaseRows(tx: Tx, organization: number, real: Date): Promise<void> {
  await passFence(tx, organization)
  // A webhook whose lease has ended by itself looks up what was sent already.
  for (const { table, has_due } of await listLeasedTables(tx))
    await tx`
      update ${sql.identifier(table)} set leased_until = ${has_due ? sql`null` : sql`${real}`}
      where ${rowsOf(table, organization)} and leased_until = ${PARKED}`
}

/** The moved tables whose rows are jobs, and whether they have a due date. */
async function listLeasedTables(db: Reader): Promise<{ table: string; has_due: boolean }[]> {
  return db<{ table: string; has_due: boolean }[]>`
    select c.relname as table, bool_or(a.attname = 'due_at') as has_due
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname in ('due_at', 'leased_until')
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${Object.keys(movedTables)}::text[])
    group by c.relname having bool_or(a.attname = 'leased_until') order by 1`
}

/** A column of a table. */
interface Column {
  name: string
  type: string
  is_key: boolean
}

/** A key for the rows of a table without a primary key. Two rows may share it: then their table is copied as a whole. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  webhook_attempts: ['webhook', 'event', 'attempt', 'at', 'recorded'],
}

/** The columns of a table that are not computed, in the order of their names, which two databases share. */
export async function listColumns(db: Reader, table: string, without: readonly string[] = []): Promise<Column[]> {
  return db<Column[]>`
    select attname as name, format_type(atttypid, null) as type, attname = any(${[...(KEYS[table] ?? [])]}::text[]) or exists (
      select from pg_index where indrelid = attrelid and indisprimary and attnum = any(indkey)) as is_key
    from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all(${[...without]}::text[])
    order by attname`
}

/** SQL: the names of columns. */
export function namesOf(columns: readonly Pick<Column, 'name'>[]): Fragment {
  return sql.identifiers(columns.map(({ name }) => name))
}

/**
 * Read the rows of a query of the source in pages, as JSON. While one database inserts a page, the other reads the next.
 * @returns the number of rows read
 */
export async function passRows(
  from: Tx,
  { table, query }: { table: string; query: Fragment },
  insertPage: (rows: Fragment) => Promise<unknown>,
): Promise<number> {
  const size = LARGE_TABLES.includes(table) ? LARGE_PAGE_ROWS : PAGE_ROWS
  await from`declare moving no scroll cursor for select row_to_json(r)::text as row from (${query}) r`
  const fetchPage = () => {
    const page = from.unsafe<{ row: string }[]>(`fetch ${size} from moving`)
    // When the other side fails, nobody waits for it any more.
    page.catch(() => {})
    return page
  }
  let passed = 0
  for (let page = await fetchPage(), next = fetchPage(); page.length > 0; page = await next, next = fetchPage()) {
    passed += page.length
    const rows = `[${page.map(({ row }) => row).join()}]`
    await insertPage(sql`json_populate_recordset(null::${sql.identifier(table)}, ${rows}::json)`)
  }
  await from.unsafe('close moving')
  return passed
}

/**
 * Copy the rows of an organization of one table. Rows of people and of the audit log that are there already stay as they are.
 * @param onPage called with the number of rows of each page
 */
export async function copyTable(
  from: Tx,
  to: Tx,
  organization: number,
  table: string,
  onPage: (rows: number) => void = () => {},
): Promise<void> {
  const name = sql.identifier(table)
  const where = movedTables[table] ? rowsOf(table, organization) : sql`organization = ${organization}::bigint`
  const columns = namesOf(await listColumns(from, table))
  const may_be_there = SHARED_TABLES.includes(table) || !movedTables[table]
  const order = selfReferringTables.includes(table) ? sql`order by id` : sql.empty
  await passRows(from, { table, query: sql`select ${columns} from ${name} where ${where} ${order}` }, async (rows) => {
    const inserted = await to`
      insert into ${name} (${columns}) overriding system value select ${columns} from ${rows}
      ${may_be_there ? sql`on conflict do nothing` : sql.empty}`
    onPage(inserted.count)
  })
}

/** Encrypt the copied secrets with the keys of the target. */
export async function resealRows(
  from: Tx,
  to: Tx,
  organization: number,
  sealed: { columns: readonly EncryptedColumn[]; old: KeysFor; present: KeysFor },
): Promise<void> {
  for (const { table, key, column, purpose } of sealed.columns)
    for (const { id, value } of await readSealed(from, organization, { table, key, column })) {
      const text = encrypt(sealed.present(purpose), decrypt(sealed.old(purpose), value))
      // A person who was there already keeps the secrets that are there.
      await to`
        update ${sql.identifier(table)} set ${sql.identifier(column)} = ${text}
        where ${sql.identifier(key)} = ${id} and ${sql.identifier(column)} = ${value}`
    }
}

/** The digest of the texts of an organization's secrets, whatever encrypts them. */
export async function digestSecrets(
  db: Tx,
  organization: number,
  columns: readonly EncryptedColumn[],
  keysFor: KeysFor,
): Promise<string> {
  const hash = createHash('sha256')
  for (const { table, key, column, purpose } of columns.filter((one) => !SHARED_TABLES.includes(one.table)))
    for (const { id, value } of await readSealed(db, organization, { table, key, column }))
      hash.update(`${table} ${column} ${id} ${decrypt(keysFor(purpose), value)}\n`)
  return hash.digest('hex')
}

function readSealed(db: Tx, organization: number, { table, key, column }: Omit<EncryptedColumn, 'purpose' | 'what'>) {
  return db<{ id: number; value: string }[]>`
    select ${sql.identifier(key)} as id, ${sql.identifier(column)} as value from ${sql.identifier(table)}
    where ${rowsOf(table, organization)} and ${sql.identifier(column)} is not null order by 1`
}

/** Types without an operator class for hashes, or whose hash is the same for different texts. */
const HASHED_AS_TEXT = ['json', 'jsonb', 'double precision']

/** Count and digest the rows of an organization in each table, without people and secrets. */
export async function readFigures(
  db: Tx,
  organization: number,
  sealed: readonly EncryptedColumn[],
): Promise<Record<string, TableFigures>> {
  const figures: Record<string, TableFigures> = {}
  for (const table of Object.keys(movedTables).filter((one) => !SHARED_TABLES.includes(one))) {
    const secrets = sealed.flatMap((one) => (one.table === table ? one.column : []))
    const columns = await listColumns(db, table, secrets)
    const hashed = columns.map(({ name, type }) =>
      HASHED_AS_TEXT.includes(type) ? sql`${sql.identifier(name)}::text` : sql.identifier(name),
    )
    const [found] = await db<TableFigures[]>`
      select count(*) as rows, coalesce(sum(hash_record_extended(row(${sql.join(hashed, ', ')}), 0)), 0)::text as digest
      from ${sql.identifier(table)} where ${rowsOf(table, organization)}`
    figures[table] = found!
  }
  return figures
}

/** The accounts of an organization whose balance is not the sum of their transfers. */
export async function findWrongBalances(db: Tx, organization: number): Promise<number[]> {
  const found = await db<{ id: number }[]>`
    select a.id from accounts a left join (
      select account, sum(amount) as sum from (
        select to_account as account, amount from transfers where ${rowsOf('transfers', organization)}
        union all select from_account, -amount from transfers where ${rowsOf('transfers', organization)}) t
      group by account) s on s.account = a.id
    where a.organization = ${organization} and a.balance <> coalesce(s.sum, 0) order by a.id`
  return found.map(({ id }) => id)
}

/** Delete the rows of an organization from a table other than the ledger. */
export async function deleteRows(tx: Tx, organization: number, table: string): Promise<void> {
  await passFence(tx, organization)
  await keepPlansOfChecks(tx)
  await tx`delete from ${sql.identifier(table)} where ${rowsOf(table, organization)}`
}

/** List the accounts of an organization, whose transfers are deleted one after the other. */
export async function listMovedAccounts(db: Reader, organization: number): Promise<number[]> {
  const found = await db<{ id: number }[]>`select id from accounts where organization = ${organization} order by id`
  return found.map(({ id }) => id)
}

/**
 * Delete the next transfers to an account, in the order of their ids. Nothing but a move deletes transfers: its owner turns off
 * the trigger that refuses it, for this transaction.
 * @returns the last id that was deleted; null when there was none after `after`
 */
export async function deleteTransfers(
  tx: Tx,
  { account, after, limit }: { account: number; after: number; limit: number },
): Promise<number | null> {
  const found = await tx<{ id: number }[]>`
    select id from transfers where to_account = ${account} and id > ${after} order by id limit ${limit}`
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return null
  await keepPlansOfChecks(tx)
  await tx.unsafe('alter table transfers disable trigger transfers_append_only')
  await tx`delete from transfers where id = any(${ids}::bigint[])`
  await tx.unsafe('alter table transfers enable trigger transfers_append_only')
  return ids.at(-1)!
}

/** Delete copied people who belong to no organization here and have done nothing. */
export async function deleteStrangers(tx: Tx, people: readonly number[]): Promise<void> {
  const found = await tx<{ id: number }[]>`
    select id from users u where id = any(${[...people]}::bigint[])
      and not exists (select from memberships where "user" = u.id) and not exists (select from sessions where "user" = u.id)
      and not exists (select from audit_log where "user" = u.id)`
  const ids = found.map(({ id }) => id)
  for (const table of ['passkeys', 'recovery_codes', 'known_browsers'])
    await tx`delete from ${sql.identifier(table)} where "user" = any(${ids}::bigint[])`
  await tx`delete from users where id = any(${ids}::bigint[])`
}

/** The users of an organization, who move with it. */
export async function listMovingUsers(
  db: Reader,
  organization: number,
): Promise<{ id: number; email: string | null }[]> {
  return db<{ id: number; email: string | null }[]>`select id, email from users where ${rowsOf('users', organization)}`
}
