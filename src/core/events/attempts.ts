import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { ClaimTimes } from '../leases.ts'
import { retrySchedules, waitAfter } from '../retry-schedules.ts'
import { type DeliveryState, deleteWebhooks } from './deliveries.ts'
import { keepLastCommittedEventId } from './events.ts'

/** A process claims at most this many deliveries of one webhook: enough to send while it records the results of others. */
export const MAX_CLAIMED = 128
/** The limit while the speed of the receiver is unknown. */
const MAX_CLAIMED_AT_FIRST = 32
/** The limit while a webhook fails or is slow: as many as are sent at once, so that such webhooks do not fill a process. */
const MAX_CLAIMED_WHEN_SLOW = 8
/** A webhook that has failed for this long is probed with one delivery at a time (interface-gaps: Webhooks). */
const PROBE_AFTER_MS = 24 * 60 * 60 * 1_000

/** The share of a wait that is added at random. */
const JITTER = 0.1
const MAX_RETRY_AFTER_S = 28_800

/** The lease of one webhook that a process holds, with the events of the deliveries that it has claimed. */
export interface WebhookLease {
  webhook: number
  leased_until: Date
  claimed: readonly number[]
  /** Whether its receiver was slow to respond last time. */
  slow: boolean
}

/** A delivery to send, with everything that sending needs. Secrets and credentials are encrypted. */
export interface DueDelivery {
  webhook: number
  event: number
  body: string
  /** The number of this attempt, from 1. */
  attempt: number
  attempts_before_replay: number
  /** Whether a user asked to send it again. */
  replay: boolean
  target: string
  token: string
  secret: string
  previous_secret: string | null
  credentials: string | null
  failing: boolean
}

/**
 * Claims due deliveries and leases their webhooks, so that only one process sends to each. First attempts come in the order
 * of events, and stop before the first event that may not be committed yet. Retries follow, oldest due date first, and then
 * replays. A slow receiver gets a smaller share. Of a webhook that has failed for a day, only the oldest delivery is claimed.
 * @param leases the leases that this process holds already; they are renewed where more deliveries are due
 * @param supplied webhooks of which this process has enough deliveries: none of theirs are claimed
 */
