import type { Reader } from './reader.ts'

/** Minimum age of a transaction that can have kept a migration waiting until its time-out. */
const LONG = '300 milliseconds'

/** The sessions that hold locks on tables in long transactions, in words, the longest first. */
export async function describeHolders(db: Reader): Promise<string[]> {
  const rows = await db<{ pid: number; name: string; seconds: number | null; state: string | null }[]>`
    select a.pid, coalesce(nullif(a.application_name, ''), a.usename, 'unknown') as name, a.state,
      extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds
    from pg_stat_activity a
    where a.pid <> pg_backend_pid() and a.datname = current_database()
      and coalesce(a.xact_start < clock_timestamp() - ${LONG}::interval, true)
      and exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'relation' and l.granted
        and l.relation >= 16384)
    order by a.xact_start nulls last limit 5`
  return rows.map(({ pid, name, seconds, state }) =>
    seconds === null ? `${pid} (${name})` : `${pid} (${name}, ${state}, its transaction began ${seconds} s ago)`,
  )
}
