import { z } from 'zod'
import type { Database, Reader, Tx } from '../db/client.ts'
import { NotFound } from './refusals.ts'
import { Webhook, type WebhookRow } from './webhooks.ts'

/** An event that is being recorded, with its object as JSON. */
export interface ToldEvent {
  id: number
  organization: number
  type: string
  data: string
}

/** The webhooks that may have to be told of events of these organizations and types. */
export async function webhooksToTell(
  db: Reader,
  events: readonly { organization: number; type: string }[],
): Promise<WebhookRow[]> {
  const rows = await db<WebhookRow[]>`
    select id, organization, "user", event, created, updated, target from webhooks
    where organization = any(${unique(events.map((event) => event.organization))}::bigint[])
      and event = any(${unique(events.map((event) => event.type))}::text[]) and deleted is null
    order by id`
  return [...rows]
}

/**
 * Writes one delivery for each event and webhook that belong together, in the transaction of the events. The body is
 * frozen here: what becomes of the webhook or the event later does not change it.
 */
export async function queueDeliveries(
  tx: Tx,
  now: Date,
  events: readonly ToldEvent[],
  webhooks: readonly WebhookRow[],
): Promise<void> {
  if (webhooks.length === 0) return
  const hooks = webhooks.map((webhook) => ({ ...webhook, wire: JSON.stringify(z.encode(Webhook, webhook)) }))
  const deliveries = events.flatMap((event) =>
    hooks
      .filter((hook) => hook.organization === event.organization && hook.event === event.type)
      .map((hook) => ({ webhook: hook.id, event: event.id, body: `{"hook":${hook.wire},"data":${event.data}}` })),
  )
  if (deliveries.length === 0) return
  await tx`
    insert into webhook_deliveries (webhook, event, body, state, created, due_at)
    select d.webhook, d.event, d.body, 'waiting', ${now}, ${now}
    from unnest(${deliveries.map((d) => d.webhook)}::bigint[], ${deliveries.map((d) => d.event)}::bigint[],
      ${deliveries.map((d) => d.body)}::text[]) as d(webhook, event, body)`
}

export const deliveryStates = ['waiting', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One notification to one webhook, as people look at it. `event` is the id of its event. */
export interface Delivery {
  webhook: number
  event: number
  type: string
  target: string
  state: DeliveryState
  attempts: number
  created: Date
  ended: Date | null
  due_at: Date | null
  /** What went wrong last: `timeout`, or the status of the answer. Null when nothing has. */
  last_failure: string | null
}

export interface DeliveryFilters {
  webhook?: number
  state?: DeliveryState
}

/** The newest deliveries of an organization. */
export async function listDeliveries(
  db: Database,
  organization: number,
  filters: DeliveryFilters,
  limit: number,
): Promise<Delivery[]> {
  const rows = await db<Delivery[]>`
    select d.webhook, d.event, w.event as type, w.target, d.state, d.attempts, d.created, d.ended, d.due_at,
      case when a.failure = 'status' then a.status::text else a.failure end as last_failure
    from webhooks w
    cross join lateral (
      select * from webhook_deliveries d where d.webhook = w.id
        and ${filters.state === undefined ? db`true` : db`d.state = ${filters.state}`}
      order by d.event desc limit ${limit}) d
    left join webhook_attempts a on a.webhook = d.webhook and a.event = d.event and a.attempt = d.attempts
    where w.organization = ${organization} and ${filters.webhook === undefined ? db`true` : db`w.id = ${filters.webhook}`}
    order by d.event desc, d.webhook desc limit ${limit}`
  return [...rows]
}

/** One attempt at a delivery, as it was recorded. `request_headers` are without credentials, bodies are cut to 4 kB. */
export interface Attempt {
  attempt: number
  at: Date
  duration_ms: number
  remote_address: string | null
  status: number | null
  failure: string | null
  request_headers: Record<string, string>
  answer_headers: Record<string, string> | null
  answer_body: string | null
}

/** What was sent for one delivery, and what came back each time. */
export async function attemptsOf(db: Reader, webhook: number, event: number): Promise<Attempt[]> {
  const rows = await db<Attempt[]>`
    select attempt, at, duration_ms, remote_address, status, failure, request_headers, answer_headers, answer_body
    from webhook_attempts where webhook = ${webhook} and event = ${event} order by attempt`
  return [...rows]
}

/**
 * Makes deliveries due now that have failed, or one that is named in whatever state it is: it gets ten more attempts under
 * its old webhook-id. Says how many. @throws NotFound when the webhook, or the delivery that was named, is not there.
 */
export async function sendAgain(tx: Tx, now: Date, webhook: number, event?: number): Promise<number> {
  const [known] = await tx`select 1 from webhooks where id = ${webhook} and deleted is null`
  if (!known) throw new NotFound(`There is no webhook ${webhook}.`)
  const again = await tx`
    update webhook_deliveries
    set state = 'waiting', due_at = ${now}, ended = null, earlier_attempts = attempts
    where webhook = ${webhook} and ${event === undefined ? tx`state = 'failed'` : tx`event = ${event}`}`
  if (event !== undefined && again.count === 0)
    throw new NotFound(`Webhook ${webhook} was never told of event ${event}.`)
  return again.count
}

/** Deletes webhooks and cancels what still waits for them. Those that are gone already are passed over. */
export async function deleteWebhooks(tx: Tx, now: Date, webhooks: readonly number[]): Promise<void> {
  if (webhooks.length === 0) return
  await tx`update webhooks set deleted = ${now} where id = any(${[...webhooks]}::bigint[]) and deleted is null`
  await cancelDeliveries(tx, now, webhooks)
}

/** A transaction that was under way while a webhook was deleted may still have told it of an event. */
export async function cancelLeftovers(tx: Tx, now: Date): Promise<void> {
  const gone = await tx<{ id: number }[]>`
    select w.id from webhooks w where w.deleted is not null
      and exists (select from webhook_deliveries d where d.webhook = w.id and d.due_at is not null)`
  await cancelDeliveries(
    tx,
    now,
    gone.map((row) => row.id),
  )
}

/**
 * Discards deliveries that have ended, with their attempts, once their events are gone: at most so many of each webhook.
 * @returns whether there may be more.
 */
export async function discardDeliveries(tx: Tx, most: number): Promise<boolean> {
  const gone = await tx`
    with old as (
      select d.webhook, d.event
      from (select coalesce(min(id), (select last_value + 1 from events_id)) as id from events) oldest
      cross join webhooks w
      cross join lateral (
        select webhook, event from webhook_deliveries
        where webhook = w.id and event < oldest.id and due_at is null order by event limit ${most}) d
    ), attempts as (
      delete from webhook_attempts a using old where a.webhook = old.webhook and a.event = old.event
    )
    delete from webhook_deliveries d using old where d.webhook = old.webhook and d.event = old.event
    returning d.webhook`
  const counts = new Map<number, number>()
  for (const { webhook } of gone) counts.set(webhook, (counts.get(webhook) ?? 0) + 1)
  return [...counts.values()].some((count) => count >= most)
}

async function cancelDeliveries(tx: Tx, now: Date, webhooks: readonly number[]): Promise<void> {
  await tx`
    update webhook_deliveries set state = 'cancelled', due_at = null, ended = ${now}
    where webhook = any(${[...webhooks]}::bigint[]) and due_at is not null`
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
