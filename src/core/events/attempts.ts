import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, type NewRow, table } from '../../db/table.ts'
import { headersOfSignature } from '../../lib/http/standard-webhooks.ts'
import { retrySchedules, waitAfter } from '../retry-schedules.ts'
import type { WebhookLease } from './claims.ts'
import { deleteWebhooks } from './webhooks.ts'

const retryTable = table('webhook_retries', {
  webhook: column.bigint().key(),
  event: column.bigint().key(),
  attempts: column.integer(),
  attempts_before_replay: column.integer().default(0),
  due_at: column.timestamptz(),
  replayed: column.timestamptz().nullable(),
})

const attemptTable = table('webhook_attempts', {
  webhook: column.bigint(),
  event: column.bigint(),
  attempt: column.integer(),
  type: column.text(),
  event_created: column.timestamptz(),
  replayed: column.timestamptz().nullable(),
  at: column.timestamptz(),
  duration_ms: column.integer(),
  remote_address: column.text().nullable(),
  status: column.integer().nullable(),
  failure: column.text().nullable(),
  signature: column.text(),
  further_headers: column.json<Record<string, string>>().nullable(),
  response_headers: column.json<Record<string, string>>().nullable(),
  response_body: column.text().nullable(),
  retry_at: column.timestamptz().nullable(),
  recorded: column.timestamptz(),
})

/** The share of a wait that is added at random. */
const JITTER = 0.1
const MAX_RETRY_AFTER_S = 28_800

/** A receiver that no longer exists responds 410 (interface 4.2). */
const HTTP_GONE = 410

export interface AttemptResult
  extends Omit<NewRow<typeof attemptTable>, 'retry_at' | 'recorded' | 'signature' | 'further_headers'> {
  request_headers: Record<string, string>
  /** URL that the notification was sent to. */
  target: string
  attempts_before_replay: number
  /** The Retry-After header of the response. */
  retry_after_s: number | null
  /** Change of the webhook's health by this attempt; undefined for none. */
  health_change?: 'failing' | 'recovered'
}

/**
 * Stores the results of attempts: one row for each; a failed one is due again. A webhook whose receiver responds 410 is
 * deleted, unless it has another receiver by now, which then gets the notification. If this process paused for longer than
 * its lease and another one made the same attempt, both rows stay.
 */
export async function recordAttempts(tx: Tx, now: Date, results: readonly AttemptResult[]): Promise<void> {
  const gone = await findGone(tx, results)
  const all = results.map((result) => ({
    ...result,
    retry_at: gone.has(result.webhook) || result.failure === null ? null : retryAfter(now, result),
  }))
  updateHealth(tx, now, results)
  scheduleRetries(tx, all)
  insertAttempts(tx, now, all)
  if (gone.size > 0) await deleteWebhooks(tx, now, [...gone])
}

/** Finds the webhooks whose present receiver has responded 410, and locks them. */
async function findGone(tx: Tx, results: readonly AttemptResult[]): Promise<ReadonlySet<number>> {
  const refused = results.filter(({ status }) => status === HTTP_GONE)
  if (refused.length === 0) return new Set()
  const locked = await tx<{ id: number; target: string }[]>`
    select id, target from webhooks where id = any(${refused.map(({ webhook }) => webhook)}::bigint[])
    order by id for no key update`
  const targets = new Map(locked.map(({ id, target }) => [id, target]))
  return new Set(refused.flatMap(({ webhook, target }) => (targets.get(webhook) === target ? [webhook] : [])))
}

type AppliedAttempt = AttemptResult & { retry_at: Date | null }

function retryAfter(now: Date, { attempt, attempts_before_replay, retry_after_s }: AttemptResult): Date | null {
  return nextDeliveryAttemptAt(now, attempt - attempts_before_replay, retry_after_s)
}

