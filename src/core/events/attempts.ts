import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { ClaimTimes } from '../leases.ts'
import { type DeliveryState, deleteWebhooks } from './deliveries.ts'
import { findLastCommittedEventId } from './events.ts'

/** The most deliveries of one webhook that a process takes at once: enough to send while others are being recorded. */
export const MAX_CLAIMED = 128
/** The same while nobody knows how quick its receiver is. */
const MAX_CLAIMED_AT_FIRST = 32
/** The same while a webhook fails or is slow: no more than can be under way, so that many of them fill no process. */
const MAX_CLAIMED_WHEN_SLOW = 8
/** A webhook without any success for this long is tried with one delivery at a time (interface-gaps: Webhooks). */
const PROBE_AFTER_MS = 24 * 60 * 60 * 1_000

/** Waits before attempts 2 to 10 (interface-gaps: Webhooks). */
const RETRY_WAITS_S = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]
const JITTER = 0.1
const MAX_RETRY_AFTER_S = 28_800

/** What a process holds of one webhook: its lease, and the events of the deliveries that it has taken. */
export interface WebhookLease {
  webhook: number
  leased_until: Date
  claimed: readonly number[]
  /** Whether its receiver took long to answer last time. */
  slow: boolean
}

/** A delivery that is to be sent, with all that sending it needs. Secrets and credentials are sealed. */
export interface DueDelivery {
  webhook: number
  event: number
  body: string
  /** The number of the attempt that is to be made, from 1. */
  attempt: number
  attempts_before_replay: number
  /** Whether somebody asked for it to be sent once more. */
  replay: boolean
  target: string
  token: string
  secret: string
  previous_secret: string | null
  credentials: string | null
  failing: boolean
}

/**
 * Takes due deliveries and leases their webhooks, so that one process alone sends to each: first sends in the order of
 * events and never past one that may still be committed, further attempts when they are due, oldest first, and what is to
 * be sent once more after all of these. A slow receiver gets no more than its own share. In a webhook that has failed for
 * a day only the oldest delivery is tried.
 * @param holds what this process holds already; its leases are renewed where there is more to take.
 */
export async function claimDeliveries(
  tx: Tx,
  times: ClaimTimes,
  holds: readonly WebhookLease[],
  limit: number,
): Promise<DueDelivery[]> {
  const [settled] = await Promise.all([
    findLastCommittedEventId(tx),
    // A lease that is lost when the database crashes is one that nobody holds any more: no need to wait for the disk.
    tx`set local synchronous_commit = off`,
  ])
  const probe_before = new Date(times.now.getTime() - PROBE_AFTER_MS)
  const rows = await tx<DueDelivery[]>`
    with ready as materialized (
      select w.id, w.organization, w.target, w.token, w.secret, w.failing_since is not null as failing, p.probe,
        case when w.previous_secret_expires > ${times.now} then w.previous_secret end as previous_secret, h.in_hand,
        case when w.failing_since is not null or held.slow::boolean then ${MAX_CLAIMED_WHEN_SLOW}::integer
          when held.webhook is null then ${MAX_CLAIMED_AT_FIRST}::integer else ${MAX_CLAIMED}::integer end
          - cardinality(h.in_hand) as room
      from webhooks w
      left join unnest(${holds.map((h) => h.webhook)}::bigint[], ${holds.map((h) => h.leased_until.toISOString())}::text[],
        ${holds.map((h) => `{${h.claimed.join()}}`)}::text[], ${holds.map((h) => String(h.slow))}::text[])
        as held(webhook, leased_until, in_hand, slow) on held.webhook = w.id
      cross join lateral (select coalesce(held.in_hand, '{}')::bigint[] as in_hand) h
      cross join lateral (select case when w.failing_since <= ${probe_before} then
        (select d.event from webhook_deliveries_waiting d where d.webhook = w.id order by d.event limit 1) end as probe) p
      where w.deleted is null
        and (w.leased_until is null or w.leased_until <= ${times.real} or w.leased_until = held.leased_until::timestamptz)
        and case when w.failing_since <= ${probe_before}
          then h.in_hand = '{}' and exists (select from webhook_deliveries_waiting d
            where d.webhook = w.id and d.event = p.probe and d.due_at <= ${times.now})
          else exists (select from webhook_deliveries_waiting d where d.webhook = w.id and ${isFirstAttempt()}
              and d.event <= ${settled} and d.event <> all (h.in_hand))
            or exists (select from webhook_deliveries_waiting d where d.webhook = w.id and d.due_at <= ${times.now}
              and ${isRetryOrReplay()} and d.event <> all (h.in_hand)) end
      order by w.leased_until nulls first limit ${limit} for no key update of w skip locked
    )
    select r.id as webhook, d.event, d.body, d.attempts + 1 as attempt, d.attempts_before_replay,
      d.replayed is not null as replay, r.target, r.token, r.secret, r.previous_secret, c.encrypted_credentials as credentials, r.failing
    from ready r
    left join webhook_credentials c on c.organization = r.organization
    cross join lateral (
      select *, row_number() over (order by replayed is not null, turn, event) as place from (
        select *, max(due_at) over (order by event) as turn from (
          select * from webhook_deliveries_waiting d where webhook = r.id and ${isFirstAttempt()}
            and event <= ${settled} and event <> all (r.in_hand) and r.probe is null
          order by event limit ${MAX_CLAIMED}) first
        union all
        select *, due_at from (
          select * from webhook_deliveries_waiting d where webhook = r.id and due_at <= ${times.now} and ${isRetryOrReplay()}
            and event <> all (r.in_hand) and r.probe is null
          order by due_at limit ${MAX_CLAIMED}) again
        union all
        select *, due_at from webhook_deliveries_waiting where webhook = r.id and event = r.probe
      ) due) d
    where d.place <= r.room
    order by d.replayed is not null, d.turn, d.event limit ${limit}`
  if (rows.length > 0)
    await tx`
      update webhooks set leased_until = ${times.lease_end}
      where id = any(${[...new Set(rows.map((row) => row.webhook))]}::bigint[])`
  return [...rows]
}

