import { z } from 'zod'
import type { Database, Reader, Tx } from '../db/client.ts'
import { toSecond } from '../lib/time.ts'
import { id, timestamp, updatedBy } from './fields.ts'

/** The event types of the interface (section 6). */
export const eventTypes = [
  'payment.status.changed',
  'collection.received',
  'contact.created',
  'collectionrequest.status.changed',
] as const
export type EventType = (typeof eventTypes)[number]

/** Interface 2.4. `data` is the object as it was when the event happened. */
export const Event = z
  .object({
    id,
    organization: id,
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
    created: timestamp,
    author: id,
    modified: timestamp,
    updated_by: updatedBy,
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
 * Records events in the order given, in the transaction that made the change they tell of.
 * The ids are taken in a statement of their own: the insert's snapshot is then younger than every id, which is what
 * makes `horizon` a promise about all smaller ids.
 */
export async function recordEvents(tx: Tx, now: Date, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const ids = await tx<{ id: number }[]>`select nextval('events_id') as id from generate_series(1, ${events.length})`
  await tx`
    insert into events (id, organization, type, data, created, author, modified)
    select e.id, e.organization, e.type, e.data::json, ${toSecond(now)}, e.author, ${toSecond(now)}
    from unnest(${ids.map((row) => row.id)}::bigint[], ${events.map((event) => event.organization)}::bigint[],
      ${events.map((event) => event.type)}::text[], ${events.map((event) => JSON.stringify(event.data))}::text[],
      ${events.map((event) => event.author)}::bigint[]) as e(id, organization, type, data, author)`
}

export interface EventFilters {
  type?: string
}

export interface Slice {
  limit: number
  offset: number
  descending: boolean
}

/** One page of an organization's events and their exact count. */
export async function listEvents(db: Database, organization: number, filters: EventFilters, slice: Slice) {
  const where = db`organization = ${organization} and ${settled(db)}
    and ${filters.type === undefined ? db`true` : db`type = ${filters.type}`}`
  const [rows, [total]] = await Promise.all([
    db<Event[]>`select ${columns(db)} from events where ${where}
      order by id ${slice.descending ? db`desc` : db`asc`} limit ${slice.limit} offset ${slice.offset}`,
    db<{ count: number }[]>`select count(*) from events where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** The event with this id whoever owns it, so that the caller can tell 403 from 404. */
export async function findEvent(db: Database, event: number): Promise<Event | undefined> {
  const [row] = await db<Event[]>`select ${columns(db)} from events where id = ${event} and ${settled(db)}`
  return row
}

/** An event is shown only when no transaction that may hold a smaller id is still under way. */
function settled(db: Reader) {
  return db`horizon <= pg_snapshot_xmin(pg_current_snapshot())`
}

function columns(db: Reader) {
  return db`id, organization, type, data, created, author, modified, updated_by`
}
