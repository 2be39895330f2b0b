import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { id } from '../fields.ts'
import { NotFound } from '../refusals.ts'
import { inState } from './deliveries.ts'
import { inEndpointOf } from './endpoints.ts'

/**
 * Filters of the deliveries of an organization to send again. All have ended, with success or not, and belong to
 * webhooks that are not deleted.
 */
export interface ReplayFilters {
  organization: number
  /** A webhook of an endpoint: the deliveries to all its webhooks. */
  webhook?: number
  /** Period of the events: at `since` or later, and before `until`. */
  since?: Date
  until?: Date
  /** Limits the deliveries to those that failed after all attempts. */
  failed?: boolean
}

/** The last delivery of a chunk. The next chunk starts after it. */
export const ReplayCursor = z.object({ webhook: id, event: id })
export type ReplayCursor = z.output<typeof ReplayCursor>

/** Counts the deliveries that a replay would send again. */
export async function countReplays(db: Reader, filters: ReplayFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from webhooks w join webhook_deliveries_sent d on d.webhook = w.id
    where ${matchesWebhook(filters)} and ${matchesDelivery(filters)}`
  return row!.count
}

/**
 * Makes up to `limit` of the chosen deliveries due at once, in the order of webhooks and events. Each keeps its webhook-id
 * and its body, gets ten more attempts, is marked as a replay, and is sent after all first attempts. To replay thousands in
 * chunks, call this with the returned cursor until the cursor is null. A delivery that ends again meanwhile is not replayed
 * twice.
 */
export async function replayDeliveries(
  tx: Tx,
  now: Date,
  filters: ReplayFilters,
  limit: number,
  after: ReplayCursor = { webhook: 0, event: 0 },
): Promise<{ count: number; next: ReplayCursor | null }> {
  const chosen = await tx<ReplayCursor[]>`
    select d.webhook, d.event from webhooks w
    cross join lateral (
      select d.webhook, d.event from webhook_deliveries_sent d
      where d.webhook = w.id and d.event > case when w.id = ${after.webhook} then ${after.event}::bigint else 0 end
        and ${matchesDelivery(filters)}
      order by d.event limit ${limit}) d
    where w.id >= ${after.webhook} and ${matchesWebhook(filters)}
    order by d.webhook, d.event limit ${limit}`
  const count = await queueReplays(tx, now, chosen)
  return { count, next: chosen.length < limit ? null : chosen.at(-1)! }
}

/**
 * Makes the deliveries of these events to one webhook due at once, in any state. A delivery that waits for a retry becomes
 * due now. A delivery that waits for its first attempt keeps its place in the order of events.
 * @throws NotFound if the webhook or one of the deliveries does not exist
 */
export async function replayByEvents(tx: Tx, now: Date, webhook: number, events: readonly number[]): Promise<void> {
  await requireDeliveries(tx, webhook, events)
  await queueReplays(
    tx,
    now,
    events.map((event) => ({ webhook, event })),
  )
}

/** @throws NotFound if the webhook or its delivery of one of these events does not exist */
export async function requireDeliveries(db: Reader, webhook: number, events: readonly number[]): Promise<void> {
  const [known] = await db`select 1 from webhooks where id = ${webhook} and deleted is null`
  if (!known) throw new NotFound(getMessage('webhooks.none', { webhook }))
  const found = await db<{ event: number }[]>`
    select event from webhook_deliveries where webhook = ${webhook} and event = any(${[...events]}::bigint[])`
  const known_events = new Set(found.map(({ event }) => event))
  const missing = events.find((event) => !known_events.has(event))
  if (missing !== undefined) throw new NotFound(getMessage('webhooks.webhook_no_delivery', { webhook, event: missing }))
}

/** Queues notifications that were sent before. Unsent ones keep their place in the order of events. */
async function queueReplays(tx: Tx, now: Date, deliveries: readonly ReplayCursor[]): Promise<number> {
  if (deliveries.length === 0) return 0
  const queued = await tx`
    insert into webhook_retries (webhook, event, attempts, attempts_before_replay, due_at, replayed)
    select d.webhook, d.event, d.attempts, d.attempts, ${now}, ${now}
    from ${rows(deliveries, { webhook: 'bigint', event: 'bigint' }).as('chosen')}
    join webhook_deliveries_sent d on d.webhook = chosen.webhook and d.event = chosen.event
    order by d.webhook, d.event
    on conflict (webhook, event) do update set attempts_before_replay = webhook_retries.attempts, due_at = excluded.due_at,
      replayed = excluded.replayed`
  return queued.count
}

function matchesWebhook({ organization, webhook }: ReplayFilters) {
  return sql`w.organization = ${organization} and w.deleted is null
    and ${webhook === undefined ? sql.always : inEndpointOf(webhook)}`
}

/** Selects ended deliveries whose event is still kept. */
function matchesDelivery({ since, until, failed }: ReplayFilters) {
  return sql`${failed ? inState('failed') : sql`d.state <> 'waiting'`}
    and exists (select from events e where e.id = d.event and e.organization = w.organization)
    and ${since ? sql`d.created >= ${since}` : sql.always} and ${until ? sql`d.created < ${until}` : sql.always}`
}

/** Deletes retries of events that are no longer kept: nothing is left to send. */
export async function deleteLostRetries(tx: Tx): Promise<void> {
  await tx`
    delete from webhook_retries r where r.event < (select min(id) from events)
      or not exists (select from events) and r.event <= (select last_value from events_id_seq)`
}
