import type { Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { copyTable, listColumns, namesOf, parkRows, passRows, SHARED_TABLES } from './move-rows.ts'
import { movedTables, rowsOf } from './moved-tables.ts'

/*
 * The rows of an organization that change while it is copied and works on. PostgreSQL writes each version of a row with the
 * number of its transaction (`xmin`), which neither vacuum nor freezing changes. A later pass takes the rows whose transaction
 * was not over when the pass before took its snapshot. The number of a subtransaction is higher than the one of its
 * transaction, so the oldest running transaction of the snapshot is the limit.
 */

/** Tables of access and of numbers, which are small. They come in the hold, so that nobody uses the copy before. */
export const lateTables = [
  'memberships',
  'api_keys',
  'signing_users',
  'passkeys',
  'recovery_codes',
  'one_time_links',
  'connection_places',
]

/** Transactions after which numbers of 32 bits may be used again. */
const MAX_TRANSACTIONS = 2 ** 30

/** A pass of a copy: before the hold, while both cells work, or in the hold. */
export type Pass = 'before hold' | 'in hold'

/** The rows cannot be brought up to date one by one, and are copied anew. */
export class CannotFollow extends Error {}

/** Return the limit of a snapshot: earlier transactions were over when it was taken. */
export async function readLimit(from: Tx): Promise<string> {
  const [limit] = await from<{ text: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as text`
  return limit!.text
}

/** Copy all rows of an organization to tables that have none of them. @param onPage called with the number of rows of each page */
export async function copyAll(
  from: Tx,
  to: Tx,
  organization: number,
  pass: Pass,
  onPage: (rows: number) => void,
): Promise<void> {
  for (const table of tablesOf(pass))
    if (table === 'users') await copyUsers(from, to, organization, pass)
    else await copyTable(from, to, organization, table, onPage)
}

/**
 * Bring the copy to the snapshot of `from`.
 * @param since the limit of the snapshot that the copy has
 * @throws CannotFollow
 */
export async function copyChanges(from: Tx, to: Tx, organization: number, pass: Pass, since: string): Promise<void> {
  const limit = await readAge(from, since)
  const tables = tablesOf(pass)
  const staged: Changes[] = []
  for (const table of tables.filter((one) => !SHARED_TABLES.includes(one))) {
    const is_whole = pass === 'in hold' && [...lateTables, 'connections'].includes(table)
    const changed = is_whole ? sql.always : sql`age(xmin) <= ${limit}::integer`
    staged.push(await stageChanges({ from, to, organization, table, changed }))
  }
  // What is gone may hold a name that a new row has.
  for (const one of staged.toReversed()) if (one.has_gone) await deleteGone(to, organization, one)
  const by_table = new Map(staged.map((one) => [one.table, one]))
  for (const table of tables)
    if (table === 'users') await copyUsers(from, to, organization, pass)
    else if (SHARED_TABLES.includes(table)) await copyTable(from, to, organization, table)
    else await applyChanges(to, by_table.get(table)!)
}

/** Keep jobs and drivers of the target from rows that are copied before the hold. */
export async function parkCopy(to: Tx, organization: number): Promise<void> {
  await parkRows(to, organization)
  await to`update connections set state = 'paused' where organization = ${organization} and state = 'active'`
}

/** Delete people whom a copy before the hold has brought and who have not arrived. */
export async function deleteHiddenUsers(tx: Tx, organization: number): Promise<void> {
  await tx`delete from users where email = ${hiddenEmail(organization)}`
}

function tablesOf(pass: Pass): string[] {
  return Object.keys(movedTables).filter((table) => pass === 'in hold' || !lateTables.includes(table))
}

/** SQL: the address of a person of table `users` who has not arrived yet. */
function hiddenEmail(organization: number): Fragment {
  return sql`'moving-' || ${organization}::bigint || '-' || users.id || '@cell.invalid'`
}

/** Copy people. Before the hold they have no address, no password and no second factor, so that nobody signs in as them. */
async function copyUsers(from: Tx, to: Tx, organization: number, pass: Pass): Promise<void> {
  const columns = await listColumns(from, 'users')
  const names = namesOf(columns)
  const hidden = sql`
    id, kind, name, created, case when kind = 'person' then ${hiddenEmail(organization)} end as email`
  const query = sql`
    select ${pass === 'in hold' ? names : hidden} from users where ${rowsOf('users', organization)}`
  const others = columns.flatMap(({ name, is_key }) => (is_key ? [] : [sql.identifier(name)]))
  const replaced = others.map((name) => sql`${name} = excluded.${name}`)
  await passRows(
    from,
    { table: 'users', query },
    (rows) => to`
      insert into users (${names}) overriding system value select ${names} from ${rows}
      on conflict (id) do update set ${sql.join(replaced, ', ')}
      where ${pass === 'in hold' ? sql`users.email = ${hiddenEmail(organization)}` : sql`false`}`,
  )
}

/** Return the age of a limit in transactions of 32 bits, as the ages of rows are counted. @throws CannotFollow */
async function readAge(from: Tx, since: string): Promise<number> {
  const [limit] = await from<{ age: number; transactions: number }[]>`
    select age(${since}::xid8::xid) as age,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint - ${since}::bigint as transactions`
  if (limit!.transactions > MAX_TRANSACTIONS) throw new CannotFollow('the copy is too old')
  return limit!.age
}

/** Rows of a table that have changed, in a temporary table of the target. */
interface Changes {
  table: string
  columns: Awaited<ReturnType<typeof listColumns>>
  rows: number
  /** Rows among them that the target has. */
  known: number
  /** True if the target has rows whose keys are not among `keysOf(table)`. */
  has_gone: boolean
}

const changesOf = (table: string) => sql.identifier(`moving_${table}`)
const keysOf = (table: string) => sql.identifier(`moving_keys_${table}`)

interface Staging {
  from: Tx
  to: Tx
  organization: number
  table: string
  /** SQL: a row of the source has changed. */
  changed: Fragment
}

/** Read the changed rows of a table and, where the numbers of rows say that keys are gone or missing, all keys. */
async function stageChanges({ from, to, organization, table, changed }: Staging): Promise<Changes> {
  const name = sql.identifier(table)
  const where = rowsOf(table, organization)
  const columns = await listColumns(from, table)
  const counted = [
    from<{ rows: number; changed: number }[]>`
      select count(*) as rows, count(*) filter (where ${changed}) as changed from ${name} where ${where}`,
    to<{ rows: number; changed: number }[]>`select count(*) as rows, 0 as changed from ${name} where ${where}`,
  ] as const
  const [[here], [there]] = await Promise.all(counted)
  const unchanged = here!.rows - here!.changed
  let known = 0
  if (here!.changed > 0) {
    await stage(from, to, { table, staged: changesOf(table), columns, where: sql`${where} and ${changed}` })
    known = await countKnown(to, table, columns)
  }
  const has_gone = there!.rows - known !== unchanged
  if (has_gone) {
    if (table === 'transfers') throw new CannotFollow('transfers are gone')
    const keys = columns.filter(({ is_key }) => is_key)
    await stage(from, to, { table, staged: keysOf(table), columns: keys, where })
    if (here!.changed === 0)
      await to`create temp table ${changesOf(table)} on commit drop as select ${namesOf(columns)} from ${name} with no data`
    const missing = await stageMissing(from, to, { table, columns })
    return { table, columns, rows: here!.changed + missing, known, has_gone }
  }
  return { table, columns, rows: here!.changed, known, has_gone }
}

interface Staged {
  table: string
  staged: Fragment
  columns: Changes['columns']
  where: Fragment
}

async function stage(from: Tx, to: Tx, { table, staged, columns, where }: Staged): Promise<void> {
  const names = namesOf(columns)
  const name = sql.identifier(table)
  await to`create temp table ${staged} on commit drop as select ${names} from ${name} with no data`
  await passRows(
    from,
    { table, query: sql`select ${names} from ${name} where ${where}` },
    (rows) => to`insert into ${staged} select ${names} from ${rows}`,
  )
}

/** Stage rows that only the target's retention has deleted, since the source has them unchanged. */
async function stageMissing(from: Tx, to: Tx, { table, columns }: Pick<Changes, 'table' | 'columns'>): Promise<number> {
  const keys = namesOf(columns.filter(({ is_key }) => is_key))
  const name = sql.identifier(table)
  const missing = await to<{ keys: string }[]>`
    select row_to_json(k)::text as keys from ${keysOf(table)} k
    where not exists (select from ${name} r where ${sameKey('r', 'k', columns)})
      and not exists (select from ${changesOf(table)} c where ${sameKey('c', 'k', columns)})`
  const wanted = `[${missing.map((row) => row.keys).join()}]`
  if (missing.length > 0)
    await passRows(
      from,
      {
        table,
        query: sql`
          select ${namesOf(columns)} from ${name}
          where (${keys}) in (select ${keys} from json_populate_recordset(null::${name}, ${wanted}::json))`,
      },
      (rows) => to`insert into ${changesOf(table)} select ${namesOf(columns)} from ${rows}`,
    )
  return missing.length
}

/** SQL: two rows have the same key. */
function sameKey(one: string, other: string, columns: Changes['columns']): Fragment {
  const same = columns.flatMap(({ name, is_key }) =>
    is_key ? [sql`${sql.identifier(`${one}.${name}`)} = ${sql.identifier(`${other}.${name}`)}`] : [],
  )
  return sql.join(same, ' and ')
}

async function countKnown(to: Tx, table: string, columns: Changes['columns']): Promise<number> {
  const [found] = await to<{ count: number }[]>`
    select count(*) from ${changesOf(table)} c
    where exists (select from ${sql.identifier(table)} r where ${sameKey('r', 'c', columns)})`
  return found!.count
}

async function deleteGone(to: Tx, organization: number, { table, columns }: Changes): Promise<void> {
  await to`
    delete from ${sql.identifier(table)} r where ${rowsOf(table, organization)}
      and not exists (select from ${keysOf(table)} k where ${sameKey('k', 'r', columns)})`
}

/** Update before inserting: a row that is over may free a name that a new one has. */
async function applyChanges(to: Tx, { table, columns, rows, known }: Changes): Promise<void> {
  const name = sql.identifier(table)
  const names = namesOf(columns)
  const textOf = (alias: string) =>
    sql`row(${sql.identifiers(columns.map((column) => `${alias}.${column.name}`))})::text`
  const others = columns.filter(({ is_key }) => !is_key)
  const set = others.map((one) => sql`${sql.identifier(one.name)} = ${sql.identifier(`c.${one.name}`)}`)
  // The ledger refuses updates, also those that change nothing.
  if (known > 0 && others.length > 0)
    await to`
      update ${name} r set ${sql.join(set, ', ')} from ${changesOf(table)} c
      where ${sameKey('r', 'c', columns)} and ${textOf('r')} is distinct from ${textOf('c')}`
  if (rows > known)
    await to`
      insert into ${name} (${names}) overriding system value select ${names} from ${changesOf(table)} c
      where not exists (select from ${name} r where ${sameKey('r', 'c', columns)})`
}
