import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { lastDrawnId } from '../../db/drawn-ids.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { encrypt, type SealingKeys } from '../../lib/secrets.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, timestamp } from '../fields.ts'
import { NotFound } from '../refusals.ts'
import {
  beginType,
  createWebhook,
  deleteWebhooks,
  generateSecret,
  generateToken,
  type NewWebhook,
  Webhook,
  type WebhookRow,
  webhookColumns,
} from './webhooks.ts'

/*
 * An endpoint is a URL with the event types that it receives. A webhook of the interface has one type, so an endpoint
 * has a webhook for each. They have one target, secret, description and pause in common, and change together. The
 * functions take the id of any webhook of an endpoint.
 */

/** State of an endpoint: it has no delivery that is kept, its deliveries arrive, they fail, or they are not sent. */
export const endpointStates = ['unused', 'active', 'failing', 'paused'] as const

/** Health of deliveries, which an endpoint and each of its webhooks report. */
const health = {
  state: z.enum(endpointStates),
  /** Time since when nothing is sent to it; null: it is not paused. */
  paused: timestamp.nullable(),
  /** Time of the first failed attempt after the last success; null while attempts succeed. */
  failing_since: timestamp.nullable(),
  /** Reason why attempts fail, as `last_failure` of a delivery; null while attempts succeed. */
  failure: z.string().nullable(),
  /** Time until which notifications are also signed with the previous secret; null without one. */
  previous_secret_expires: timestamp.nullable(),
  /** Numbers of deliveries that wait, and that failed after all attempts. */
  waiting: z.int(),
  failed: z.int(),
}

/** An endpoint with its health, for its organization. */
export const Endpoint = z.object({
  /** Id of its first webhook, which may be deleted. */
  id,
  webhooks: z.array(Webhook.pick({ id: true, event: true })),
  target: z.string(),
  description: z.string().nullable(),
  created: timestamp,
  updated: timestamp,
  ...health,
})
export type Endpoint = z.output<typeof Endpoint>

type WebhookHealth = WebhookRow & z.output<z.ZodObject<typeof health>>

/** Selects the webhooks `w` of the endpoint of a webhook. */
export function inEndpointOf(webhook: number) {
  return sql`coalesce(w.endpoint, w.id) = (select coalesce(endpoint, id) from webhooks where id = ${webhook})`
}

/** Finds the endpoint of a webhook, of any organization. The caller distinguishes 403 from 404. */
export async function findEndpoint(
  db: Reader,
  webhook: number,
): Promise<{ id: number; organization: number } | undefined> {
  const [row] = await db<{ id: number; organization: number }[]>`
    select coalesce(w.endpoint, w.id) as id, w.organization from webhooks w
    where ${inEndpointOf(webhook)} and w.deleted is null limit 1`
  return row
}

/** Lists one page of an organization's endpoints, or of those with an event type, with their exact count. */
export async function listEndpoints(
  db: Reader,
  now: Date,
  organization: number,
  { event, limit, offset, descending }: { event?: string; limit: number; offset: number; descending: boolean },
): Promise<{ rows: Endpoint[]; count: number }> {
  const where = sql`organization = ${organization} and deleted is null
    and ${event === undefined ? sql.always : sql`event = ${event}`}`
  const [chosen, [total]] = await Promise.all([
    db<{ id: number }[]>`
      select distinct coalesce(endpoint, id) as id from webhooks where ${where}
      order by 1 ${descending ? sql`desc` : sql`asc`} limit ${limit} offset ${offset}`,
    db<{ count: number }[]>`select count(distinct coalesce(endpoint, id)) from webhooks where ${where}`,
  ])
  const ids = chosen.map((one) => one.id)
  return { rows: await readEndpoints(db, now, ids), count: total?.count ?? 0 }
}