export async function claimDeliveries(
  tx: Tx,
  times: ClaimTimes,
  leases: readonly WebhookLease[],
  limit: number,
  supplied: readonly number[] = [],
): Promise<DueDelivery[]> {
  // The commit need not wait for the disk: if the database crashes, the processes lose their leases anyway.
  tx.send`set local synchronous_commit = off`
  const last_committed = keepLastCommittedEventId(tx)
  const probe_before = new Date(times.now.getTime() - PROBE_AFTER_MS)
  const held = rows(leases, {
    webhook: 'bigint',
    leased_until: 'timestamptz',
    claimed: ['text', ({ claimed }) => `{${claimed.join()}}`],
    slow: 'boolean',
  })
  // `held` is materialized so that the lists are read once: inlined, each delivery would read its list from text again.
  const due = await tx<DueDelivery[]>`
    with held as materialized (select webhook, leased_until, claimed::bigint[] as claimed, slow from ${held.as('h')}),
    ready as materialized (
      select w.id, w.organization, w.target, w.token, w.secret, w.failing_since is not null as failing, p.probe,
        case when w.previous_secret_expires > ${times.now} then w.previous_secret end as previous_secret, h.claimed,
        case when w.failing_since is not null or held.slow then ${MAX_CLAIMED_WHEN_SLOW}::integer
          when held.webhook is null then ${MAX_CLAIMED_AT_FIRST}::integer else ${MAX_CLAIMED}::integer end
          - cardinality(h.claimed) as room
      from webhooks w
      left join held on held.webhook = w.id
      cross join lateral (select coalesce(held.claimed, '{}')::bigint[] as claimed) h
      cross join lateral (select case when w.failing_since <= ${probe_before} then
        (select d.event from webhook_deliveries_waiting d where d.webhook = w.id order by d.event limit 1) end as probe) p
      where w.deleted is null and w.paused is null and w.id <> all(${[...supplied]}::bigint[])
        and (w.leased_until is null or w.leased_until <= ${times.real} or w.leased_until = held.leased_until)
        and case when w.failing_since <= ${probe_before}
          then h.claimed = '{}' and exists (select from webhook_deliveries_waiting d
            where d.webhook = w.id and d.event = p.probe and d.due_at <= ${times.now})
          else exists (select from webhook_deliveries_waiting d where d.webhook = w.id and ${isFirstAttempt()}
              and d.event <= ${last_committed} and d.event <> all (h.claimed))
            or exists (select from webhook_deliveries_waiting d where d.webhook = w.id and d.due_at <= ${times.now}
              and ${isRetryOrReplay()} and d.event <> all (h.claimed)) end
      order by w.leased_until nulls first, w.id limit ${limit} for no key update of w skip locked
    )
    select r.id as webhook, d.event, d.body, d.attempts + 1 as attempt, d.attempts_before_replay,
      d.replayed is not null as replay, r.target, r.token, r.secret, r.previous_secret, c.encrypted_credentials as credentials, r.failing
    from ready r
    left join webhook_credentials c on c.organization = r.organization
    cross join lateral (
      select ${DUE_COLUMNS}, send_order,
        row_number() over (order by replayed is not null, send_order, event) as queue_index from (
        select ${DUE_COLUMNS}, max(due_at) over (order by event) as send_order from (
          select ${DUE_COLUMNS}, due_at from webhook_deliveries_waiting d where webhook = r.id and ${isFirstAttempt()}
            and event <= ${last_committed} and event <> all (r.claimed) and r.probe is null
          order by event limit ${MAX_CLAIMED}) first
        union all
        select ${DUE_COLUMNS}, due_at from (
          select ${DUE_COLUMNS}, due_at from webhook_deliveries_waiting d where webhook = r.id and due_at <= ${times.now} and ${isRetryOrReplay()}
            and event <> all (r.claimed) and r.probe is null
          order by due_at limit ${MAX_CLAIMED}) again
        union all
        select ${DUE_COLUMNS}, due_at from webhook_deliveries_waiting where webhook = r.id and event = r.probe
      ) due) d
    where d.queue_index <= r.room
    order by d.replayed is not null, d.send_order, d.event, r.id limit ${limit}`
  if (due.length > 0)
    tx.send`
      update webhooks set leased_until = ${times.lease_end}
      where id = any(${[...new Set(due.map((delivery) => delivery.webhook))]}::bigint[])`
  return [...due]
}

/** What a claim reads of each delivery. */
const DUE_COLUMNS = sql`event, body, attempts, attempts_before_replay, replayed`

/**
 * Whether any delivery may be due. This is much cheaper than a claim, which must check the open transactions. Written with
 * `exists`, PostgreSQL would read all waiting deliveries into a hash table.
 * @param supplied webhooks that do not count
 */
export async function mayHaveDueDeliveries(db: Reader, now: Date, supplied: readonly number[] = []): Promise<boolean> {
  const [row] = await db`
    select 1 from webhooks w
    cross join lateral (
      (select from webhook_deliveries_waiting d where d.webhook = w.id and ${isFirstAttempt()} order by d.event limit 1)
      union all
      (select from webhook_deliveries_waiting d where d.webhook = w.id and d.due_at <= ${now} and ${isRetryOrReplay()}
        order by d.due_at limit 1)) due
    where w.deleted is null and w.paused is null and w.id <> all(${[...supplied]}::bigint[])
    limit 1`
  return row !== undefined
}

