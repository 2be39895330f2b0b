import type { Reader, Tx } from '../../db/client.ts'
import { lastDrawnId } from '../../db/drawn-ids.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { encode } from '../../lib/encoding/encode.ts'
import type { ClaimTimes } from '../leases.ts'
import { distinctValues } from '../queues.ts'
import { keepLastCommittedEventId } from './events.ts'
import { unpackData } from './stored-data.ts'
import { notificationBody, Webhook, type WebhookRow, type WebhookSigning } from './webhooks.ts'

/*
 * A webhook reads the event feed from its position on, as a consumer reads a log. One process at a time holds its lease
 * and sends. Deliveries that failed, and those that a person wants to send again, are in webhook_retries.
 */

/** A process claims at most this many notifications of one webhook: enough to send while it records the results of others. */
export const MAX_CLAIMED = 128
/** The limit while the speed of the receiver is unknown. */
const MAX_CLAIMED_AT_FIRST = 32
/** Limit while a webhook fails or is slow: as many as are sent at once, so that such webhooks do not fill a process. */
const MAX_CLAIMED_WHEN_SLOW = 8
/** A webhook that has failed for this long is probed with one notification at a time (interface-gaps: Webhooks). */
const PROBE_AFTER_MS = 24 * 60 * 60 * 1_000

/** The lease of one webhook that a process holds. */
export interface WebhookLease {
  webhook: number
  leased_until: Date
  /** All its events up to this one were sent at least once. */
  position: number
  /** Position up to which its events were claimed, or sent before. */
  read_until: number
  /** The newest event that was read under this lease. Of those up to it, some may have been sent. */
  seen_until: number
  /** The events that are claimed and not recorded yet. */
  claimed: readonly number[]
  /** True if its receiver was slow to respond last time. */
  slow: boolean
}

/** A notification to send, with everything that sending needs. Secrets and credentials are encrypted. */
export interface DueNotification extends WebhookSigning {
  webhook: number
  event: number
  type: string
  event_created: Date
  body: string
  /** The number of this attempt, from 1. */
  attempt: number
  attempts_before_replay: number
  /** Time when a person asked to send it again; null: nobody did. */
  replayed: Date | null
}

/** Position of a webhook under its lease, and its health. */
export interface Reading extends Pick<WebhookLease, 'webhook' | 'leased_until' | 'read_until' | 'seen_until'> {
  failing: boolean
}

/** Result of a claim. */
export interface ClaimedNotifications {
  due: DueNotification[]
  /** Positions of the webhooks with claimed notifications. */
  readings: Reading[]
  /** Webhooks that were not looked at: another process sends to them, they are paused, or they are deleted. */
  skipped: number[]
  /** Webhooks whose due notifications are all claimed. */
  read: number[]
}

/** A webhook whose lease this transaction takes or renews. */
interface ReadyWebhook extends WebhookRow, WebhookSigning {
  position: number
  leased_until: Date | null
  /** True if nobody else had a lease since this process got its own. */
  is_held: boolean
  /** The newest id of an event. */
  newest: number
}

/** The times of a claim. A lease that ends after `renewed_before` is long enough, and not written again. */
export type WebhookClaimTimes = ClaimTimes & { renewed_before: Date }

/**
 * Claims notifications and leases their webhooks, so that only one process sends to each. With a lease it writes what was sent
 * under the one before. Events come in their order, and stop before the first that may not be committed yet; retries come by their due date, and replays last. Of a webhook that has
 * failed for a day only the oldest notification is claimed.
 * @param webhooks those that may have something to send
 * @param leases the leases that this process holds already; they are renewed where more is due
 */