/** Reads endpoints with their health, in the order given. */
export async function readEndpoints(db: Reader, now: Date, endpoints: readonly number[]): Promise<Endpoint[]> {
  const webhooks = await db<WebhookHealth[]>`
    select ${webhookColumns()}, case when previous_secret_expires > ${now} then previous_secret_expires end as previous_secret_expires,
      case when paused is not null then 'paused' when failing_since is not null then 'failing'
        when exists (select from webhook_attempts a where a.webhook = webhooks.id and a.failure is null)
        then 'active' else 'unused' end as state,
      case when failing_since is not null then coalesce(
        (select d.last_failure from webhook_retries r join webhook_deliveries d on d.webhook = r.webhook and d.event = r.event
          where r.webhook = webhooks.id and d.last_failure is not null order by r.due_at limit 1),
        (select d.last_failure from webhook_deliveries d
          where d.webhook = webhooks.id and d.state = 'failed' and d.problem is not null order by d.event desc limit 1)) end as failure,
      (select count(*) from webhook_deliveries d where d.webhook = webhooks.id and d.state = 'waiting' and d.due_at is not null) as waiting,
      (select count(*) from webhook_deliveries d where d.webhook = webhooks.id and d.state = 'failed' and d.problem is not null) as failed
    from webhooks where coalesce(endpoint, id) = any(${[...endpoints]}::bigint[]) and deleted is null order by id`
  const byEndpoint = Map.groupBy(webhooks, ({ endpoint }) => endpoint)
  return endpoints.flatMap((endpoint) => joinHealth(byEndpoint.get(endpoint) ?? []))
}

/** Return the endpoint of its webhooks: it fails when one of them fails, since the first failure. */
function joinHealth(webhooks: readonly WebhookHealth[]): Endpoint[] {
  const [first] = webhooks
  if (!first) return []
  const [failing] = webhooks
    .filter((one) => one.failing_since !== null)
    .sort((a, b) => a.failing_since!.getTime() - b.failing_since!.getTime())
  const active = webhooks.find(({ state }) => state === 'active')
  const { target, description, paused, previous_secret_expires } = first
  return [
    {
      id: first.endpoint,
      webhooks: webhooks.map((one) => ({ id: one.id, event: one.event })),
      target,
      description,
      paused,
      previous_secret_expires,
      created: new Date(Math.min(...webhooks.map(({ created }) => created.getTime()))),
      updated: new Date(Math.max(...webhooks.map(({ updated }) => updated.getTime()))),
      state: (failing ?? active ?? first).state,
      failing_since: failing?.failing_since ?? null,
      failure: failing?.failure ?? null,
      waiting: webhooks.reduce((sum, { waiting }) => sum + waiting, 0),
      failed: webhooks.reduce((sum, { failed }) => sum + failed, 0),
    },
  ]
}

/** Creates an endpoint with a new secret. It has at least one event. @returns its id */
export async function createEndpoint(
  tx: Tx,
  now: Date,
  { events, ...input }: Omit<NewWebhook, 'event'> & { events: readonly string[] },
  sealing_keys: SealingKeys,
): Promise<number> {
  const [event, ...others] = events
  const { id } = await createWebhook(tx, now, { ...input, event: event! }, sealing_keys)
  for (const other of others) await addType(tx, now, id, { event: other, user: input.user })
  return id
}

/** Adds an event type to the endpoint of a webhook: a webhook with what they have in common. */
async function addType(tx: Tx, now: Date, webhook: number, { event, user }: { event: string; user: number | null }) {
  const at = truncateToSecond(now)
  const [row] = await tx<WebhookRow[]>`
    insert into webhooks (organization, "user", event, target, description, token, secret, previous_secret,
      previous_secret_expires, paused, endpoint, position, created, updated)
    select organization, coalesce(${user}::bigint, "user"), ${event}, target, description, ${generateToken()}, secret, previous_secret,
      previous_secret_expires, paused, coalesce(endpoint, id), ${lastDrawnId()}, ${at}::timestamptz, ${at}::timestamptz
    from webhooks, events_id_seq where id = ${webhook} returning ${webhookColumns()}`
  await beginType(tx, row!)
}

/** Changes of an endpoint. Missing members stay as they are. */
export interface EndpointEdit {
  events?: readonly string[]
  target?: string
  description?: string | null
}

/**
 * Changes an endpoint. Waiting notifications go to the new target, and those of types that it no longer has are
 * cancelled. With a new target it no longer counts as failing.
 * @param user creates the webhooks of new types; null for the creator of the others
 * @returns its webhooks
 * @throws NotFound
 */
