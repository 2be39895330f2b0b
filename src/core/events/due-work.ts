import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { IS_SENT_AT_ONCE } from '../leases.ts'

/** The earliest due time in one table. It is in the past if work is overdue. */
export interface DueWork {
  table: string
  due_at: Date
}

/**
 * The earliest due time of every table whose rows are jobs. Rows that a process has claimed count until they are done.
 * @param ignore_until by table, a time up to which due rows are ignored
 */
export async function readDueWork(db: Reader, ignore_until: ReadonlyMap<string, Date> = new Map()): Promise<DueWork[]> {
  const queries = (await jobTables(db)).map((table) => {
    const ignored = ignore_until.get(table)
    return sql`
      select ${table} as table, min(due_at) as due_at from ${sql.identifier(table)}
      where due_at is not null and ${ignored ? sql`due_at > ${ignored}` : sql.always} and ${processableRows(table)}`
  })
  const others = [
    sql`select 'events' as table, min(e.created) as due_at ${fromUnread(ignore_until.get('events'))}`,
    ...Object.entries(SENT_AT_ONCE).map(([table, condition]) => {
      const ignored = ignore_until.get(table)
      return sql`
        select ${table} as table, min(created) as due_at from ${sql.identifier(table)}
        where ${condition} and ${ignored ? sql`created > ${ignored}` : sql.always}`
    }),
  ]
  const rows = await db<(Omit<DueWork, 'due_at'> & { due_at: Date | null })[]>`
    select d.table, min(d.due_at) as due_at from (${sql.join([...queries, ...others], ' union all ')}) d
    group by d.table order by d.table`
  return rows.flatMap(({ table, due_at }) => (due_at ? [{ table, due_at }] : []))
}

/** Counts the rows of all tables that were due at this time and are not done. */
export async function countOverdue(db: Reader, due_by: Date): Promise<number> {
  const counts = (await jobTables(db)).map(
    (table) =>
      sql`(select count(*) from ${sql.identifier(table)} where due_at <= ${due_by} and ${processableRows(table)})`,
  )
  const direct = Object.entries(SENT_AT_ONCE).map(
    ([table, condition]) =>
      sql`(select count(*) from ${sql.identifier(table)} where ${condition} and created <= ${due_by})`,
  )
  const [row] = await db<{ count: number }[]>`
    select ${sql.join([...counts, ...direct], ' + ')} + (select count(*) ${fromUnread(undefined)} and e.created <= ${due_by}) as count`
  return row!.count
}

/**
 * SQL: conditions on rows that the processes which stored them send at once, and that are not sent yet, by table. SMS are not due
 * meanwhile, and orders are due for their first status query.
 */
const SENT_AT_ONCE = {
  sms_messages: sql`id > coalesce((select up_to from sms_requeued), 0) and ${IS_SENT_AT_ONCE}`,
  network_orders: sql`due_at is not null and state = 'sent' and answered is null and leased_until > clock_timestamp()`,
}

/**
 * Work at intervals: balances and catalogues. Each question is about the present, so the clock does not stop for every
 * interval that it passes, and does not wait for the answer.
 */
const INTERVAL_WORK: ReadonlySet<string> = new Set(['connection_balance_checks', 'bill_catalogue_syncs'])

/**
 * SQL: condition for rows that are processed when they are due: all except blocked webhook deliveries, and work at
 * intervals.
 */
export function processableRows(table: string) {
  if (INTERVAL_WORK.has(table)) return sql`false`
  return table === 'webhook_retries' ? isNotBlocked() : sql.always
}

/** Retries are sent unless their webhook is paused, or probed with an older notification. */
function isNotBlocked() {
  return sql`not exists (
    select from webhooks w where w.id = webhook_retries.webhook and (w.paused is not null
      or w.failing_since + interval '1 day' <= webhook_retries.due_at and exists (
        select from webhook_retries older where older.webhook = w.id and older.event < webhook_retries.event)))`
}

/** The events that webhooks have not got yet, except webhooks that are paused or probed with a retry. */
function fromUnread(ignored: Date | undefined) {
  return sql`
    from webhook_deliveries_unsent e join webhooks w on w.id = e.webhook
    where w.deleted is null and w.paused is null and ${ignored ? sql`e.created > ${ignored}` : sql.always}
      and (w.failing_since is null or w.failing_since + interval '1 day' > e.created
        or not exists (select from webhook_retries r where r.webhook = w.id))`
}

/**
 * Lists the tables whose rows are jobs. Each has a column `due_at`, so the catalogue also lists tables that are added
 * later. The columns are looked up table by table, because all columns of the catalogue are many times as many rows.
 */
export async function jobTables(db: Reader): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_class c
    cross join lateral (
      select from pg_attribute where attrelid = c.oid and attname = 'due_at' and not attisdropped limit 1
    ) due
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by c.relname`
  return rows.map((row) => row.name)
}