export async function claimNotifications(
  tx: Tx,
  times: WebhookClaimTimes,
  webhooks: readonly number[],
  leases: readonly WebhookLease[],
  limit: number,
): Promise<ClaimedNotifications> {
  // The commit need not wait for the disk: if the database crashes, the processes lose their leases anyway.
  tx.send`set local synchronous_commit = off`
  const last_committed = keepLastCommittedEventId(tx)
  const held = new Map(leases.map((lease) => [lease.webhook, lease]))
  const ready = await lockReady(tx, times, webhooks, leases)
  const readers = ready.map((webhook) => toReader(times.now, webhook, held.get(webhook.id)))
  const open = readers.filter(({ room }) => room > 0)
  const [unread, retries] =
    open.length === 0
      ? [[], []]
      : await Promise.all([readUnread(tx, open, last_committed), readRetries(tx, times.now, open)])
  const unread_by_webhook = Map.groupBy(unread, ({ webhook }) => webhook)
  const retries_by_webhook = Map.groupBy(retries, ({ webhook }) => webhook)
  const due: DueNotification[] = []
  const read: number[] = []
  const readings: Reading[] = []
  const leased: Pick<WebhookLease, 'webhook' | 'position'>[] = []
  for (const reader of open) {
    const { id } = reader.webhook
    const found = mergeTurns(unread_by_webhook.get(id) ?? [], retries_by_webhook.get(id) ?? [])
    const chosen = (reader.is_probe ? oldestIfDue(found, times.now) : found).slice(
      0,
      Math.min(reader.room, limit - due.length),
    )
    if (chosen.length === 0 || (chosen.length === found.length && found.length < reader.room)) read.push(id)
    if (chosen.length === 0) continue
    due.push(...chosen.map((one) => toNotification(reader.webhook, one)))
    const read_until = Math.max(
      reader.after,
      ...chosen.flatMap(({ event, attempts }) => (attempts === 0 ? [event] : [])),
    )
    const seen_until = Math.max(read_until, reader.seen_until)
    const lease = reader.webhook.is_held ? held.get(id) : undefined
    const leased_until = lease && lease.leased_until > times.renewed_before ? lease.leased_until : times.lease_end
    if (leased_until !== lease?.leased_until) leased.push({ webhook: id, position: lease?.position ?? 0 })
    readings.push({ webhook: id, leased_until, read_until, seen_until, failing: reader.webhook.failing_since !== null })
  }
  if (leased.length > 0)
    tx.send`
      update webhooks w set leased_until = ${times.lease_end}, position = greatest(w.position, l.position)
      from ${rows(leased, { webhook: 'bigint', position: 'bigint' }).as('l')} where w.id = l.webhook`
  const known = new Set(ready.map(({ id }) => id))
  return { due, readings, skipped: webhooks.filter((id) => !known.has(id)), read: due.length < limit ? read : [] }
}

/** Locks the webhooks that this process may send to. */
async function lockReady(
  tx: Tx,
  times: ClaimTimes,
  webhooks: readonly number[],
  leases: readonly WebhookLease[],
): Promise<ReadyWebhook[]> {
  const held = rows(leases, { webhook: 'bigint', leased_until: 'timestamptz' })
  return tx<ReadyWebhook[]>`
    select w.id, w.organization, w."user", w.event, w.created, w.updated, w.target, w.failing_since, w.description, w.paused,
      w.position, w.leased_until,
      coalesce(w.leased_until = h.leased_until, false) as is_held, (select ${lastDrawnId()} from events_id_seq) as newest, w.token, w.secret, case when w.previous_secret_expires > ${times.now} then w.previous_secret end as previous_secret,
      (select encrypted_credentials from webhook_credentials c where c.organization = w.organization) as credentials
    from webhooks w left join ${held.as('h')} on h.webhook = w.id
    where w.id = any(${[...webhooks]}::bigint[]) and w.deleted is null and w.paused is null
      and (w.leased_until is null or w.leased_until <= ${times.real} or w.leased_until = h.leased_until)
    order by w.id for no key update of w skip locked`
}

/** A webhook as a reader of the feed. */
interface FeedReader {
  webhook: ReadyWebhook
  /** Events after this id are read. */
  after: number
  /** Up to this id, an event may have been sent already. */
  seen_until: number
  room: number
  is_probe: boolean
  claimed: readonly number[]
}

