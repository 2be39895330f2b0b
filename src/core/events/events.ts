import { z } from 'zod'
import type { Database, Reader, Tx } from '../../db/client.ts'
import { type DrawnIds, drawIds, readDrawnIds, selectDrawnIds } from '../../db/drawn-ids.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Effect, Query } from '../../db/unit-of-work.ts'
import { zip } from '../../lib/batches/zip.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { noteFact } from '../facts.ts'
import { callersObject, documented, id, timestamp, updatedBy } from '../fields.ts'
import type { PageOptions } from '../filters.ts'
import { distinctValues } from '../queues.ts'
import { packData, unpackData } from './stored-data.ts'

/** The event types of the interface (section 6). */
export const eventTypes = [
  'payment.status.changed',
  'collection.received',
  'contact.created',
  'collectionrequest.status.changed',
] as const
/** Event types that Kusanya adds. Webhooks get them only with EXTRA_EVENT_TYPES, because existing clients know the four above. */
export const extraEventTypes = [
  'billpayment.status.changed',
  'collection.reversed',
  'contact.credit_changed',
  'invoice.issued',
  'invoice.paid',
  'invoice.partly_paid',
  'invoice.reopened',
  'invoice.voided',
] as const
export type EventType = (typeof eventTypes)[number] | (typeof extraEventTypes)[number]

declare module '../access/action.ts' {
  interface ActionEvents {
    type: EventType
  }
}

/** Interface 2.4. `data` is the object as it was when the event happened. */
export const Event = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    type: documented(z.string(), 'What happened.', 'collection.received'),
    data: documented(callersObject, 'The object as it was when it happened.', { id: 12 }),
    created: timestamp,
    author: documented(id, 'The user who caused it.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'The user who changed it last.', null),
  })
  .meta({ id: 'Event' })
export type Event = z.output<typeof Event>

