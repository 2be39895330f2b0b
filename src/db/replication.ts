import type { Reader } from './reader.ts'

/** A replica that follows this database, as pg_stat_replication shows it. */
export interface Replica {
  name: string
  /** `streaming` when it follows closely, `catchup` while it is behind; null when our role may not see it. */
  state: string | null
  /** `sync` or `quorum`: commits wait for it. `async` and `potential`: they do not. */
  sync_state: string | null
  /** Lag in bytes of the write-ahead log; null when the replica or our rights do not tell. */
  lag_bytes: number | null
  /** Lag in seconds; null as above. 0 when it has replayed everything. */
  lag_s: number | null
}

/** The replicas of the database that this reader is connected to. */
export interface Replication {
  /** True if the database is itself a replica, which takes no writes. */
  is_replica: boolean
  /** True if commits are to wait for a replica (`synchronous_standby_names`). */
  wants_synchronous: boolean
  replicas: Replica[]
  /** True if the role may see the lag of the replicas: it needs `pg_read_all_stats`, which `pg_monitor` has. */
  sees_lag: boolean
}

/** Reads the lag of the replicas. A role without the right to see it gets the replicas alone, and no error. */
export async function readReplication(db: Reader): Promise<Replication> {
  const [server] = await db<{ is_replica: boolean; wants_synchronous: boolean; sees_lag: boolean }[]>`
    select pg_is_in_recovery() as is_replica, current_setting('synchronous_standby_names') <> '' as wants_synchronous,
      pg_has_role('pg_read_all_stats', 'usage') as sees_lag`
  // A program that copies the data folder is a client of the replication, too, and follows nothing.
  const replicas = await db<Replica[]>`
    select coalesce(nullif(application_name, ''), client_addr::text, pid::text) as name, state, sync_state,
      bytes::double precision as lag_bytes,
      case when bytes <= 0 then 0 else extract(epoch from replay_lag)::double precision end as lag_s
    from (
      -- What is not known stays null, which greatest() would make 0.
      select *, case when replay_lsn is not null then greatest(0, pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, replay_lsn)) end as bytes
      from pg_stat_replication) r
    where coalesce(state, '') <> 'backup' order by name`
  return { ...server!, replicas: [...replicas] }
}