/** When the next retry or replay after this time is due, or null. First attempts are due at once. */
export async function nextDueDelivery(db: Reader, after: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(again.due_at) as due_at from webhooks w
    cross join lateral (
      select due_at from webhook_deliveries_waiting d where webhook = w.id and due_at > ${after} and ${isRetryOrReplay()}
      order by due_at limit 1) again
    where w.deleted is null and w.paused is null`
  return row?.due_at ?? null
}

/** First attempts have an order, retries have a due date. These conditions match those of the indexes webhook_deliveries_waiting_first and _retries. */
function isFirstAttempt() {
  return sql`(d.attempts = 0 and d.replayed is null)`
}

function isRetryOrReplay() {
  return sql`(d.attempts > 0 or d.replayed is not null)`
}

/**
 * The condition under which a waiting delivery can be sent: its webhook is not paused, is not probed with an older delivery, and
 * was not deleted while the delivery was queued (maintenance cancels such deliveries). In this form PostgreSQL can use the partial indexes.
 */
export function isNotBlocked() {
  return sql`(due_at is not null and attempts = 0 or due_at is not null and attempts > 0) and not exists (
    select from webhooks w where w.id = webhook_deliveries.webhook and (w.deleted is not null or w.paused is not null
      or w.failing_since + interval '1 day' <= webhook_deliveries.due_at and exists (
        select from webhook_deliveries older
        where older.webhook = w.id and older.due_at is not null and older.event < webhook_deliveries.event)))`
}

/** The result of one attempt. */
export interface AttemptResult {
  webhook: number
  event: number
  attempt: number
  attempts_before_replay: number
  replay: boolean
  at: Date
  duration_ms: number
  remote_address: string | null
  status: number | null
  failure: string | null
  request_headers: Record<string, string>
  response_headers: Record<string, string> | null
  response_body: string | null
  /** The Retry-After header of the response. */
  retry_after_s: number | null
  /** Whether the webhook began to fail or recovered with this attempt; undefined for neither. */
  health_change?: 'failing' | 'recovered'
}

/** A receiver that no longer exists responds 410 (interface 4.2). */
const HTTP_GONE = 410

/**
 * Stores the results of attempts: each delivery ends or is due again, and users can read the attempt. A webhook whose
 * receiver responds 410 is deleted. If this process paused for longer than its lease and another process made the same
 * attempt, the attempt is stored and the delivery does not change.
 * @param releases the leases to end
 */
export async function recordAttempts(
  tx: Tx,
  now: Date,
  results: readonly AttemptResult[],
  releases: readonly { webhook: number; leased_until: Date }[],
): Promise<void> {
  updateWebhooks(tx, now, results, releases)
  updateDeliveries(tx, now, results)
  insertAttempts(tx, now, results)
  const gone = results.filter((result) => result.status === HTTP_GONE).map((result) => result.webhook)
  await deleteWebhooks(tx, now, gone)
}

/**
 * When a delivery is tried again after this many attempts, or null after the last one. The receiver can lengthen the wait
 * with Retry-After, up to eight hours, but not shorten it (interface-gaps: Webhooks).
 */
export function nextDeliveryAttemptAt(
  now: Date,
  attempts: number,
  retry_after_s: number | null,
  random = Math.random(),
): Date | null {
  const wait_s = waitAfter(retrySchedules.webhook_delivery, attempts)
  if (wait_s === null) return null
  const requested_s = Math.min(retry_after_s ?? 0, MAX_RETRY_AFTER_S)
  return new Date(now.getTime() + Math.ceil(Math.max(wait_s * (1 + JITTER * random), requested_s) * 1_000))
}

function updateDeliveries(tx: Tx, now: Date, results: readonly AttemptResult[]): void {
  const all = results.map((result) => ({
    ...result,
    ...stateAfterAttempt(now, result),
    last_failure: describeFailure(result),
  }))
  const ended = all.filter(({ state }) => state !== 'waiting')
  const waiting = all.filter(({ state }) => state === 'waiting')
  endDeliveries(tx, now, ended)
  rescheduleDeliveries(tx, waiting)
}

/** An attempt with the state of its delivery afterwards. */
type AppliedAttempt = AttemptResult & { state: DeliveryState; due_at: Date | null; last_failure: string | null }

/** Deletes and inserts: an update fails if another transaction, such as the deletion of the webhook, changes the row first. */
function endDeliveries(tx: Tx, now: Date, results: readonly AppliedAttempt[]): void {
  if (results.length === 0) return
  const ended = rows(results, {
    webhook: 'bigint',
    event: 'bigint',
    attempt: 'integer',
    end_state: ['text', ({ state }) => state],
    failure: ['text', ({ last_failure }) => last_failure],
  })
  tx.send`
    with removed as (
      delete from webhook_deliveries_waiting d using ${ended.as('r')}
      where d.webhook = r.webhook and d.event = r.event and d.attempts = r.attempt - 1
      returning d.webhook, d.event, d.body, d.attempts_before_replay, d.created, d.replayed, r.attempt, r.end_state, r.failure
    )
    insert into webhook_deliveries_ended (webhook, event, body, state, attempts, attempts_before_replay, created, ended,
      replayed, last_failure)
    select webhook, event, body, end_state, attempt, attempts_before_replay, created, ${now}, replayed, failure
    from removed`
}

function rescheduleDeliveries(tx: Tx, results: readonly AppliedAttempt[]): void {
  if (results.length === 0) return
  const waiting = rows(results, {
    webhook: 'bigint',
    event: 'bigint',
    attempt: 'integer',
    due_at: 'timestamptz',
    last_failure: 'text',
  })
  tx.send`
    update webhook_deliveries_waiting d set attempts = r.attempt, due_at = r.due_at, last_failure = r.last_failure
    from ${waiting.as('r')}
    where d.webhook = r.webhook and d.event = r.event and d.attempts = r.attempt - 1`
}

function stateAfterAttempt(now: Date, result: AttemptResult): { state: DeliveryState; due_at: Date | null } {
  if (result.failure === null) return { state: 'delivered', due_at: null }
  const attempts = result.attempt - result.attempts_before_replay
  const due_at = result.status === HTTP_GONE ? null : nextDeliveryAttemptAt(now, attempts, result.retry_after_s)
  return { state: due_at ? 'waiting' : 'failed', due_at }
}

function describeFailure({ failure, status }: AttemptResult): string | null {
  return failure === 'status' ? String(status) : failure
}

function insertAttempts(tx: Tx, now: Date, results: readonly AttemptResult[]): void {
  const attempts = rows(results, {
    webhook: 'bigint',
    event: 'bigint',
    attempt: 'integer',
    replay: 'boolean',
    at: 'timestamptz',
    duration_ms: 'integer',
    remote_address: 'text',
    status: 'integer',
    failure: 'text',
    request_headers: 'json',
    response_headers: 'json',
    response_body: 'text',
  })
  tx.send`
    insert into webhook_attempts (${attempts.columns}, recorded) select ${attempts.columns}, ${now} from ${attempts.as('r')}`
}

/** Updates the webhooks whose health changes or whose lease ends. Most attempts change neither. */
function updateWebhooks(
  tx: Tx,
  now: Date,
  results: readonly AttemptResult[],
  releases: readonly { webhook: number; leased_until: Date }[],
): void {
  // The results are in the order in which the attempts ended, so the last change of a webhook counts.
  const health = new Map(
    results.flatMap((result) => (result.health_change ? [[result.webhook, result.health_change]] : [])),
  )
  const leases = new Map(releases.map((release) => [release.webhook, release.leased_until]))
  const changed = [...new Set([...health.keys(), ...leases.keys()])]
  if (changed.length === 0) return
  const changes = rows(changed, {
    webhook: ['bigint', (id) => id],
    health_change: ['text', (id) => health.get(id)],
    released_lease: ['timestamptz', (id) => leases.get(id)],
  })
  tx.send`
    with locked as (
      select id from webhooks where id = any(${changed}::bigint[]) order by id for no key update
    )
    update webhooks w set
      failing_since = case c.health_change when 'recovered' then null
        when 'failing' then coalesce(w.failing_since, ${now}::timestamptz) else w.failing_since end,
      leased_until = case when w.leased_until = c.released_lease then null else w.leased_until end
    from locked l join ${changes.as('c')} on c.webhook = l.id
    where w.id = l.id`
}
