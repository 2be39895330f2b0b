import type { Reader } from '../../db/client.ts'
import { MAX_COUNTED, type QueueState } from '../queues.ts'

/** The deliveries that wait, of all organizations. */
export interface DeliveryBacklog {
  /** Deliveries that have neither arrived nor been given up; `max` for as many or more. */
  waiting: number
  /** Time when the oldest of them was made. */
  oldest: Date | null
  /** Deliveries due now at webhooks that are not paused and do not fail: this service keeps them waiting. */
  due: QueueState
}

/**
 * Counts the waiting deliveries. It reads at most `max` entries of an index for each figure, besides one for each
 * webhook.
 */
export async function readDeliveryBacklog(db: Reader, now: Date, max = MAX_COUNTED): Promise<DeliveryBacklog> {
  const [row] = await db<{ waiting: number; oldest: Date | null; due: number; oldest_due: Date | null }[]>`
    with unread as materialized (
      select w.id, w.failing_since is null and w.paused is null as is_healthy, e.created from webhooks w
      cross join lateral (
        select created from webhook_deliveries_unsent d where d.webhook = w.id order by d.event limit ${max}) e
      where w.deleted is null limit ${max}),
    again as materialized (
      select r.created, r.due_at, w.failing_since is null and w.paused is null as is_healthy
      from (select r.webhook, r.due_at, (select e.created from events e where e.id = r.event limit 1) as created
        from webhook_retries r order by r.webhook, r.due_at limit ${max}) r
      join webhooks w on w.id = r.webhook)
    select (select count(*) from unread) + (select count(*) from again) as waiting,
      least((select min(created) from unread), (select min(created) from again)) as oldest,
      (select count(*) from unread where is_healthy) + (select count(*) from again where is_healthy and due_at <= ${now}) as due,
      least((select min(created) from unread where is_healthy), (select min(due_at) from again where is_healthy and due_at <= ${now}))
        as oldest_due`
  const { oldest, oldest_due } = row!
  const [waiting, due] = [Math.min(row!.waiting, max), Math.min(row!.due, max)]
  return { waiting, oldest, due: { job: 'deliver-webhooks', due, oldest: oldest_due } }
}

/** A webhook whose last attempts all failed. */
export interface FailingWebhook {
  id: number
  organization: number
  target: string
  failing_since: Date
}

/** Counts the failing webhooks that are not paused, at most `max`. */
export async function countFailingWebhooks(db: Reader, max = MAX_COUNTED): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select from webhooks where failing_since is not null and paused is null and deleted is null limit ${max}) failing`
  return row!.count
}

/** The webhooks that fail and are not paused, the longest first, at most `max`. */
export async function listFailingWebhooks(db: Reader, max: number): Promise<FailingWebhook[]> {
  return db<FailingWebhook[]>`
    select id, organization, target, failing_since from webhooks
    where failing_since is not null and paused is null and deleted is null order by failing_since limit ${max}`
}

/** The addresses of the webhooks in use, at most `max`. */
export async function listTargets(db: Reader, max: number): Promise<{ id: number; target: string }[]> {
  return db<{ id: number; target: string }[]>`
    select id, target from webhooks where deleted is null order by id desc limit ${max}`
}