/** Whether anything may be due at all. It costs next to nothing, where a claim has to look at what is being written. */
export async function mayHaveDueDeliveries(db: Reader, now: Date): Promise<boolean> {
  const [row] = await db`
    select 1 from webhooks w where deleted is null
      and (exists (select from webhook_deliveries_waiting d where webhook = w.id and ${isFirstAttempt()})
        or exists (select from webhook_deliveries_waiting d where webhook = w.id and due_at <= ${now} and ${isRetryOrReplay()}))
    limit 1`
  return row !== undefined
}

/** When, after the moment given, the next further attempt falls due, or null. First sends are due at once. */
export async function nextDueDelivery(db: Reader, after: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(again.due_at) as due_at from webhooks w
    cross join lateral (
      select due_at from webhook_deliveries_waiting d where webhook = w.id and due_at > ${after} and ${isRetryOrReplay()}
      order by due_at limit 1) again
    where w.deleted is null`
  return row?.due_at ?? null
}

/** First sends have an order, further ones a time. The conditions are those of the indexes webhook_deliveries_waiting_first and _retries. */
function isFirstAttempt() {
  return sql`(d.attempts = 0 and d.replayed is null)`
}

function isRetryOrReplay() {
  return sql`(d.attempts > 0 or d.replayed is not null)`
}

/**
 * The condition that leaves out deliveries that nobody has to wait for: those held back while their webhook is tried with
 * another one, and those to a webhook that was deleted just as they were made, which tidying up will cancel. Written so
 * that the partial indexes of what waits are used.
 */
export function isNotBlocked() {
  return sql`(due_at is not null and attempts = 0 or due_at is not null and attempts > 0) and not exists (
    select from webhooks w where w.id = webhook_deliveries.webhook and (w.deleted is not null
      or w.failing_since + interval '1 day' <= webhook_deliveries.due_at and exists (
        select from webhook_deliveries older
        where older.webhook = w.id and older.due_at is not null and older.event < webhook_deliveries.event)))`
}

/** What came of one attempt. */
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
  /** What the receiver wished in a Retry-After header. */
  retry_after_s: number | null
  /** Whether the webhook began to fail with this attempt, or works again; undefined when nothing has changed. */
  health_change?: 'bad' | 'good'
}

/** 410 says that the receiver is gone for good (interface 4.2). */
const HTTP_GONE = 410

/**
 * Writes down what came of attempts: the delivery has ended or is due again, and the attempt can be looked at. A webhook
 * that is gone is deleted. `releases` are leases that are given back. An attempt that another process has overtaken,
 * because this one stood still for longer than its lease, is kept but changes nothing.
 */
export async function recordAttempts(
  tx: Tx,
  now: Date,
  results: readonly AttemptResult[],
  releases: readonly { webhook: number; leased_until: Date }[],
): Promise<void> {
  await Promise.all([
    updateWebhooks(tx, now, results, releases),
    updateDeliveries(tx, now, results),
    insertAttempts(tx, now, results),
  ])
  const gone = results.filter((result) => result.status === HTTP_GONE).map((result) => result.webhook)
  await deleteWebhooks(tx, now, gone)
}

/**
 * When a delivery is tried again after `made` attempts, or null when that was the last. Never before its wait is over;
 * a receiver's Retry-After counts where it is longer, up to eight hours (interface-gaps: Webhooks).
 */
export function nextAttemptAt(
  now: Date,
  made: number,
  retry_after_s: number | null,
  random = Math.random(),
): Date | null {
  const wait_s = RETRY_WAITS_S[made - 1]
  if (wait_s === undefined) return null
  const wished_s = Math.min(retry_after_s ?? 0, MAX_RETRY_AFTER_S)
  return new Date(now.getTime() + Math.ceil(Math.max(wait_s * (1 + JITTER * random), wished_s) * 1_000))
}

async function updateDeliveries(tx: Tx, now: Date, results: readonly AttemptResult[]): Promise<void> {
  const all = results.map((result) => ({
    ...result,
    ...stateAfterAttempt(now, result),
    last_failure: describeFailure(result),
  }))
  const ended = all.filter(({ state }) => state !== 'waiting')
  const waiting = all.filter(({ state }) => state === 'waiting')
  await Promise.all([
    ended.length > 0 &&
      // Not an update: that would be an error where somebody else, such as whoever deletes the webhook, was quicker.
      tx`
        with gone as (
          delete from webhook_deliveries_waiting d
          using unnest(${ended.map((r) => r.webhook)}::bigint[], ${ended.map((r) => r.event)}::bigint[],
            ${ended.map((r) => r.attempt)}::integer[], ${ended.map((r) => r.state)}::text[],
            ${ended.map((r) => r.last_failure)}::text[]) as r(webhook, event, attempt, end_state, failure)
          where d.webhook = r.webhook and d.event = r.event and d.attempts = r.attempt - 1
          returning d.webhook, d.event, d.body, d.attempts_before_replay, d.created, d.replayed, r.attempt, r.end_state, r.failure
        )
        insert into webhook_deliveries_ended (webhook, event, body, state, attempts, attempts_before_replay, created, ended,
          replayed, last_failure)
        select g.webhook, g.event, g.body, g.end_state, g.attempt, g.attempts_before_replay, g.created, ${now}, g.replayed, g.failure
        from gone g`,
    waiting.length > 0 &&
      tx`
        update webhook_deliveries_waiting d
        set attempts = r.attempt, due_at = r.due_at::timestamptz, last_failure = r.last_failure
        from unnest(${waiting.map((r) => r.webhook)}::bigint[], ${waiting.map((r) => r.event)}::bigint[],
          ${waiting.map((r) => r.attempt)}::integer[], ${waiting.map((r) => r.due_at!.toISOString())}::text[],
          ${waiting.map((r) => r.last_failure)}::text[]) as r(webhook, event, attempt, due_at, last_failure)
        where d.webhook = r.webhook and d.event = r.event and d.attempts = r.attempt - 1`,
  ])
}

function stateAfterAttempt(now: Date, result: AttemptResult): { state: DeliveryState; due_at: Date | null } {
  if (result.failure === null) return { state: 'delivered', due_at: null }
  const made = result.attempt - result.attempts_before_replay
  const due_at = result.status === HTTP_GONE ? null : nextAttemptAt(now, made, result.retry_after_s)
  return { state: due_at ? 'waiting' : 'failed', due_at }
}

function describeFailure({ failure, status }: AttemptResult): string | null {
  return failure === 'status' ? String(status) : failure
}

async function insertAttempts(tx: Tx, now: Date, results: readonly AttemptResult[]): Promise<void> {
  await tx`
    insert into webhook_attempts (webhook, event, attempt, replay, at, recorded, duration_ms, remote_address, status, failure,
      request_headers, response_headers, response_body)
    select r.webhook, r.event, r.attempt, r.replay::boolean, r.at::timestamptz, ${now}, r.duration_ms, r.remote_address,
      r.status, r.failure, r.request_headers::json, r.response_headers::json, r.response_body
    from unnest(${results.map((r) => r.webhook)}::bigint[], ${results.map((r) => r.event)}::bigint[],
      ${results.map((r) => r.attempt)}::integer[], ${results.map((r) => String(r.replay))}::text[],
      ${results.map((r) => r.at.toISOString())}::text[], ${results.map((r) => r.duration_ms)}::integer[],
      ${results.map((r) => r.remote_address)}::text[], ${results.map((r) => r.status)}::integer[],
      ${results.map((r) => r.failure)}::text[],
      ${results.map((r) => JSON.stringify(r.request_headers))}::text[],
      ${results.map((r) => r.response_headers && JSON.stringify(r.response_headers))}::text[],
      ${results.map((r) => r.response_body)}::text[])
      as r(webhook, event, attempt, replay, at, duration_ms, remote_address, status, failure, request_headers,
        response_headers, response_body)`
}

/** Most attempts change nothing about their webhook, and nothing is written for them. */
async function updateWebhooks(
  tx: Tx,
  now: Date,
  results: readonly AttemptResult[],
  releases: readonly { webhook: number; leased_until: Date }[],
): Promise<void> {
  // The last turn of a webhook counts; the attempts come in the order in which they ended.
  const turns = new Map(
    results.flatMap((result) => (result.health_change ? [[result.webhook, result.health_change]] : [])),
  )
  const leases = new Map(releases.map((release) => [release.webhook, release.leased_until.toISOString()]))
  const changed = [...new Set([...turns.keys(), ...leases.keys()])]
  if (changed.length === 0) return
  await tx`
    with locked as (
      select id from webhooks where id = any(${changed}::bigint[]) order by id for no key update
    )
    update webhooks w set
      failing_since = case c.turned when 'good' then null when 'bad' then coalesce(w.failing_since, ${now}::timestamptz)
        else w.failing_since end,
      leased_until = case when w.leased_until = c.release::timestamptz then null else w.leased_until end
    from locked l
    join unnest(${changed}::bigint[], ${changed.map((id) => turns.get(id) ?? null)}::text[],
      ${changed.map((id) => leases.get(id) ?? null)}::text[]) as c(webhook, turned, release) on c.webhook = l.id
    where w.id = l.id`
}
