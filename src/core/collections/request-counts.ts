import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
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
  const r = rows(sums, { organization: 'bigint', status: 'text', change: 'bigint' })
  await tx`
    insert into collection_request_count_changes (${r.columns})
    select ${r.columns} from ${r.as('r')}`
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
