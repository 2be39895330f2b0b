import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { id, timestamp } from '../fields.ts'
import { notificationBody, Webhook, type WebhookRow } from './webhooks.ts'

/** An event that is being recorded, with its object as JSON. */
export interface RecordedEvent {
  id: number
  organization: number
  type: string
  data: string
}

/** The webhooks that may need notifications of events of these organizations and types. */
export async function findWebhooksToNotify(
  db: Reader,
  events: readonly { organization: number; type: string }[],
): Promise<WebhookRow[]> {
  const rows = await db<WebhookRow[]>`
    select id, organization, "user", event, created, updated, target, failing_since, description, paused from webhooks
    where organization = any(${unique(events.map((event) => event.organization))}::bigint[])
      and event = any(${unique(events.map((event) => event.type))}::text[]) and deleted is null
    order by id`
  return [...rows]
}

/**
 * Writes one delivery for each event and each webhook that listens to it, in the transaction of the events. The body is
 * stored here, so later changes of the webhook or the event do not change it.
 */
export function queueDeliveries(
  tx: Tx,
  now: Date,
  events: readonly RecordedEvent[],
  webhooks: readonly WebhookRow[],
): void {
  if (webhooks.length === 0) return
  const hooks = webhooks.map((webhook) => ({ ...webhook, wire: JSON.stringify(encode(Webhook, webhook)) }))
  const deliveries = events.flatMap((event) =>
    hooks
      .filter((hook) => hook.organization === event.organization && hook.event === event.type)
      .map((hook) => ({ webhook: hook.id, event: event.id, body: notificationBody(hook.wire, event.data) })),
  )
  if (deliveries.length === 0) return
  tx.send`
    insert into webhook_deliveries_waiting (webhook, event, body, state, created, due_at)
    select d.webhook, d.event, d.body, 'waiting', ${now}, ${now}
    from ${rows(deliveries, { webhook: 'bigint', event: 'bigint', body: 'text' }).as('d')}`
}

