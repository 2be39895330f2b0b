import type { Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { RequestStatus } from '../collections/collection-request.ts'
import { subtractRequests, updateRequestCounts } from '../collections/request-counts.ts'
import { updateSmsUsage } from '../sms/usage-by-rows.ts'
import { removeStretch } from './audit-removal.ts'
import { filterCandidates } from './candidates.ts'
import type { ArchiveKind } from './kinds.ts'
import { type RemovalPiece, type Segment, takeTurns } from './segments.ts'
import { digestSubjects, readSubjects } from './subjects.ts'

/**
 * Removes the next subjects of a segment, at most `limit`. Its files must have been verified. Only rows are removed
 * that are still the same as in the files, which is compared while they are locked.
 * @param before rows made since then stay, whatever the segment has
 */
export async function removePiece(
  tx: Tx,
  now: Date,
  segment: Segment,
  before: Date,
  limit: number,
): Promise<RemovalPiece> {
  const { kind, sequence } = segment
  if (kind === 'audit') return removeStretch(tx, now, segment, before)
  await takeTurns(tx)
  const pending = await tx<{ subject: number; digest: string }[]>`
    select subject, digest from archive_pending where segment = ${sequence} order by subject limit ${limit}`
  const ids = pending.map(({ subject }) => subject)
  await lockSubjects(tx, kind, ids)
  const eligible = await filterCandidates(tx, kind, before, ids)
  const digests = digestSubjects(await readSubjects(tx, kind, ids))
  const same = pending.flatMap(({ subject, digest }) =>
    eligible.has(subject) && digests.get(subject) === digest ? [subject] : [],
  )
  await removals[kind](tx, sequence, same)
  await tx`delete from archive_pending where segment = ${sequence} and subject = any(${ids}::bigint[])`
  const is_last = pending.length < limit
  if (is_last) await tx`update archive_segments set removed = ${now} where sequence = ${sequence}`
  return { removed: same.length, changed: ids.length - same.length, is_last }
}

/** The kinds whose rows may change, so that they are locked and removed some at a time. */
type RowKind = Exclude<ArchiveKind, 'audit'>

/** Requests are locked before orders, and orders before SMS, as everywhere. */
async function lockSubjects(tx: Tx, kind: RowKind, ids: readonly number[]): Promise<void> {
  const { requests, orders, sms } = await findRows(tx, kind, ids)
  await tx`select id from collection_requests where id = any(${requests}::bigint[]) order by id for update`
  await tx`select id from network_orders where id = any(${orders}::bigint[]) order by id for update`
  await tx`select id from sms_messages where id = any(${sms}::bigint[]) order by id for update`
}

/**
 * Finds the keys of the rows to lock. A row that is added to a request before it is locked changes the digest of the
 * request.
 */
async function findRows(tx: Tx, kind: RowKind, ids: readonly number[]): Promise<Record<RowKind, number[]>> {
  if (kind !== 'requests') return { requests: [], orders: [], sms: [], [kind]: [...ids] }
  const [found] = await tx<{ orders: number[]; sms: number[] }[]>`
    select array(select id from network_orders where collection_request = any(${[...ids]}::bigint[])) as orders,
      array(select id from sms_messages where collection_request = any(${[...ids]}::bigint[])) as sms`
  return { requests: [...ids], ...found! }
}

type Remove = (tx: Tx, sequence: number, ids: readonly number[]) => Promise<void>

const removals: Record<RowKind, Remove> = {
  requests: removeRequests,
  orders: async (tx, _sequence, ids) => removeAnswers(tx, sql`${[...ids]}::bigint[]`),
  sms: async (tx, _sequence, ids) => removeSms(tx, sql`${[...ids]}::bigint[]`),
}

/**
 * Removes requests with everything that belongs to them. Of those that the books rest on, the request and its orders stay, and
 * only their history is removed.
 */
async function removeRequests(tx: Tx, sequence: number, ids: readonly number[]): Promise<void> {
  const all = sql`${[...ids]}::bigint[]`
  const kept = await findKept(tx, ids)
  const leaving = ids.filter((id) => !kept.has(id))
  const gone = sql`${leaving}::bigint[]`
  await removeAnswers(
    tx,
    sql`array(select id from network_orders where collection_request = any(${[...kept]}::bigint[]))`,
  )
  await removeSms(tx, sql`array(select id from sms_messages where collection_request = any(${all}))`)
  await tx`update collection_requests set archived = ${sequence}, history = '' where id = any(${[...kept]}::bigint[])`
  // An action that made one of these requests goes with it; both requests had it in their files.
  await tx`delete from request_actions where collection_request = any(${gone}) or new_request = any(${gone})`
  await tx`delete from payment_link_visits where request = any(${gone})`
  await tx`update invoice_reminders set request = null where request = any(${gone})`
  await tx`delete from invoice_requests where request = any(${gone})`
  await tx`
    delete from network_order_remote_ids where (remote_id, network_order) in (
      select remote_id, id from network_orders where collection_request = any(${gone}))`
  await tx`delete from network_orders where collection_request = any(${gone})`
  await updateRequestCounts(tx)
  const removed = await tx<{ organization: number; status: RequestStatus }[]>`
    delete from collection_requests where id = any(${gone}) returning organization, status`
  await subtractRequests(tx, removed)
}

/**
 * Finds the requests that stay: paid ones, those of plans, refunded ones, and those with an order that moved money or
 * that people settled.
 */
async function findKept(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const kept = await tx<{ id: number }[]>`
    select r.id from collection_requests r
    where r.id = any(${[...ids]}::bigint[]) and (
      r.collection is not null
      or exists (select from collections c where c.collection_request = r.id)
      or exists (select from plans p where p.collection_request = r.id)
      or exists (select from occurrences p where p.collection_request = r.id)
      or exists (select from request_actions a where a.collection_request = r.id and a.payment is not null)
      or exists (select from network_orders o where o.collection_request = r.id and (
        o.state in ('successful', 'reversed')
        or exists (select from order_attestations t where t.network_order = o.id)
        or exists (select from collections c where c.network_order = o.id))))`
  return new Set(kept.map(({ id }) => id))
}

async function removeAnswers(tx: Tx, orders: Fragment): Promise<void> {
  await tx`update network_orders set answers = '[]' where id = any(${orders}) and answers::text <> '[]'`
}

async function removeSms(tx: Tx, messages: Fragment): Promise<void> {
  await updateSmsUsage(tx)
  await tx`delete from sms_messages where id = any(${messages})`
}