/**
 * Returns the time of the next attempt after this many attempts, or null after the last one. The receiver can lengthen
 * the wait with Retry-After, up to eight hours, but not shorten it (interface-gaps: Webhooks).
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

/** Removes the retries that are done, and stores those that follow, unless the webhook is deleted or another process was faster. */
function scheduleRetries(tx: Tx, results: readonly AppliedAttempt[]): void {
  const again = results.filter(({ attempt, retry_at }) => attempt > 1 && retry_at === null)
  if (again.length > 0)
    tx.send`
      delete from webhook_retries r using ${rows(again, { webhook: 'bigint', event: 'bigint', attempt: 'integer' }).as('d')}
      where r.webhook = d.webhook and r.event = d.event and r.attempts = d.attempt - 1`
  const failed = results.filter(({ retry_at }) => retry_at !== null)
  if (failed.length === 0) return
  tx.send`
    ${insert(retryTable, failed, {
      attempts: ({ attempt }) => attempt,
      attempts_before_replay: (failure) => failure.attempts_before_replay,
      due_at: ({ retry_at }) => retry_at!,
    })}
    where exists (select from webhooks w where w.id = r.webhook and w.deleted is null)
      and not exists (select from webhook_attempts a where a.webhook = r.webhook and a.event = r.event and a.attempt >= r.attempts)
    on conflict (webhook, event) do update set attempts = excluded.attempts, due_at = excluded.due_at
      where webhook_retries.attempts = excluded.attempts - 1`
}

function insertAttempts(tx: Tx, now: Date, results: readonly AppliedAttempt[]): void {
  if (results.length === 0) return
  tx.send`${insert(attemptTable, results, {
    recorded: now,
    signature: ({ request_headers }) => request_headers['webhook-signature'] ?? '',
    further_headers: findFurtherHeaders,
  })}`
}

/** The names of the headers that each notification has. */
const USUAL_HEADERS = Object.keys(headersOfSignature('', new Date(0), ''))

/** The other headers, such as the masked credentials; null for none. */
function findFurtherHeaders({ request_headers }: AttemptResult): Record<string, string> | null {
  const further = Object.entries(request_headers).filter(([name]) => !USUAL_HEADERS.includes(name))
  return further.length > 0 ? Object.fromEntries(further) : null
}

/** Updates the webhooks whose health changes. */
function updateHealth(tx: Tx, now: Date, results: readonly AttemptResult[]): void {
  // The results are in the order in which the attempts ended, so the last change of a webhook counts.
  const health = new Map(
    results.flatMap((result) => (result.health_change ? [[result.webhook, result.health_change]] : [])),
  )
  const changed = [...health.keys()]
  if (changed.length === 0) return
  const changes = rows(changed, {
    webhook: ['bigint', (id) => id],
    health_change: ['text', (id) => health.get(id)],
  })
  tx.send`
    with locked as (
      select id from webhooks where id = any(${changed}::bigint[]) order by id for no key update
    )
    update webhooks w set failing_since = case c.health_change when 'recovered' then null
      else coalesce(w.failing_since, ${now}::timestamptz) end
    from locked l join ${changes.as('c')} on c.webhook = l.id
    where w.id = l.id`
}

/**
 * Ends leases of webhooks whose events up to `position` were sent, while nothing after it was. A lease that another process has by
 * now stays.
 */
export function endLeases(tx: Tx, ended: readonly Pick<WebhookLease, 'webhook' | 'leased_until' | 'position'>[]): void {
  const leases = rows(ended, { webhook: 'bigint', leased_until: 'timestamptz', position: 'bigint' })
  tx.send`
    with locked as (
      select id from webhooks where id = any(${ended.map(({ webhook }) => webhook)}::bigint[]) order by id for no key update
    )
    update webhooks w set position = greatest(w.position, e.position), leased_until = null
    from locked l join ${leases.as('e')} on e.webhook = l.id
    where w.id = l.id and w.leased_until = e.leased_until`
}
