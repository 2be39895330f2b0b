import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { distinctValues, MOST_COUNTED, type QueueState } from '../queues.ts'

/** The deliveries that wait, of all organizations. */
export interface DeliveryBacklog {
  /** All that have neither arrived nor been given up; `most` for as many or more. */
  waiting: number
  /** When the oldest of them was made. */
  oldest: Date | null
  /** Those that are due now at webhooks that are not paused and do not fail: what keeps them waiting is this service. */
  due: QueueState
}

/** Counts the deliveries that wait. It reads at most `most` entries of an index for each figure, besides one for each webhook. */
export async function readDeliveryBacklog(db: Reader, now: Date, most = MOST_COUNTED): Promise<DeliveryBacklog> {
  const [row] = await db<{ waiting: number; oldest: Date | null; due: number; oldest_due: Date | null }[]>`
    with recursive ${distinctValues('webhook_deliveries_waiting', ['webhook'], sql.always)},
    healthy as (
      select q.webhook from queues q join webhooks w on w.id = q.webhook where w.failing_since is null and w.paused is null and w.deleted is null)
    select
      (select count(*) from (
        select from queues q cross join lateral (
          select from webhook_deliveries_waiting d where d.webhook = q.webhook limit ${most}) d limit ${most}) counted) as waiting,
      (select min(d.created) from queues q cross join lateral (
        select created from webhook_deliveries_waiting d where d.webhook = q.webhook order by d.event limit 1) d) as oldest,
      (select count(*) from (
        select from healthy h cross join lateral (
          (select from webhook_deliveries_waiting d where d.webhook = h.webhook and ${isFirst} limit ${most})
          union all
          (select from webhook_deliveries_waiting d where d.webhook = h.webhook and d.due_at <= ${now} and ${isAgain} limit ${most})) d
        limit ${most}) counted) as due,
      (select min(d.due_at) from healthy h cross join lateral (
        (select due_at from webhook_deliveries_waiting d where d.webhook = h.webhook and ${isFirst} order by d.event limit 1)
        union all
        (select due_at from webhook_deliveries_waiting d where d.webhook = h.webhook and d.due_at <= ${now} and ${isAgain}
          order by d.due_at limit 1)) d) as oldest_due`
  const { waiting, oldest, due, oldest_due } = row!
  return { waiting, oldest, due: { job: 'deliver-webhooks', due, oldest: oldest_due } }
}

/** As the indexes of first attempts and of what is sent again have it. */
const isFirst = sql`(d.attempts = 0 and d.replayed is null)`
const isAgain = sql`(d.attempts > 0 or d.replayed is not null)`

/** A webhook whose last attempts all failed. */
export interface FailingWebhook {
  id: number
  organization: number
  target: string
  failing_since: Date
}

/** How many webhooks that are not paused fail, at most `most`. */
export async function countFailingWebhooks(db: Reader, most = MOST_COUNTED): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select from webhooks where failing_since is not null and paused is null and deleted is null limit ${most}) failing`
  return row!.count
}

/** The webhooks that fail and are not paused, the longest first, at most `most`. */
export async function listFailingWebhooks(db: Reader, most: number): Promise<FailingWebhook[]> {
  return db<FailingWebhook[]>`
    select id, organization, target, failing_since from webhooks
    where failing_since is not null and paused is null and deleted is null order by failing_since limit ${most}`
}

/** The addresses of the webhooks in use, at most `most`. */
export async function listTargets(db: Reader, most: number): Promise<{ id: number; target: string }[]> {
  return db<{ id: number; target: string }[]>`
    select id, target from webhooks where deleted is null order by id desc limit ${most}`
}
