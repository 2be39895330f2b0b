import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import type { BenchService } from '../postgres.ts'
import { processorTime } from '../processes.ts'

/** The settings of PostgreSQL with which it counts, and keeps all WAL of a run to be read afterwards. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.max': '10000',
  // A checkpoint in the middle would make the first change of each page be logged whole again.
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
  wal_keep_size: '8GB',
}

/** A statement, as pg_stat_statements counts it. Times are in ms and in real time, not processor time. */
export interface Statement {
  query: string
  /** True if the service sent it; otherwise PostgreSQL runs it inside another one, as it checks foreign keys. */
  toplevel: boolean
  calls: number
  rows: number
  wal_bytes: number
  plan_ms: number
  exec_ms: number
}

/** Bytes written to one table and its indexes. */
export interface WrittenTable {
  name: string
  inserted: number
  updated: number
  /** The part of `updated` that wrote no index. */
  updated_in_page: number
  deleted: number
  index_entries: number
  wal_bytes: number
}

/** The entries of one index. Partitions count as the index of their table. */
export interface WrittenIndex {
  table: string
  name: string
  entries: number
}

/** Counts of a run. */
export interface Counts {
  statements: Statement[]
  tables: WrittenTable[]
  indexes: WrittenIndex[]
  commits: number
  wal_bytes: number
  /** The part of `wal_bytes` that is whole pages, after a checkpoint. */
  page_image_bytes: number
  service_ms: number
  postgres_ms: number
}

/** PostgreSQL's processes pass their last counts on when they have had nothing to do for ten seconds. */
export const PASS_ON_MS = 11_000

/** Start to count. The result ends it. */
export async function startCounting(service: BenchService): Promise<() => Promise<Counts>> {
  const { db } = service
  for (const extension of ['pg_stat_statements', 'pg_walinspect'])
    await db.unsafe(`create extension if not exists ${extension}`)
  const postmaster = await findPostmaster(db)
  await db.unsafe('checkpoint')
  await sleep(PASS_ON_MS)
  const commits = await readCommits(db)
  const tables = new Map((await readTables(db)).map((table) => [table.name, table]))
  const [start] = await db<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`
  await db`select pg_stat_statements_reset()`
  const started = { service: processorTime(service.child.pid!), postgres: processorTime(postmaster) }
  return async () => {
    const service_ms = processorTime(service.child.pid!) - started.service
    const postgres_ms = processorTime(postmaster) - started.postgres
    const statements = await readStatements(db)
    const [end] = await db<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
    await sleep(PASS_ON_MS)
    const written = await readWal(db, start!.lsn, end!.lsn)
    const indexes = await readIndexEntries(db, start!.lsn, end!.lsn)
    const relations = new Map(written.map((row) => [row.table, row]))
    return {
      statements,
      indexes,
      commits: (await readCommits(db)) - commits,
      tables: (await readTables(db)).map((now) => {
        const before = tables.get(now.name)
        const { wal_bytes = 0, index_entries = 0 } = relations.get(now.name) ?? {}
        return {
          name: now.name,
          inserted: now.inserted - (before?.inserted ?? 0),
          updated: now.updated - (before?.updated ?? 0),
          updated_in_page: now.updated_in_page - (before?.updated_in_page ?? 0),
          deleted: now.deleted - (before?.deleted ?? 0),
          wal_bytes,
          index_entries,
        }
      }),
      wal_bytes: written.reduce((sum, row) => sum + row.wal_bytes, 0),
      page_image_bytes: written.reduce((sum, row) => sum + row.page_image_bytes, 0),
      service_ms,
      postgres_ms,
    }
  }
}

/** The processor time in ms that PostgreSQL has used; 0 on systems without /proc. */
export async function processorTimeOfPostgres(db: Database): Promise<number> {
  return processorTime(await findPostmaster(db))
}

/** The id of the first process of PostgreSQL. */
export async function findPostmaster(db: Database): Promise<number> {
  const [row] = await db<{ data_directory: string }[]>`show data_directory`
  return Number(readFileSync(join(row!.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function readCommits(db: Database): Promise<number> {
  const [row] = await db<{ commits: number }[]>`
    select xact_commit as commits from pg_stat_database where datname = current_database()`
  return row!.commits
}

/** Partitions count as their table. */
function readTables(db: Database): Promise<WrittenTable[]> {
  return db<WrittenTable[]>`
    select coalesce(i.inhparent, s.relid)::regclass::text as name, sum(n_tup_ins)::bigint as inserted,
      sum(n_tup_upd)::bigint as updated, sum(n_tup_hot_upd)::bigint as updated_in_page, sum(n_tup_del)::bigint as deleted
    from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid
    group by 1 order by 1`
}

function readStatements(db: Database): Promise<Statement[]> {
  return db<Statement[]>`
    select query, toplevel, sum(calls)::bigint as calls, sum(rows)::bigint as rows, sum(wal_bytes)::bigint as wal_bytes,
      sum(total_plan_time)::float8 as plan_ms, sum(total_exec_time)::float8 as exec_ms
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() and query not like '%pg\\_stat\\_%' group by query, toplevel`
}

/** The condition that a record of the WAL stands for an entry of an index. */
const isIndexEntry = sql`(resource_manager = 'Btree' and record_type ~ '^(INSERT_LEAF|INSERT_POST|SPLIT)'
  or resource_manager = 'Gin' and record_type ~ '^(INSERT|UPDATE_META)')`

function readIndexEntries(db: Database, start: string, end: string): Promise<WrittenIndex[]> {
  return db<WrittenIndex[]>`
    with changes as (
      select relfilenode, count(*) as entries
      from pg_get_wal_block_info(${start}::pg_lsn, ${end}::pg_lsn, false)
      where block_id = 0 and reldatabase = (select oid from pg_database where datname = current_database())
        and ${isIndexEntry}
      group by 1)
    select coalesce(t.inhparent, i.indrelid)::regclass::text as table,
      coalesce(p.inhparent, i.indexrelid)::regclass::text as name, sum(entries)::bigint as entries
    from changes join pg_class c on pg_relation_filenode(c.oid) = changes.relfilenode
    join pg_index i on i.indexrelid = c.oid left join pg_inherits p on p.inhrelid = i.indexrelid
    left join pg_inherits t on t.inhrelid = i.indrelid
    group by 1, 2 order by 3 desc, 2`
}

interface WrittenRelation {
  table: string
  wal_bytes: number
  page_image_bytes: number
  index_entries: number
}

/** Read the records of the WAL between these positions. A record with several blocks counts for its first one. */
function readWal(db: Database, start: string, end: string): Promise<WrittenRelation[]> {
  return db<WrittenRelation[]>`
    with changes as (
      select relfilenode, resource_manager, record_type, sum(record_length) as bytes, sum(block_fpi_length) as images,
        count(*) as records
      from pg_get_wal_block_info(${start}::pg_lsn, ${end}::pg_lsn, false)
      where block_id = 0 and reldatabase = (select oid from pg_database where datname = current_database())
      group by 1, 2, 3)
    select coalesce(coalesce(h.inhparent, i.indrelid, c.oid)::regclass::text, '') as table,
      sum(bytes)::bigint as wal_bytes, sum(images)::bigint as page_image_bytes,
      coalesce(sum(records) filter (where ${isIndexEntry}), 0)::bigint as index_entries
    from changes left join pg_class c on pg_relation_filenode(c.oid) = changes.relfilenode
    left join pg_index i on i.indexrelid = c.oid left join pg_inherits h on h.inhrelid = coalesce(i.indrelid, c.oid)
    group by 1`
}