export async function editEndpoint(
  tx: Tx,
  now: Date,
  webhook: number,
  { events, target, description }: EndpointEdit,
  user: number | null,
): Promise<WebhookRow[]> {
  const rows = await lockEndpoint(tx, webhook)
  const ids = rows.map((row) => row.id)
  await tx`
    update webhooks set target = coalesce(${target ?? null}, target),
      description = ${description === undefined ? sql`description` : sql`${description}`},
      failing_since = case when coalesce(${target ?? null}, target) = target then failing_since end,
      updated = ${truncateToSecond(now)}
    where id = any(${ids}::bigint[])`
  if (events) {
    const had = new Set(rows.map((row) => row.event))
    for (const event of new Set(events)) if (!had.has(event)) await addType(tx, now, rows[0]!.id, { event, user })
    const removed = rows.filter(({ event }) => !events.includes(event))
    await deleteWebhooks(
      tx,
      now,
      removed.map((row) => row.id),
    )
  }
  return readEndpointWebhooks(tx, webhook)
}

/** Deletes an endpoint with its retries. @returns the webhooks that it had @throws NotFound */
export async function deleteEndpoint(tx: Tx, now: Date, webhook: number): Promise<WebhookRow[]> {
  const rows = await lockEndpoint(tx, webhook)
  await deleteWebhooks(
    tx,
    now,
    rows.map((row) => row.id),
  )
  return rows
}

/**
 * Pauses an endpoint, or resumes it. While it is paused it keeps its position in the feed; deliveries that a process has
 * begun may still arrive. After that it gets the events that are kept, in their order.
 * @returns its webhooks
 * @throws NotFound
 */
export async function setPaused(tx: Tx, now: Date, webhook: number, paused: boolean): Promise<WebhookRow[]> {
  const at = truncateToSecond(now)
  return changeAll(tx, webhook, sql`paused = ${paused ? sql`coalesce(paused, ${at})` : sql`null`}, updated = ${at}`)
}

/** Receivers have this long to change to a new secret. Until then both secrets sign. */
const PREVIOUS_SECRET_VALID_MS = 24 * 60 * 60 * 1_000

/** Gives an endpoint a new secret. The previous one stays valid for a day. @returns its webhooks @throws NotFound */
export async function rotateSecret(
  tx: Tx,
  now: Date,
  webhook: number,
  sealing_keys: SealingKeys,
): Promise<WebhookRow[]> {
  const expires = new Date(now.getTime() + PREVIOUS_SECRET_VALID_MS)
  return changeAll(
    tx,
    webhook,
    sql`previous_secret = secret, previous_secret_expires = ${expires},
      secret = ${encrypt(sealing_keys, generateSecret())}, updated = ${truncateToSecond(now)}`,
  )
}

/** The encrypted secret that receivers check signatures with, to show it to users. @throws NotFound */
export async function readSealedSecret(db: Reader, webhook: number): Promise<string> {
  const [row] = await db<{ secret: string }[]>`
    select w.secret from webhooks w where ${inEndpointOf(webhook)} and w.deleted is null limit 1`
  if (!row) throw new NotFound(getMessage('webhooks.none', { webhook }))
  return row.secret
}

/** Change all webhooks of an endpoint. @returns them @throws NotFound */
async function changeAll(tx: Tx, webhook: number, changes: Fragment): Promise<WebhookRow[]> {
  const rows = await lockEndpoint(tx, webhook)
  await tx`update webhooks set ${changes} where id = any(${rows.map((row) => row.id)}::bigint[])`
  return readEndpointWebhooks(tx, webhook)
}

/**
 * Locks the endpoint of a webhook. Those that were deleted are locked with it, so that changes of types wait for each other.
 * @returns its webhooks
 * @throws NotFound
 */
async function lockEndpoint(tx: Tx, webhook: number): Promise<WebhookRow[]> {
  const chosen = await tx<{ id: number }[]>`select w.id from webhooks w where ${inEndpointOf(webhook)}`
  await tx`select from webhooks where id = any(${chosen.map((row) => row.id)}::bigint[]) order by id for update`
  const rows = await readEndpointWebhooks(tx, webhook)
  if (rows.length === 0) throw new NotFound(getMessage('webhooks.none', { webhook }))
  return rows
}

/** The webhooks of the endpoint of a webhook; none if it is deleted. */
export async function readEndpointWebhooks(db: Reader, webhook: number): Promise<WebhookRow[]> {
  return db<WebhookRow[]>`
    select ${webhookColumns()} from webhooks w where ${inEndpointOf(webhook)} and deleted is null order by id`
}
