import { z } from 'zod'
import type { Database, Reader, Tx } from '../db/client.ts'
import { notificationBody, Webhook, type WebhookRow } from './webhooks.ts'

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
      .map((hook) => ({ webhook: hook.id, event: event.id, body: notificationBody(hook.wire, event.data) })),
  )
  if (deliveries.length === 0) return
  await tx`
    insert into webhook_deliveries_waiting (webhook, event, body, state, created, due_at)
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
  /** When somebody last asked for it to be sent once more. */
  replayed: Date | null
  /** What went wrong with the last attempt: `timeout`, or the status of the answer. Null when nothing did. */
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
    select d.webhook, d.event, w.event as type, w.target, d.state, d.attempts, d.created, d.ended, d.due_at, d.replayed,
      d.last_failure
    from webhooks w
    cross join lateral (
      select * from webhook_deliveries d where d.webhook = w.id
        and ${filters.state === undefined ? db`true` : db`d.state = ${filters.state}`}
      order by d.event desc limit ${limit}) d
    where w.organization = ${organization} and ${filters.webhook === undefined ? db`true` : db`w.id = ${filters.webhook}`}
    order by d.event desc, d.webhook desc limit ${limit}`
  return [...rows]
}

/** One attempt at a delivery, as it was recorded. `request_headers` are without credentials, bodies are cut to 4 kB. */
export interface Attempt {
  attempt: number
  /** Whether it was made because somebody asked for it to be sent once more. */
  replay: boolean
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
    select attempt, replay, at, duration_ms, remote_address, status, failure, request_headers, answer_headers, answer_body
    from webhook_attempts where webhook = ${webhook} and event = ${event} order by attempt, at`
  return [...rows]
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
      and exists (select from webhook_deliveries_waiting d where d.webhook = w.id)`
  await cancelDeliveries(
    tx,
    now,
    gone.map((row) => row.id),
  )
}

/** Deleting and writing anew, rather than an update, lets whoever else has just ended one of them go on without an error. */
async function cancelDeliveries(tx: Tx, now: Date, webhooks: readonly number[]): Promise<void> {
  await tx`
    with gone as (
      delete from webhook_deliveries_waiting where webhook = any(${[...webhooks]}::bigint[]) returning *
    )
    insert into webhook_deliveries_ended (webhook, event, body, state, attempts, earlier_attempts, created, ended, replayed,
      last_failure)
    select webhook, event, body, 'cancelled', attempts, earlier_attempts, created, ${now}, replayed, last_failure from gone`
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
