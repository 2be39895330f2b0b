import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { RequestStatus } from './collection-request.ts'

/** Changes of the number of an organization's requests in one status. */
const countChangeTable = table('collection_request_count_changes', {
  organization: column.bigint(),
  status: column.text<RequestStatus>(),
  change: column.bigint(),
})
export type CountChange = Row<typeof countChangeTable>

/**
 * Records how many requests enter or leave a status, in the transaction that changes them. It only appends rows, so that
 * concurrent writers do not wait for each other.
 */
export function recordCountChanges(tx: Tx, changes: readonly CountChange[]): void {
  const sums = sumChanges(changes)
  if (sums.length === 0) return
  tx.send`${insert(countChangeTable, sums, {})}`
}

/**
 * Adds the recorded changes to the counts. The sums stay the same, so readers see no difference. A change that is
 * committed in the meantime is merged next time.
 */
export async function mergeCountChanges(tx: Tx): Promise<void> {
  // One process at a time, because two would update the same counts in different orders and could deadlock.
  const [lock] = await tx<{ acquired: boolean }[]>`select pg_try_advisory_xact_lock(${MERGE_LOCK}) as acquired`
  if (!lock!.acquired) return
  await tx`
    with changes as (delete from collection_request_count_changes returning organization, status, change),
      sums as (select organization, status, sum(change)::bigint as change from changes group by organization, status)
    insert into collection_request_counts as c (organization, status, count)
    select organization, status, change from sums where change <> 0
    on conflict (organization, status) do update set count = c.count + excluded.count`
}

/** Key of an advisory lock: arbitrary, and different from those of the event feed. */
const MERGE_LOCK = 1_802_464_887

/** The SQL for how many requests an organization has, in one status or in all; exact for the reader's snapshot. */
export function requestCountQuery(organization: number, status: string | undefined) {
  const condition = status === undefined ? sql.empty : sql`and status = ${status}`
  return sql`(select coalesce(sum(count), 0) from (
    select count from collection_request_counts where organization = ${organization} ${condition}
    union all
    select change from collection_request_count_changes where organization = ${organization} ${condition}) counted)::bigint`
}

function sumChanges(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const { organization, status, change } of changes) {
    const key = `${organization}:${status}`
    sums.set(key, { organization, status, change: (sums.get(key)?.change ?? 0) + change })
  }
  return [...sums.values()].filter(({ change }) => change !== 0)
}

/**
 * Describes the faults of the counts, in sentences; empty when they agree with the requests. One statement sees one
 * moment.
 */
export async function checkRequestCounts(db: Reader): Promise<string[]> {
  const rows = await db<{ organization: number; status: string; counted: number; real: number }[]>`
    select organization, status, coalesce(n.counted, 0)::bigint as counted, coalesce(r.real, 0)::bigint as real
    from (
      select organization, status, sum(count) as counted from (
        select organization, status, count from collection_request_counts
        union all
        select organization, status, change from collection_request_count_changes) noted
      group by organization, status) n
    full join (select organization, status, count(*) as real from collection_requests group by organization, status) r
      using (organization, status)
    where coalesce(n.counted, 0) <> coalesce(r.real, 0)
    order by organization, status`
  return rows.map(
    ({ organization, status, counted, real }) =>
      `Organization ${organization} has ${real} requests that are ${status}, and ${counted} are counted.`,
  )
}
