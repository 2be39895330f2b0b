import { z } from 'zod'
import type { Database, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { documented, id, timestamp, updatedBy } from '../fields.ts'
import type { PageOptions } from '../filters.ts'
import { findWebhooksToNotify, queueDeliveries } from './deliveries.ts'

/** The event types of the interface (section 6). */
export const eventTypes = [
  'payment.status.changed',
  'collection.received',
  'contact.created',
  'collectionrequest.status.changed',
] as const
/** Types of our own, which webhooks are offered only with EXTRA_EVENT_TYPES: clients know the four above. */
export const extraEventTypes = ['billpayment.status.changed'] as const
export type EventType = (typeof eventTypes)[number] | (typeof extraEventTypes)[number]

/** Interface 2.4. `data` is the object as it was when the event happened. */
export const Event = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    type: documented(z.string(), 'What happened.', 'collection.received'),
    data: documented(z.record(z.string(), z.unknown()), 'The object as it was when it happened.', { id: 12 }),
    created: timestamp,
    author: documented(id, 'Who caused it.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'Who changed it last.', null),
  })
  .meta({ id: 'Event' })
export type Event = z.output<typeof Event>

/** What happened, with the object in its wire form. */
export interface NewEvent {
  organization: number
  type: EventType
  data: object
  author: number
}

/**
 * Records events in the order given, with their deliveries, in the transaction that made the change they tell of.
 * The ids are taken under a lock that names the last id before them. It is shared, so nobody waits for it; it only shows
 * every reader where a transaction is still writing, until that one has ended (docs/decisions/0004).
 */
export async function recordEvents(tx: Tx, now: Date, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const [, ids, webhooks] = await Promise.all([
    tx`select pg_advisory_xact_lock_shared(${EVENT_LOCK_KEY_BASE}::bigint + ${lastIssuedId()}) from events_id_seq`,
    tx<{ id: number }[]>`select nextval('events_id_seq') as id from generate_series(1, ${events.length})`,
    findWebhooksToNotify(tx, events),
  ])
  const rows = events.map((event, index) => ({ ...event, id: ids[index]!.id, data: JSON.stringify(event.data) }))
  await Promise.all([
    tx`
      insert into events (id, organization, type, data, created, author, modified)
      select e.id, e.organization, e.type, e.data::json, ${truncateToSecond(now)}, e.author, ${truncateToSecond(now)}
      from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.organization)}::bigint[],
        ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.data)}::text[],
        ${rows.map((row) => row.author)}::bigint[]) as e(id, organization, type, data, author)`,
    queueDeliveries(tx, now, rows, webhooks),
  ])
}

export interface EventFilters {
  type?: string
}

/** One page of an organization's events and their exact count. */
export async function listEvents(db: Database, organization: number, filters: EventFilters, slice: PageOptions) {
  const where = sql`organization = ${organization} and id <= ${await findLastCommittedEventId(db)}
    and ${filters.type === undefined ? sql.always : sql`type = ${filters.type}`}`
  const [rows, [total]] = await Promise.all([
    db<Event[]>`select ${columns()} from events where ${where}
      order by id ${slice.descending ? sql`desc` : sql`asc`} limit ${slice.limit} offset ${slice.offset}`,
    db<{ count: number }[]>`select count(*) from events where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** The event with this id whoever owns it, so that the caller can tell 403 from 404. */
export async function findEvent(db: Database, event: number): Promise<Event | undefined> {
  const [row] = await db<Event[]>`
    select ${columns()} from events where id = ${event} and id <= ${await findLastCommittedEventId(db)}`
  return row
}

/** Where the keys of our advisory locks on event ids begin; ids lie below it. */
const EVENT_LOCK_KEY_BASE = String(2n ** 62n)

/** Where the feed ends: the newest event id given out, and the newest below which nothing is still being written. */
export interface FeedPosition {
  newest: number
  committed: number
}

/**
 * The newest id below which nothing is still being written. Ask before the events themselves: what was being written when
 * this was asked may be committed a moment later, and only a younger statement sees it.
 */
export async function findLastCommittedEventId(db: Reader): Promise<number> {
  return (await readFeedPosition(db)).committed
}

/** As `lastSettled`, with the newest id besides, which only goes back where a database was emptied or restored. */
export async function readFeedPosition(db: Reader): Promise<FeedPosition> {
  // The locks are looked at after the newest id is known: who takes an id later than that cannot be missed below it.
  const [row] = await db<FeedPosition[]>`
    select newest.id as newest, coalesce((
      select min(lock.before) from (
        select (classid::bigint << 32 | objid::bigint) - ${EVENT_LOCK_KEY_BASE}::bigint as before from pg_locks
        where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 30 = 1
          and database = (select oid from pg_database where datname = current_database())) lock
      where lock.before < newest.id), newest.id) as committed
    from (select ${lastIssuedId()} as id from events_id_seq) newest`
  return row!
}

/** The last id that `events_id_seq` has given out. A sequence that has given out none says its first. */
function lastIssuedId() {
  return sql`case when is_called then last_value else 0 end`
}

function columns() {
  return sql`id, organization, type, data, created, author, modified, updated_by`
}
