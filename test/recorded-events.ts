import type { Event } from '../src/core/events/events.ts'
import { unpackData } from '../src/core/events/stored-data.ts'
import type { Database } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'

/** Read all events, or those of one type, in the order of their ids. */
export async function readEvents(db: Database, type?: string): Promise<Event[]> {
  const stored = await db<(Omit<Event, 'data'> & { data: Buffer })[]>`
    select id, organization, type, data, created, author, modified, updated_by from events
    where ${type ? sql`type = ${type}` : sql.always} order by id`
  return stored.map(({ data, ...event }) => ({ ...event, data: JSON.parse(unpackData(data)) as Event['data'] }))
}
