import { setTimeout as sleep } from 'node:timers/promises'
import { beginLong, type Database, type Tx } from './client.ts'
import { sql } from './sql.ts'

/** Tables that keep their rows: those that migrations fill, and the ids of networks. */
const KEPT_TABLES = ['migrations', 'countries', 'currencies', 'networks']

const MAX_TRIES = 10

/**
 * Empties all tables and restarts ids at 1, as after the migrations. For the sandbox only. Other processes may be running:
 * it waits for their transactions, and they wait for it.
 */
export async function emptyDatabase(db: Database): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await beginLong(db, 'sandbox reset', emptyTables)
    } catch (error) {
      const { code } = error as { code?: string }
      // To lock every table can fail: another transaction may lock them in a different order, or may take long.
      if (tries === MAX_TRIES || (code !== DEADLOCK && code !== LOCK_TIMEOUT)) throw error
      await sleep(100 * tries)
    }
  }
}

const DEADLOCK = '40P01'
const LOCK_TIMEOUT = '55P03'

async function emptyTables(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '3s'`
  // The partitions belong to times of a clock that starts again. The service may be dropping some of them now.
  const outdated = await tx<{ name: string }[]>`
    select relname as name from pg_class where relispartition and relkind = 'r'
      and relnamespace = current_schema()::regnamespace and pg_get_expr(relpartbound, oid) like 'FOR VALUES FROM%'`
  for (const { name } of outdated) await tx`drop table if exists ${sql.identifier(name)}`
  const tables = await tx<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all(${KEPT_TABLES}::text[])`
  const guarded = await tx<{ name: string }[]>`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`
  // The ledger does not allow changes. Emptying a sandbox is the only exception.
  for (const { name } of guarded) await tx`alter table ${sql.identifier(name)} disable trigger user`
  await tx`truncate ${sql.identifiers(tables.map((table) => table.name))} restart identity`
  for (const { name } of guarded) await tx`alter table ${sql.identifier(name)} enable trigger user`
  const sequences = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))`
  for (const { name } of sequences) await tx`alter sequence ${sql.identifier(name)} restart`
}
