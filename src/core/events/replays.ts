import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../refusals.ts'

/**
 * Which deliveries of an organization to send again. All have ended, with success or not, and belong to webhooks that are
 * not deleted.
 */
export interface ReplayFilters {
  organization: number
  webhook?: number
  /** When the events happened: at `since` or later, and before `until`. */
  since?: Date
  until?: Date
  /** Only those that failed after all attempts. */
  failed?: boolean
}

/** The last delivery of a chunk. The next chunk starts after it. */
export interface ReplayCursor {
  webhook: number
  event: number
}

/** Counts the deliveries that a replay would send again. */
export async function countReplays(db: Reader, filters: ReplayFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from webhooks w join webhook_deliveries_ended d on d.webhook = w.id
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
      select d.webhook, d.event from webhook_deliveries_ended d
      where d.webhook = w.id and d.event > case when w.id = ${after.webhook} then ${after.event}::bigint else 0 end
        and ${matchesDelivery(filters)}
      order by d.event limit ${limit}) d
    where w.id >= ${after.webhook} and ${matchesWebhook(filters)}
    order by d.webhook, d.event limit ${limit}`
  const count = await requeueDeliveries(tx, now, chosen)
  return { count, next: chosen.length < limit ? null : chosen.at(-1)! }
}

/**
 * Makes the deliveries of these events to one webhook due at once, in any state. A delivery that waits for a retry becomes
 * due now. A delivery that waits for its first attempt keeps its place in the order of events.
 * @throws NotFound if the webhook or one of the deliveries does not exist
 */
export async function replayByEvents(tx: Tx, now: Date, webhook: number, events: readonly number[]): Promise<void> {
  await requireDeliveries(tx, webhook, events)
  await tx`
    update webhook_deliveries_waiting set due_at = ${now}, attempts_before_replay = attempts, replayed = ${now}
    where webhook = ${webhook} and event = any(${[...events]}::bigint[]) and attempts > 0`
  await requeueDeliveries(
    tx,
    now,
    events.map((event) => ({ webhook, event })),
  )
}

/** @throws NotFound if the webhook or its delivery of one of these events does not exist */
export async function requireDeliveries(db: Reader, webhook: number, events: readonly number[]): Promise<void> {
  const [known] = await db`select 1 from webhooks where id = ${webhook} and deleted is null`
  if (!known) throw new NotFound(`There is no webhook ${webhook}.`)
  const found = await db<{ event: number }[]>`
    select event from webhook_deliveries where webhook = ${webhook} and event = any(${[...events]}::bigint[])`
  const known_events = new Set(found.map(({ event }) => event))
  const missing = events.find((event) => !known_events.has(event))
  if (missing !== undefined) throw new NotFound(`Webhook ${webhook} has no delivery of event ${missing}.`)
}

/** Moves ended deliveries back to the waiting ones, with the same body. */
async function requeueDeliveries(tx: Tx, now: Date, deliveries: readonly ReplayCursor[]): Promise<number> {
  if (deliveries.length === 0) return 0
  const requeued = await tx`
    with requeued as (
      delete from webhook_deliveries_ended d
      using ${rows(deliveries, { webhook: 'bigint', event: 'bigint' }).as('chosen')}
      where d.webhook = chosen.webhook and d.event = chosen.event
      returning d.*
    )
    insert into webhook_deliveries_waiting (webhook, event, body, state, attempts, attempts_before_replay, created, due_at,
      replayed, last_failure)
    select webhook, event, body, 'waiting', attempts, attempts, created, ${now}, ${now}, last_failure from requeued`
  return requeued.count
}

function matchesWebhook({ organization, webhook }: ReplayFilters) {
  return sql`w.organization = ${organization} and w.deleted is null
    and ${webhook === undefined ? sql.always : sql`w.id = ${webhook}`}`
}

/** A delivery ends after its event, so the condition on `ended` lets PostgreSQL skip older partitions. */
function matchesDelivery({ since, until, failed }: ReplayFilters) {
  return sql`${failed ? sql`d.state = 'failed'` : sql.always}
    and ${since ? sql`d.created >= ${since} and d.ended >= ${since}` : sql.always}
    and ${until ? sql`d.created < ${until}` : sql.always}`
}
