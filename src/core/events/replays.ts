import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../refusals.ts'

/**
 * Which notifications of an organization are to be sent once more: those that have ended, whatever became of them, of
 * webhooks that are still there.
 */
export interface ReplayFilters {
  organization: number
  webhook?: number
  /** When the events happened: from `since` on, and before `until`. */
  since?: Date
  until?: Date
  /** Only those that were given up after their last attempt. */
  failed?: boolean
}

/** The last notification of a piece; the next piece comes after it. */
export interface ReplayCursor {
  webhook: number
  event: number
}

/** How many notifications a replay would send. */
export async function countReplays(db: Reader, choice: ReplayFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from webhooks w join webhook_deliveries_ended d on d.webhook = w.id
    where ${matchesWebhook(choice)} and ${matchesDelivery(choice)}`
  return row!.count
}

/**
 * Makes due at once up to `most` of the notifications that are chosen, in the order of webhooks and events. Each keeps its
 * webhook-id and its body, gets ten more attempts, is marked, and is sent after whatever is sent for the first time. Call
 * it with the cursor that it gives back until that is null: so thousands are replayed a piece at a time, and one that has
 * ended once more meanwhile is not replayed again.
 */
export async function replayDeliveries(
  tx: Tx,
  now: Date,
  choice: ReplayFilters,
  most: number,
  after: ReplayCursor = { webhook: 0, event: 0 },
): Promise<{ count: number; next: ReplayCursor | null }> {
  const chosen = await tx<ReplayCursor[]>`
    select d.webhook, d.event from webhooks w
    cross join lateral (
      select d.webhook, d.event from webhook_deliveries_ended d
      where d.webhook = w.id and d.event > case when w.id = ${after.webhook} then ${after.event}::bigint else 0 end
        and ${matchesDelivery(choice)}
      order by d.event limit ${most}) d
    where w.id >= ${after.webhook} and ${matchesWebhook(choice)}
    order by d.webhook, d.event limit ${most}`
  const count = await requeueDeliveries(tx, now, chosen)
  return { count, next: chosen.length < most ? null : chosen.at(-1)! }
}

/**
 * Makes due at once the notifications of one webhook that are named by their events, in whatever state they are. One that
 * waits for its next attempt waits no longer; one that was never sent yet is sent in its turn.
 * @throws NotFound when the webhook or one of the notifications is not there.
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

/** @throws NotFound when the webhook, or the notification of one of these events, is not there. */
export async function requireDeliveries(db: Reader, webhook: number, events: readonly number[]): Promise<void> {
  const [known] = await db`select 1 from webhooks where id = ${webhook} and deleted is null`
  if (!known) throw new NotFound(`There is no webhook ${webhook}.`)
  const found = await db<{ event: number }[]>`
    select event from webhook_deliveries where webhook = ${webhook} and event = any(${[...events]}::bigint[])`
  const told = new Set(found.map(({ event }) => event))
  const missing = events.find((event) => !told.has(event))
  if (missing !== undefined) throw new NotFound(`Webhook ${webhook} was never told of event ${missing}.`)
}

/** Brings what has ended back among what waits, as it was sent before. */
async function requeueDeliveries(tx: Tx, now: Date, deliveries: readonly ReplayCursor[]): Promise<number> {
  if (deliveries.length === 0) return 0
  const back = await tx`
    with back as (
      delete from webhook_deliveries_ended d
      using unnest(${deliveries.map((one) => one.webhook)}::bigint[], ${deliveries.map((one) => one.event)}::bigint[])
        as chosen(webhook, event)
      where d.webhook = chosen.webhook and d.event = chosen.event
      returning d.*
    )
    insert into webhook_deliveries_waiting (webhook, event, body, state, attempts, attempts_before_replay, created, due_at,
      replayed, last_failure)
    select webhook, event, body, 'waiting', attempts, attempts, created, ${now}, ${now}, last_failure from back`
  return back.count
}

function matchesWebhook({ organization, webhook }: ReplayFilters) {
  return sql`w.organization = ${organization} and w.deleted is null
    and ${webhook === undefined ? sql.always : sql`w.id = ${webhook}`}`
}

/** A delivery ends after its event has happened: older partitions need not be looked at. */
function matchesDelivery({ since, until, failed }: ReplayFilters) {
  return sql`${failed ? sql`d.state = 'failed'` : sql.always}
    and ${since ? sql`d.created >= ${since} and d.ended >= ${since}` : sql.always}
    and ${until ? sql`d.created < ${until}` : sql.always}`
}
