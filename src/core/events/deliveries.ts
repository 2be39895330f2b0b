import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { headersOfSignature, notificationId } from '../../lib/http/standard-webhooks.ts'
import { id, timestamp } from '../fields.ts'
import { inEndpointOf } from './endpoints.ts'
import { unpackData } from './stored-data.ts'
import { notificationBody, Webhook, type WebhookRow, webhookColumns } from './webhooks.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Notification to a webhook, as its organization sees it. `event` is the id of its event. */
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
  /** Time when a user last asked to send it again. */
  replayed: timestamp.nullable(),
  /** Reason why the last attempt failed: such as `timeout`, or the status of the response. Null if it did not fail. */
  last_failure: z.string().nullable(),
})
export type Delivery = z.output<typeof Delivery>

export interface DeliveryFilters {
  /** A webhook of an endpoint: the deliveries to all its webhooks. */
  webhook?: number
  state?: DeliveryState
  type?: string
  /** The id of the event. */
  event?: number
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
  const pageOf = (source: 'webhook_deliveries_sent' | 'webhook_deliveries_unsent') => sql`
    (select * from ${sql.identifier(source)} d where d.webhook = w.id and ${matchesDelivery(filters)}
      order by d.event ${direction} limit ${offset + limit})`
  const rows = await db<Delivery[]>`
    select ${deliveryColumns()} from webhooks w
    cross join lateral (${pageOf('webhook_deliveries_sent')} union all ${pageOf('webhook_deliveries_unsent')}) d
    where ${matchesWebhooks(organization, filters)}
    order by d.event ${direction}, d.webhook ${direction} limit ${limit} offset ${offset}`
  return [...rows]
}

/** Counts the deliveries on all pages of `listDeliveries`. */
export async function countDeliveries(db: AnyReader, organization: number, filters: DeliveryFilters): Promise<number> {
  if (filters.state !== 'delivered') return countSome(db, organization, filters)
  // Nearly all are delivered. The others have indexes of their own.
  const [all, ...others] = await Promise.all(
    [undefined, 'waiting' as const, 'failed' as const, 'cancelled' as const].map((state) =>
      countSome(db, organization, { ...filters, state }),
    ),
  )
  return others.reduce((left, count) => left - count, all!)
}

async function countSome(db: AnyReader, organization: number, filters: DeliveryFilters): Promise<number> {
  const sent =
    filters.state === undefined
      ? sql`select distinct a.webhook, a.event from webhooks w join webhook_attempts a on a.webhook = w.id
          where ${matchesWebhooks(organization, filters)}
            and ${filters.type === undefined ? sql.always : sql`a.type = ${filters.type}`}
            and ${filters.event === undefined ? sql.always : sql`a.event = ${filters.event}`}`
      : sql`select from webhooks w join webhook_deliveries_sent d on d.webhook = w.id
          where ${matchesWebhooks(organization, filters)} and ${matchesDelivery(filters)}`
  const [row] = await db<{ count: number }[]>`
    select (select count(*) from (${sent}) sent)
      + (select count(*) from webhooks w join webhook_deliveries_unsent d on d.webhook = w.id
        where ${matchesWebhooks(organization, filters)} and ${matchesDelivery(filters)}) as count`
  return row!.count
}

/**
 * A delivery of any organization, with the body that an attempt has now; null when its event is no longer kept. The caller
 * distinguishes 403 from 404 by `organization`.
 */
export async function findDelivery(
  db: AnyReader,
  webhook: number,
  event: number,
): Promise<(Delivery & { organization: number; body: string | null }) | undefined> {
  const [row] = await db<(Delivery & { data: Buffer | null })[]>`
    select ${deliveryColumns()}, (select e.data from events e where e.id = d.event and e.organization = w.organization) as data
    from webhooks w join webhook_deliveries d on d.webhook = w.id where w.id = ${webhook} and d.event = ${event}`
  if (!row) return undefined
  const [hook] = await db<WebhookRow[]>`
    select ${webhookColumns()} from webhooks where id = ${webhook}`
  const { data, ...delivery } = row
  const wire = JSON.stringify(encode(Webhook, { ...hook!, event: delivery.type }))
  return {
    ...delivery,
    organization: hook!.organization,
    body: data === null ? null : notificationBody(wire, unpackData(data)),
  }
}

function deliveryColumns() {
  return sql`d.webhook, d.event, d.type, w.target, d.state, d.attempts, d.created, d.ended, d.due_at, d.replayed, d.last_failure`
}

function matchesWebhooks(organization: number, { webhook }: DeliveryFilters) {
  return sql`w.organization = ${organization} and ${webhook === undefined ? sql.always : inEndpointOf(webhook)}`
}

/** SQL: condition for deliveries in this state, in the form that their indexes need. */
export function inState(state: DeliveryState) {
  if (state === 'waiting') return sql`d.state = 'waiting' and d.due_at is not null`
  return state === 'delivered' ? sql`d.state = 'delivered'` : sql`d.state = ${state} and d.problem is not null`
}

function matchesDelivery({ state, type, event }: DeliveryFilters) {
  return sql`${state === undefined ? sql.always : inState(state)}
    and ${type === undefined ? sql.always : sql`d.type = ${type}`}
    and ${event === undefined ? sql.always : sql`d.event = ${event}`}`
}

/** Recorded attempt at a delivery. `request_headers` contain no credentials; bodies are cut to 4 kB. */
export const Attempt = z.object({
  attempt: z.int(),
  /** True if a user had asked to send the delivery again. */
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
  const rows = await db<(Omit<Attempt, 'request_headers'> & StoredHeaders)[]>`
    select a.attempt, a.replayed is not null as replay, a.at, a.duration_ms, a.remote_address, a.status, a.failure,
      a.response_headers, a.response_body, a.signature, a.further_headers, w.token
    from webhook_attempts a join webhooks w on w.id = a.webhook
    where a.webhook = ${webhook} and a.event = ${event} order by a.attempt, a.at`
  return rows.map(({ signature, further_headers, token, ...attempt }) => ({
    ...attempt,
    request_headers: {
      ...headersOfSignature(notificationId(token, event), attempt.at, signature),
      ...further_headers,
    },
  }))
}

/** Sources of the headers of a request. */
interface StoredHeaders {
  signature: string
  further_headers: Record<string, string> | null
  /** The token of the webhook. */
  token: string
}