function toReader(now: Date, webhook: ReadyWebhook, lease: WebhookLease | undefined): FeedReader {
  const { failing_since } = webhook
  const claimed = lease?.claimed ?? []
  const is_probe = failing_since !== null && failing_since.getTime() <= now.getTime() - PROBE_AFTER_MS
  const max_claimed =
    failing_since !== null || lease?.slow
      ? MAX_CLAIMED_WHEN_SLOW
      : lease === undefined
        ? MAX_CLAIMED_AT_FIRST
        : MAX_CLAIMED
  const { read_until, seen_until } = lease && webhook.is_held ? lease : beginReading(webhook)
  return {
    webhook,
    after: Math.max(webhook.position, read_until),
    seen_until,
    room: is_probe ? (claimed.length === 0 ? 1 : 0) : max_claimed - claimed.length,
    is_probe,
    claimed,
  }
}

/** Returns the start of a new lease. After a lease that was not ended, only the log of attempts knows what was sent. */
function beginReading({ position, leased_until, newest }: ReadyWebhook): Pick<Reading, 'read_until' | 'seen_until'> {
  return { read_until: position, seen_until: leased_until === null ? position : newest }
}

/** An event that a webhook gets, for the first time or again. */
interface Turn {
  webhook: number
  event: number
  type: string
  data: Buffer
  created: Date
  due_at: Date
  attempts: number
  attempts_before_replay: number
  replayed: Date | null
}

/**
 * Merges both into one order: replays last, all others by the time when they became due. The unread ones stay in the
 * order of their ids.
 */
function mergeTurns(unread: readonly Turn[], retries: readonly Turn[]): Turn[] {
  const merged: Turn[] = []
  let next = 0
  for (const retry of retries.toSorted(comparePlaces)) {
    while (next < unread.length && (retry.replayed !== null || unread[next]!.due_at <= retry.due_at))
      merged.push(unread[next++]!)
    merged.push(retry)
  }
  return [...merged, ...unread.slice(next)]
}

function comparePlaces(a: Turn, b: Turn): number {
  const is_replay = (one: Turn) => Number(one.replayed !== null)
  return is_replay(a) - is_replay(b) || a.due_at.getTime() - b.due_at.getTime() || a.event - b.event
}

/** The oldest event, unless it waits for its retry. */
function oldestIfDue(turns: readonly Turn[], now: Date): Turn[] {
  const oldest = turns.toSorted((a, b) => a.event - b.event).slice(0, 1)
  return oldest.filter(({ attempts, due_at }) => attempts === 0 || due_at <= now)
}

async function readUnread(tx: Tx, readers: readonly FeedReader[], last_committed: Fragment): Promise<Turn[]> {
  const source = rows(readers, {
    webhook: ['bigint', ({ webhook }) => webhook.id],
    organization: ['bigint', ({ webhook }) => webhook.organization],
    claimed: ['text', ({ claimed }) => `{${claimed.join()}}`],
    after: 'bigint',
    seen_until: 'bigint',
    room: 'integer',
  })
  return tx<Turn[]>`
    select r.webhook, e.id as event, e.type, e.data, e.created, e.created as due_at, 0 as attempts, 0 as attempts_before_replay,
      null::timestamptz as replayed
    from (select webhook, organization, claimed::bigint[] as claimed, after, seen_until, room from ${source.as('s')}) r
    join webhook_types t on t.webhook = r.webhook
    cross join lateral (
      select id, type, data, created from events
      where organization = r.organization and type = t.type and id > greatest(r.after, t.after)
        and (t.until is null or id <= t.until) and id <= ${last_committed}
        and (id > r.seen_until or id <> all (r.claimed)
          and not exists (select from webhook_attempts a where a.webhook = r.webhook and a.event = events.id))
      order by id limit r.room) e`
}

