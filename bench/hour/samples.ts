import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/db/client.ts'
import { findPostmaster } from '../cost/counters.ts'
import type { BenchService } from '../postgres.ts'
import { residentMemory } from '../processes.ts'

/** The state of a service and its PostgreSQL at one time. Sizes are in MB. */
export interface Sample {
  service_mb: number
  postgres_mb: number
  database_mb: number
  wal_mb: number
  dead_rows: number
  live_rows: number
  /** Requests that have not ended. */
  open: number
  /** Notifications that have not been delivered. */
  waiting: number
  /** Since the start of the server: checkpoints by time and by WAL, and the WAL written. */
  timed_checkpoints: number
  requested_checkpoints: number
  wal_bytes: number
  /** Since the creation of the tables. Those of dropped partitions no longer count. */
  vacuums: number
  analyzes: number
  collections: number
}

const MB = 1_048_576

/** Read it. It takes some milliseconds, so once or twice a minute is often enough. */
export async function readSample({ db, child }: BenchService): Promise<Sample> {
  const [row] = await db<Omit<Sample, 'service_mb' | 'postgres_mb'>[]>`
    select pg_database_size(current_database())::float8 / ${MB}::float8 as database_mb,
      (select sum(size) from pg_ls_waldir())::float8 / ${MB}::float8 as wal_mb,
      (select count(*) from open_collection_requests) as open,
      (select count(*) from webhook_deliveries where state = 'waiting') as waiting,
      (select coalesce(sum(count), 0)::bigint from collection_request_counts where status = 'successful') as collections,
      tables.*, num_timed as timed_checkpoints, num_requested as requested_checkpoints,
      (select wal_bytes::bigint from pg_stat_wal) as wal_bytes
    from pg_stat_checkpointer, (
      select sum(n_dead_tup)::bigint as dead_rows, sum(n_live_tup)::bigint as live_rows,
        sum(autovacuum_count)::bigint as vacuums, sum(autoanalyze_count)::bigint as analyzes
      from pg_stat_user_tables) tables`
  return {
    ...row!,
    service_mb: residentMemory(child),
    postgres_mb: memoryOfPostgres(await findPostmaster(db)),
  }
}

/** A table with its dead rows. */
export interface DeadRows {
  name: string
  dead: number
  live: number
  vacuums: number
}

/** Read the tables with the highest numbers of dead rows. */
export function readDeadRows(db: Database): Promise<DeadRows[]> {
  return db<DeadRows[]>`
    select relid::regclass::text as name, n_dead_tup as dead, n_live_tup as live, autovacuum_count as vacuums
    from pg_stat_user_tables where n_dead_tup > 0 order by n_dead_tup desc limit 8`
}

/** The memory of all processes of PostgreSQL in MB. What they share counts once. */
function memoryOfPostgres(postmaster: number): number {
  const all = [String(postmaster), ...readChildren(postmaster)].map(readOwnMemory)
  const own = all.reduce((sum, { own_kb }) => sum + own_kb, 0)
  return (own + Math.max(...all.map(({ shared_kb }) => shared_kb))) / 1_024
}

function readChildren(pid: number): string[] {
  try {
    return readFileSync(join('/proc', String(pid), 'task', String(pid), 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)
  } catch {
    return []
  }
}

function readOwnMemory(pid: string): { own_kb: number; shared_kb: number } {
  try {
    const text = readFileSync(join('/proc', pid, 'status'), 'utf8')
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0)
    return { own_kb: read('RssAnon'), shared_kb: read('RssShmem') }
  } catch {
    return { own_kb: 0, shared_kb: 0 }
  }
}
