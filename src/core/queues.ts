import type { Reader } from '../db/client.ts'
import { type Fragment, sql } from '../db/sql.ts'

/*
 * Rows that wait for a job, counted for people and for alerts. The tables may have ten million rows. So each statement
 * begins at an index of the waiting rows, and reads at most `max` rows of a queue.
 */

/** The rows of one table that one job works on. */
export interface Queue {
  /** The name of the job. */
  job: string
  table: string
  /** The columns before `due_at` in the index of due rows; none where the index begins with `due_at`. */
  by: readonly string[]
  /** A further condition on the rows, whose alias is `t`. */
  where?: Fragment
}

/** The queues of all jobs that have a row for each piece of work. */
export const queues: readonly Queue[] = [
  { job: 'collect', table: 'open_collection_requests', by: ['organization'] },
  { job: 'network-orders', table: 'network_orders', by: ['connection', 'kind', 'organization'] },
  { job: 'send-payments', table: 'payment_recipients', by: ['organization'] },
  { job: 'create-bulk-payments', table: 'bulk_payments', by: [] },
  { job: 'process-callbacks', table: 'callbacks_open', by: [] },
  { job: 'assign-payments', table: 'unassigned_payments', by: [] },
  { job: 'run-acceptance-checks', table: 'acceptance_checks', by: [] },
  { job: 'look-up-account-holders', table: 'contacts', by: [], where: sql`t.number_being_erased is null` },
  { job: 'erase-from-messages', table: 'contacts', by: [], where: sql`t.number_being_erased is not null` },
  { job: 'start-occurrences', table: 'plans', by: ['organization'] },
  { job: 'remind-of-invoices', table: 'invoices', by: ['organization'] },
  { job: 'send-sms-messages', table: 'sms_messages', by: ['queue', 'organization'] },
  { job: 'send-mails', table: 'mails', by: [] },
  { job: 'check-balances', table: 'connection_balance_checks', by: [] },
  { job: 'ask-about-findings', table: 'reconciliation_findings', by: [] },
  { job: 'sync-bill-catalogues', table: 'bill_catalogue_syncs', by: [] },
]

/** Rows that are due for one job, including those that a process works on now. */
export interface QueueState {
  job: string
  /** Number of due rows; `max` when there are as many or more. */
  due: number
  oldest: Date | null
}

/** Maximum number of rows counted of a queue. */
export const MAX_COUNTED = 10_000

/**
 * Counts the rows due for one job. It reads `max` rows of the index at most, besides one for each queue of an
 * organization.
 */
export async function readQueue(db: Reader, queue: Queue, now: Date, max = MAX_COUNTED): Promise<QueueState> {
  const [row] = await db<{ due: number; oldest: Date | null }[]>`${dueStatement(queue, now, max)}`
  return { job: queue.job, ...row! }
}

function dueStatement({ table, by, where = sql.always }: Queue, now: Date, max: number): Fragment {
  const from = sql.identifier(table)
  // The limit comes before the condition: rows of another job in the same table are not read without end.
  if (by.length === 0)
    return sql`
      select count(*) as due, min(t.due_at) as oldest from (
        select * from ${from} where due_at <= ${now} order by due_at limit ${max}) t
      where ${where}`
  const is_due = sql`t.due_at <= ${now} and ${where}`
  const of_queue = sql.join(
    by.map((column) => sql`${sql.identifier(`t.${column}`)} = ${sql.identifier(`q.${column}`)}`),
    ' and ',
  )
  return sql`
    with recursive ${distinctValues(table, by, sql`t.due_at is not null`)}
    select
      (select count(*) from (
        select from queues q cross join lateral (select from ${from} t where ${of_queue} and ${is_due} limit ${max}) d
        limit ${max}) counted) as due,
      (select min(d.due_at) from queues q cross join lateral (
        select t.due_at from ${from} t where ${of_queue} and ${is_due} order by t.due_at limit 1) d) as oldest`
}

/**
 * The common table expression `queues`: the values of the first columns of an index, each found by one probe of it.
 * @param where the condition of the index, with the alias `t`
 */
export function distinctValues(table: string, columns: readonly string[], where: Fragment): Fragment {
  const from = sql.identifier(table)
  const columnsOf = (alias: string) =>
    sql.join(
      columns.map((column) => sql.identifier(`${alias}.${column}`)),
      ', ',
    )
  return sql`
    queues as (
      (select ${columnsOf('t')} from ${from} t where ${where} order by ${columnsOf('t')} limit 1)
      union all
      select ${columnsOf('f')} from queues q cross join lateral (
        select ${columnsOf('t')} from ${from} t where (${columnsOf('t')}) > (${columnsOf('q')}) and ${where} order by ${columnsOf('t')} limit 1) f)`
}

/** Time after the end of a lease that proves that no process works on its queue: claims come every second. */
const ABANDONED_AFTER_MS = 5 * 60_000

/**
 * Counts the due rows whose lease ended more than five minutes ago: a process claimed them and ended, and no other goes on. Of at
 * most `max` due rows of each queue.
 */
export async function countAbandoned(
  db: Reader,
  queue: Queue,
  times: { now: Date; real: Date },
  max = MAX_COUNTED,
): Promise<number> {
  const ended_before = new Date(times.real.getTime() - ABANDONED_AFTER_MS)
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select t.leased_until from ${sql.identifier(queue.table)} t
      where t.due_at <= ${times.now} and ${queue.where ?? sql.always} limit ${max}) due
    where leased_until < ${ended_before}`
  return row!.count
}