export const deliveryStates = ['waiting', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One notification to one webhook, as its organization sees it. `event` is the id of its event. */
export const Delivery = z.object({
  webhook: id,
  event: id,
  type: z.string(),
  target: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  created: timestamp,
  ended: timestamp.nullable(),
  due_at: timestamp.nullable(),
  /** When a user last asked to send it again. */
  replayed: timestamp.nullable(),
  /** Why the last attempt failed: such as `timeout`, or the status of the response. Null if it did not fail. */
  last_failure: z.string().nullable(),
})
export type Delivery = z.output<typeof Delivery>

export interface DeliveryFilters {
  webhook?: number
  state?: DeliveryState
  type?: string
}

/** Lists deliveries of an organization, including those of deleted webhooks. The newest come first unless asked otherwise. */
export async function listDeliveries(
  db: AnyReader,
  organization: number,
  filters: DeliveryFilters,
  limit: number,
  { offset = 0, descending = true } = {},
): Promise<Delivery[]> {
  const direction = descending ? sql`desc` : sql`asc`
  const rows = await db<Delivery[]>`
    select ${deliveryColumns()}
    from webhooks w
    cross join lateral (
      select * from webhook_deliveries d where d.webhook = w.id and ${matchesDelivery(filters)}
      order by d.event ${direction} limit ${offset + limit}) d
    where ${matchesWebhooks(organization, filters)}
    order by d.event ${direction}, d.webhook ${direction} limit ${limit} offset ${offset}`
  return [...rows]
}

/** Counts the deliveries on all pages of `listDeliveries`. */
export async function countDeliveries(db: AnyReader, organization: number, filters: DeliveryFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from webhooks w join webhook_deliveries d on d.webhook = w.id
    where ${matchesWebhooks(organization, filters)} and ${matchesDelivery(filters)}`
  return row!.count
}

/** A delivery of any organization, with its body. The caller distinguishes 403 from 404 by `organization`. */
export async function findDelivery(
  db: AnyReader,
  webhook: number,
  event: number,
): Promise<(Delivery & { organization: number; body: string }) | undefined> {
  const [row] = await db<(Delivery & { organization: number; body: string })[]>`
    select ${deliveryColumns()}, w.organization, d.body
    from webhooks w join webhook_deliveries d on d.webhook = w.id where w.id = ${webhook} and d.event = ${event}`
  return row
}

function deliveryColumns() {
  return sql`d.webhook, d.event, ${typeOfDelivery} as type, w.target, d.state, d.attempts, d.created, d.ended, d.due_at, d.replayed,
    d.last_failure`
}

function matchesWebhooks(organization: number, { webhook, type }: DeliveryFilters) {
  return sql`w.organization = ${organization}
    and ${webhook === undefined ? sql.always : sql`w.id = ${webhook}`}
    and ${type === undefined ? sql.always : sql`(w.event = ${type} or ${type} = any(w.past_events))`}`
}

function matchesDelivery({ state, type }: DeliveryFilters) {
  return sql`${state === undefined ? sql.always : sql`d.state = ${state}`}
    and ${type === undefined ? sql.always : sql`(w.past_events = '{}' or ${typeOfDelivery} = ${type})`}`
}

/**
 * The event type of a delivery: that of its webhook. Where the webhook had other types before, it is read from the body,
 * which begins with the webhook as it was then.
 */
const typeOfDelivery = sql`(case when w.past_events = '{}' then w.event
  else coalesce(substring(left(d.body, 300) from '"event":"([^"]+)"'), w.event) end)`

/** One recorded attempt at a delivery. `request_headers` contain no credentials; bodies are cut to 4 kB. */
export const Attempt = z.object({
  attempt: z.int(),
  /** Whether a user had asked to send the delivery again. */
  replay: z.boolean(),
  at: timestamp,
  duration_ms: z.int(),
  remote_address: z.string().nullable(),
  status: z.int().nullable(),
  failure: z.string().nullable(),
  request_headers: z.record(z.string(), z.string()),
  response_headers: z.record(z.string(), z.string()).nullable(),
  response_body: z.string().nullable(),
})
export type Attempt = z.output<typeof Attempt>

/** Lists the attempts at one delivery, oldest first, with requests and responses. */
export async function listAttempts(db: AnyReader, webhook: number, event: number): Promise<Attempt[]> {
  const rows = await db<Attempt[]>`
    select attempt, replay, at, duration_ms, remote_address, status, failure, request_headers, response_headers, response_body
    from webhook_attempts where webhook = ${webhook} and event = ${event} order by attempt, at`
  return [...rows]
}

/** Deletes webhooks and cancels their waiting deliveries. Skips webhooks that are deleted already. */
export async function deleteWebhooks(tx: Tx, now: Date, webhooks: readonly number[]): Promise<void> {
  if (webhooks.length === 0) return
  await tx`update webhooks set deleted = ${now} where id = any(${[...webhooks]}::bigint[]) and deleted is null`
  await cancelDeliveries(tx, now, webhooks)
}

/** Cancels deliveries that an open transaction queued for a webhook while another one deleted the webhook. */
export async function cancelDeliveriesOfDeletedWebhooks(tx: Tx, now: Date): Promise<void> {
  const deleted = await tx<{ id: number }[]>`
    select w.id from webhooks w where w.deleted is not null
      and exists (select from webhook_deliveries_waiting d where d.webhook = w.id)`
  await cancelDeliveries(
    tx,
    now,
    deleted.map((row) => row.id),
  )
}

/**
 * Cancels deliveries that have waited at paused webhooks since before `since`, the oldest first, so that a forgotten pause does
 * not fill the disk. A person can replay them as any that have ended. @returns how many, at most `limit`
 */
export async function cancelLongPausedDeliveries(tx: Tx, now: Date, since: Date, limit: number): Promise<number> {
  const old = sql`
    select d.webhook, d.event from webhooks w cross join lateral (
      select webhook, event from webhook_deliveries_waiting d
      where d.webhook = w.id and d.created < ${since} order by d.event limit ${limit}) d
    where w.paused is not null and w.deleted is null limit ${limit}`
  return moveToCancelled(tx, now, old)
}

/**
 * Deletes and inserts instead of updating, so that a transaction that ends the same delivery at the same time gets no
 * error. Skips deliveries that another transaction has locked, because waiting for them could cause a deadlock.
 * `cancelDeliveriesOfDeletedWebhooks` cancels those later.
 */
async function cancelDeliveries(tx: Tx, now: Date, webhooks: readonly number[]): Promise<void> {
  await moveToCancelled(
    tx,
    now,
    sql`select webhook, event from webhook_deliveries_waiting where webhook = any(${[...webhooks]}::bigint[])
      for update skip locked`,
  )
}

async function moveToCancelled(tx: Tx, now: Date, chosen: Fragment): Promise<number> {
  const cancelled = await tx`
    with cancelled as (
      delete from webhook_deliveries_waiting d using (${chosen}) free
      where d.webhook = free.webhook and d.event = free.event returning d.*
    )
    insert into webhook_deliveries_ended (webhook, event, body, state, attempts, attempts_before_replay, created, ended, replayed,
      last_failure)
    select webhook, event, body, 'cancelled', attempts, attempts_before_replay, created, ${now}, replayed, last_failure from cancelled`
  return cancelled.count
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
