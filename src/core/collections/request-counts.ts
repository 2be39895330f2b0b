import type { Reader, Tx } from '../../db/client.ts'
import { selectDrawnIds } from '../../db/drawn-ids.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { type RequestStatus, requestStatuses } from './collection-request.ts'

/*
 * The numbers of requests by status are kept, because counting a million takes too long for a list. No change of a request
 * writes them: a request that is created counts as pending by its own row, and each later change of its status by its event. A
 * job adds to the counts what is new, up to a position in both, and `count_collection_requests` adds what is after the position
 * in the snapshot of its reader.
 *
 * No open transaction can still write a row up to the position. So whoever sees the position sees all that the counts have.
 * Counts and position change only under one lock, in one transaction.
 */

const positionTable = table('collection_request_count_position', {
  id: column.integer().key(),
  event: column.bigint(),
  collection_request: column.bigint(),
})

/** The event and the request up to which something is counted. */
type CountPosition = Omit<Row<typeof positionTable>, 'id'>

/** The SQL for how many requests an organization has, in one status or in all; exact for the reader's snapshot. */
export function requestCountQuery(organization: number, status: string | undefined) {
  return sql`count_collection_requests(${organization}, ${status ?? null})`
}

/**
 * Adds the changes that have become final to the counts. The sums stay the same, so readers see no difference.
 * Transactions that delete counted rows or their events call it first; then nobody else changes the counts before they end.
 */
export async function updateRequestCounts(tx: Tx): Promise<void> {
  await lockCounts(tx)
  await moveCounts(tx)
}

/** Does the same as `updateRequestCounts`, unless another transaction is doing it. */
export async function tryUpdateRequestCounts(tx: Tx): Promise<void> {
  const [lock] = await tx<{ acquired: boolean }[]>`select pg_try_advisory_xact_lock(${COUNT_LOCK}) as acquired`
  if (lock!.acquired) await moveCounts(tx)
}

/** Key of an advisory lock: arbitrary, and different from those of drawn ids. */
const COUNT_LOCK = 1_802_464_887

async function lockCounts(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${COUNT_LOCK})`
}

async function moveCounts(tx: Tx): Promise<void> {
  const [found] = await tx<(CountPosition & { new_event: number; new_request: number })[]>`
    select ${lastCounted('event')} as event, ${lastCounted('collection_request')} as collection_request,
      e.committed as new_event, r.committed as new_request
    from (${selectDrawnIds('events')}) e, (${selectDrawnIds('collection_requests')}) r`
  const { event, collection_request, new_event, new_request } = found!
  if (new_event <= event && new_request <= collection_request) return
  const changes = selectChanges(
    sql`id > ${event} and id <= ${new_event}`,
    sql`id > ${collection_request} and id <= ${new_request}`,
  )
  await tx`
    insert into collection_request_counts as c (organization, status, count)
    select organization, status, sum(change)::bigint from (${changes}) changes
    group by organization, status having sum(change) <> 0
    on conflict (organization, status) do update set count = c.count + excluded.count`
  await setPosition(tx, {
    event: Math.max(event, new_event),
    collection_request: Math.max(collection_request, new_request),
  })
}

/** SQL: the position in events or in requests. */
function lastCounted(of: keyof CountPosition) {
  return sql`coalesce((select ${sql.identifier(of)} from collection_request_count_position), 0)`
}

/** SQL: how many requests enter or leave a status by these events and by the creation of these requests. */
function selectChanges(events: Fragment, requests: Fragment) {
  return sql`
    select organization, 'pending' as status, count(*) as change from collection_requests where ${requests} group by 1
    union all
    select e.organization, c.status, sum(c.change) from (
      select organization, status, previous_status from events
      where ${events} and type = 'collectionrequest.status.changed' and previous_status is not null) e
    cross join lateral (values (e.status, 1), (e.previous_status, -1)) c(status, change) group by 1, 2`
}

async function setPosition(tx: Tx, position: CountPosition): Promise<void> {
  await tx`${insert(positionTable, [{ ...position, id: 1 }], {})} ${positionTable.replace(['event', 'collection_request'])}`
}

/** Takes requests that were deleted out of the counts, after `updateRequestCounts` in the same transaction. */
export async function subtractRequests(tx: Tx, requests: readonly { organization: number; status: RequestStatus }[]) {
  const groups = Map.groupBy(requests, ({ organization, status }) => JSON.stringify([organization, status]))
  for (const group of groups.values())
    await tx`
      update collection_request_counts set count = count - ${group.length}
      where organization = ${group[0]!.organization} and status = ${group[0]!.status}`
}

/** Reads the counts of an organization by status; exact for the snapshot of the transaction. */
export async function readRequestCounts(
  tx: Tx,
  organization: number,
): Promise<{ status: RequestStatus; count: number }[]> {
  return tx<{ status: RequestStatus; count: number }[]>`
    select status, ${sql`count_collection_requests(${organization}, status)`} as count
    from unnest(${[...requestStatuses]}::text[]) status`
}

/** Writes the counts of an organization whose requests and events came with their ids from a cell with lower ones. */
export async function insertRequestCounts(
  tx: Tx,
  organization: number,
  counts: readonly { status: RequestStatus; count: number }[],
): Promise<void> {
  await lockCounts(tx)
  // A new cell has counted up to 0, and must not count what came.
  const [position] = await tx<CountPosition[]>`
    select greatest(${lastCounted('event')}, (select max(id) from events where organization = ${organization})) as event,
      greatest(${lastCounted('collection_request')},
        (select max(id) from collection_requests where organization = ${organization})) as collection_request`
  await setPosition(tx, position!)
  for (const { status, count } of counts)
    await tx`
      insert into collection_request_counts (organization, status, count) values (${organization}, ${status}, ${count})`
}

/** Deletes the counts of an organization whose requests and events are deleted. */
export async function deleteRequestCounts(tx: Tx, organization: number): Promise<void> {
  await lockCounts(tx)
  await tx`delete from collection_request_counts where organization = ${organization}`
}

/**
 * Describes the faults of the counts, in sentences; empty when they agree with the requests. One statement sees one
 * moment.
 */
export async function checkRequestCounts(db: Reader): Promise<string[]> {
  const changes = selectChanges(sql`id > ${lastCounted('event')}`, sql`id > ${lastCounted('collection_request')}`)
  const rows = await db<{ organization: number; status: string; counted: number; real: number }[]>`
    select organization, status, coalesce(n.counted, 0)::bigint as counted, coalesce(r.real, 0)::bigint as real
    from (
      select organization, status, sum(count) as counted from (
        select organization, status, count from collection_request_counts union all ${changes}) noted
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
