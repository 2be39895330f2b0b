import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { RequestStatus } from './collection-request.ts'

/** So many requests more, or fewer, that an organization has in one status. */
export interface CountChange {
  organization: number
  status: RequestStatus
  change: number
}

/**
 * Notes in the same transaction how many requests came into a status or left it. Rows are only appended, so that
 * concurrent writers never wait for one another; a crash takes the note and the write it belongs to together.
 */
export async function recordCountChanges(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  const sums = sumChanges(changes)
  if (sums.length === 0) return
  await tx`
    insert into collection_request_count_changes (organization, status, change)
    select * from unnest(${sums.map((s) => s.organization)}::bigint[], ${sums.map((s) => s.status)}::text[],
      ${sums.map((s) => s.change)}::bigint[])`
}

/**
 * Folds the noted changes into the counts. The sum is the same before and after, so readers notice nothing; a change
 * that is committed meanwhile waits for the next time.
 */
export async function mergeCountChanges(tx: Tx): Promise<void> {
  // One at a time: two that fold would meet in the same counts in different orders.
  const [turn] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${MERGE_LOCK}) as mine`
  if (!turn!.mine) return
  await tx`
    with noted as (delete from collection_request_count_changes returning organization, status, change),
      summed as (select organization, status, sum(change)::bigint as change from noted group by organization, status)
    insert into collection_request_counts as c (organization, status, count)
    select organization, status, change from summed where change <> 0
    on conflict (organization, status) do update set count = c.count + excluded.count`
}

/** An arbitrary key for an advisory lock, away from those of the event feed. */
const MERGE_LOCK = 1_802_464_887

/** How many requests an organization has, in one status or in all. Exact at the moment of the reader's snapshot. */
export function requestCountQuery(organization: number, status: string | undefined) {
  const which = status === undefined ? sql.empty : sql`and status = ${status}`
  return sql`(select coalesce(sum(count), 0) from (
    select count from collection_request_counts where organization = ${organization} ${which}
    union all
    select change from collection_request_count_changes where organization = ${organization} ${which}) counted)::bigint`
}

function sumChanges(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const { organization, status, change } of changes) {
    const key = `${organization}:${status}`
    sums.set(key, { organization, status, change: (sums.get(key)?.change ?? 0) + change })
  }
  return [...sums.values()].filter(({ change }) => change !== 0)
}

/** What is wrong with the counts, in sentences; empty when they are those of the requests. One statement sees one moment. */
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
