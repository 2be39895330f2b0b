import type { Reader } from '../../db/client.ts'
import type { Fragment } from '../../db/sql.ts'
import { sql } from '../../db/sql.ts'

/** The settings that limit how long something is kept. */
type RetentionSetting =
  | 'EVENT_RETENTION_DAYS'
  | 'CALLBACK_RETENTION_DAYS'
  | 'REQUEST_RETENTION_DAYS'
  | 'ORDER_RETENTION_DAYS'
  | 'SMS_RETENTION_DAYS'
  | 'AUDIT_RETENTION_DAYS'

/** Age of the oldest rows of a kind. */
export interface OldestRow {
  what: string
  /** Null when there is none. */
  oldest: Date | null
  /** Setting with the minimum retention in days; null for rows that stay for ever. */
  retention: RetentionSetting | null
}

const first = (table: string, column: string, order = 'id') => sql`
  (select ${sql.identifier(column)} from ${sql.identifier(table)} order by ${sql.identifier(order)} limit 1)`

/** Queries for the oldest rows: each uses an index, in the order of the ids, which is the order of time. */
const queries: readonly { what: string; retention: RetentionSetting | null; oldest: Fragment }[] = [
  { what: 'events', retention: 'EVENT_RETENTION_DAYS', oldest: first('events', 'created') },
  { what: 'callbacks that are done', retention: 'CALLBACK_RETENTION_DAYS', oldest: first('callbacks_ended', 'ended') },
  {
    what: 'requests with their history',
    retention: 'REQUEST_RETENTION_DAYS',
    oldest: sql`(
      select min(r.created) from organizations o cross join lateral (
        select created from collection_requests where organization = o.id and archived is null
        order by created, id limit 1) r)`,
  },
  {
    what: 'answers to orders',
    retention: 'ORDER_RETENTION_DAYS',
    // Orders stay: those that a run has looked at have no answers any more.
    oldest: sql`(
      select created from network_orders
      where id > coalesce((select value::bigint from flags where name = 'orders_archived_until'), 0)
        and answers::text <> '[]'
      order by id limit 1)`,
  },
  { what: 'SMS', retention: 'SMS_RETENTION_DAYS', oldest: first('sms_messages', 'created') },
  { what: 'collections', retention: null, oldest: first('collections', 'created') },
  { what: 'payments', retention: null, oldest: first('payments', 'created') },
  { what: 'transfers of the books', retention: null, oldest: first('transfers', 'created') },
  { what: 'entries of the audit log', retention: 'AUDIT_RETENTION_DAYS', oldest: first('audit_log', 'created') },
]

/** Reads the age of the oldest rows of each kind. */
export async function readOldest(db: Reader): Promise<OldestRow[]> {
  return Promise.all(
    queries.map(async ({ what, retention, oldest }) => {
      const [row] = await db<{ oldest: Date | null }[]>`select ${oldest} as oldest`
      return { what, retention, oldest: row!.oldest }
    }),
  )
}