const eventTable = table('events', {
  id: column.bigint().key(),
  organization: column.bigint(),
  type: column.text(),
  object: column.bigint().nullable(),
  status: column.text().nullable(),
  previous_status: column.text().nullable(),
  data: column.bytea(),
  created: column.timestamptz().key(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
})

/** An event to record, with its object in the wire form. */
export interface NewEvent {
  organization: number
  type: EventType
  data: object
  author: number
  /** The status before, where the event is a change of status that is counted (`src/core/collections/request-counts.ts`). */
  previous_status?: string
}

/**
 * Draws the ids of events that this transaction will record, before it knows all that they say. So the events can be written
 * together with the last changes of the transaction.
 */
export function reserveEvents(tx: Tx, count: number): Promise<number[]> {
  return drawIds(tx, 'events', count)
}

/** Ids for events that may be recorded, one for each key of the caller. */
export const eventIds: Query<object, number> = {
  async read(tx, keys) {
    return new Map(zip(keys, await reserveEvents(tx, keys.length)))
  },
}

/** Events, each with an id of `eventIds`. */
export const recordedEvents: Effect<NewEvent & { id: number }> = {
  write: insertEvents,
}

/**
 * Records events in the order given, in the transaction of the change that they report.
 * @param reserved ids from `reserveEvents`, of which this uses the first ones; without them it draws its own
 */
export async function recordEvents(
  tx: Tx,
  now: Date,
  events: readonly NewEvent[],
  reserved?: readonly number[],
): Promise<void> {
  if (events.length === 0) return
  const ids = reserved ?? (await reserveEvents(tx, events.length))
  insertEvents(
    tx,
    now,
    zip(events, ids.slice(0, events.length)).map(([event, id]) => ({ ...event, id })),
  )
}

function insertEvents(tx: Tx, now: Date, events: readonly (NewEvent & { id: number })[]): void {
  const created = truncateToSecond(now)
  tx.send`${insert(eventTable, events, {
    object: ({ data }) => readObject(data).object,
    status: ({ data }) => readObject(data).status,
    previous_status: (event) => event.previous_status,
    data: ({ data }) => packData(JSON.stringify(data)),
    created,
    modified: created,
  })}`
  for (const { id: event_id, type, data } of tx.facts ? events : []) {
    const collection_request = requestOfObject(type, data)
    if (collection_request !== null) noteFact(tx, 'event_recorded', { collection_request, event_id, type })
  }
}

/** The members of an object by which events are found. */
function readObject(data: object) {
  const { id: object, status, state } = data as { id?: unknown; status?: unknown; state?: unknown }
  const word = status ?? state
  return {
    object: typeof object === 'number' ? object : null,
    status: typeof word === 'string' ? word : null,
  }
}

/** The collection request that the object of an event is, or belongs to; null for none. */
export function requestOfObject(type: string, data: object): number | null {
  const object = data as { id?: unknown; collection_request?: { id?: unknown } | null }
  const found = type.startsWith('collectionrequest.') ? object.id : object.collection_request?.id
  return typeof found === 'number' ? found : null
}

/** The collection request that a notification speaks of; null for none. @param body as it is sent */
export function requestOfNotification(body: string): number | null {
  const { hook, data } = JSON.parse(body) as { hook: { event: string }; data: object }
  return requestOfObject(hook.event, data)
}

export interface EventFilters {
  type?: string
}

/** Lists one page of an organization's events, with their exact count. */
export async function listEvents(db: Database, organization: number, filters: EventFilters, page: PageOptions) {
  const where = sql`id <= ${await findLastCommittedEventId(db)}`
  const types = filters.type === undefined ? undefined : [filters.type]
  const [rows, [total]] = await Promise.all([
    db<StoredEvent[]>`${eventsInOrder(eventTable.columns, { organization, types, where, ...page })}`,
    db<{ count: number }[]>`
      select count(*) from events where organization = ${organization} and ${where}
        and ${types === undefined ? sql.always : sql`type = any(${types}::text[])`}`,
  ])
  return { rows: rows.map(toEvent), count: total?.count ?? 0 }
}

/** Part of the events of an organization, in the order of their ids. */
interface EventStretch {
  organization: number
  /** All types unless given. */
  types?: readonly string[] | undefined
  where: Fragment
  descending?: boolean
  limit: number
  offset?: number
}

/** SQL: selects events of an organization. It merges those of each type, since the index has them by type. */
export function eventsInOrder(
  columns: Fragment,
  { organization, types, where, descending = false, limit, offset = 0 }: EventStretch,
): Fragment {
  const direction = descending ? sql`desc` : sql`asc`
  const of_types =
    types === undefined
      ? distinctValues('events', ['type'], sql`organization = ${organization}`)
      : sql`queues as (select distinct unnest(${[...types]}::text[]) as type)`
  return sql`
    with recursive ${of_types}, chosen as (
      select e.id from queues q cross join lateral (
        select id from events where organization = ${organization} and type = q.type and ${where}
        order by id ${direction} limit ${limit + offset}) e
      order by e.id ${direction} limit ${limit} offset ${offset})
    select ${columns} from events where id = any(array(select id from chosen)) order by id ${direction}`
}

/** The event with this id, of any organization. The caller distinguishes 403 from 404 by `organization`. */
export async function findEvent(db: Database, event: number): Promise<Event | undefined> {
  const [row] = await db<StoredEvent[]>`
    select ${eventTable.columns} from events where id = ${event} and id <= ${await findLastCommittedEventId(db)}`
  return row && toEvent(row)
}

type StoredEvent = Omit<Event, 'data'> & { data: Buffer }

function toEvent({ data, ...event }: StoredEvent): Event {
  return { ...event, data: JSON.parse(unpackData(data)) as Event['data'] }
}

/**
 * The newest id up to which no transaction can still write an event. Read it before the events, in a statement of its own:
 * only a later statement is sure to see every event up to this id.
 */
export async function findLastCommittedEventId(db: Reader): Promise<number> {
  return (await readFeedPosition(db)).committed
}

/**
 * Reads the same as `findLastCommittedEventId`, with the newest id, which decreases only if the database was emptied or
 * restored.
 */
export function readFeedPosition(db: Reader): Promise<DrawnIds> {
  return readDrawnIds(db, 'events')
}

/**
 * Lets the next statements of a transaction use the present result of `findLastCommittedEventId`, without waiting for
 * it: PostgreSQL keeps it until the transaction ends.
 * @returns the SQL of the id
 */
export function keepLastCommittedEventId(tx: Tx): Fragment {
  tx.send`
    select set_config('kusanya.last_committed_event', p.committed::text, true) from (${selectDrawnIds('events')}) p`
  return sql`current_setting('kusanya.last_committed_event')::bigint`
}