/** SQL: the columns of a retry, by name, so that the plan is kept. */
const retryColumns = sql`w.event, w.due_at, w.attempts, w.attempts_before_replay, w.replayed`

async function readRetries(tx: Tx, now: Date, readers: readonly FeedReader[]): Promise<Turn[]> {
  const source = rows(readers, {
    webhook: ['bigint', ({ webhook }) => webhook.id],
    organization: ['bigint', ({ webhook }) => webhook.organization],
    claimed: ['text', ({ claimed }) => `{${claimed.join()}}`],
    room: 'integer',
    is_probe: 'boolean',
  })
  return tx<Turn[]>`
    select r.webhook, a.event, e.type, e.data, e.created, a.due_at, a.attempts, a.attempts_before_replay, a.replayed
    from (select webhook, organization, claimed::bigint[] as claimed, room, is_probe from ${source.as('s')}) r
    cross join lateral (
      (select ${retryColumns} from webhook_retries w where w.webhook = r.webhook and not r.is_probe and w.due_at <= ${now}
        and w.event <> all (r.claimed) order by w.due_at limit r.room)
      union all
      (select ${retryColumns} from webhook_retries w where w.webhook = r.webhook and r.is_probe order by w.event limit 1)) a
    join events e on e.id = a.event and e.organization = r.organization`
}

function toNotification(webhook: ReadyWebhook, turn: Turn): DueNotification {
  const { target, token, secret, previous_secret, credentials } = webhook
  const hook = JSON.stringify(encode(Webhook, { ...webhook, event: turn.type }))
  return {
    webhook: webhook.id,
    event: turn.event,
    type: turn.type,
    event_created: turn.created,
    body: notificationBody(hook, unpackData(turn.data)),
    attempt: turn.attempts + 1,
    attempts_before_replay: turn.attempts_before_replay,
    replayed: turn.replayed,
    target,
    token,
    secret,
    previous_secret,
    credentials,
  }
}

/** The webhooks with retries that are due. */
export async function findWebhooksToRetry(db: Reader, now: Date): Promise<number[]> {
  const found = await db<{ webhook: number }[]>`
    with recursive ${distinctValues('webhook_retries', ['webhook'], sql.always)}
    select q.webhook from queues q
    where exists (select from webhook_retries r where r.webhook = q.webhook and r.due_at <= ${now})`
  return found.map(({ webhook }) => webhook)
}

/** Finds the time of the next retry after this time, or null. Events are due at once. */
export async function nextDueRetry(db: Reader, after: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    with recursive ${distinctValues('webhook_retries', ['webhook'], sql.always)}
    select min(next.due_at) as due_at from queues q
    join webhooks w on w.id = q.webhook and w.paused is null
    cross join lateral (
      select due_at from webhook_retries r where r.webhook = q.webhook and r.due_at > ${after} order by r.due_at limit 1) next`
  return row?.due_at ?? null
}

/** All webhooks that have not read every event. */
export async function findWebhooksBehind(db: Reader): Promise<number[]> {
  const found = await db<{ id: number }[]>`
    select w.id from webhooks w where w.deleted is null and exists (
      select from webhook_types t cross join lateral (
        select from events e where e.organization = w.organization and e.type = t.type and e.id > greatest(w.position, t.after)
          and (t.until is null or e.id <= t.until) limit 1) e
      where t.webhook = w.id)`
  return found.map(({ id }) => id)
}

/** Finds the webhooks that get one of the events with ids after `after` and up to `until`. */
export async function findWebhooksOfEvents(db: Reader, after: number, until: number): Promise<number[]> {
  const found = await db<{ id: number }[]>`
    select distinct w.id from (
      select organization, type from events where id > ${after} and id <= ${until} group by 1, 2) e
    join webhooks w on w.organization = e.organization and w.deleted is null
    join webhook_types t on t.webhook = w.id and t.type = e.type`
  return found.map(({ id }) => id)
}
