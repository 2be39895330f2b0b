import type { App } from '../app.ts'
import { type AttemptResult, endLeases, recordAttempts } from '../core/events/attempts.ts'
import { claimNotifications, type DueNotification, nextDueRetry } from '../core/events/claims.ts'
import { requestOfNotification } from '../core/events/events.ts'
import { createRequestWriter, NOTIFICATION_TIMEOUT_MS } from '../core/events/notification-request.ts'
import { WEBHOOK_KEY_PURPOSE } from '../core/events/webhooks.ts'
import type { ClaimTimes } from '../core/leases.ts'
import { createAddressCheck } from '../core/target-urls.ts'
import { beginFrequent, mayRetry } from '../db/client.ts'
import { createBatcher } from '../lib/batches/batch.ts'
import { createHttpClient, type HttpClient, readRetryAfter } from '../lib/http/outgoing-http.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './shared/lease-times.ts'
import { type FailedRow, reportFailures, runEach } from './shared/run-each.ts'
import { findTrace, traced } from './shared/traced.ts'
import { WebhookDispatcher } from './webhook-dispatcher.ts'
import { WebhookWatch } from './webhook-watch.ts'

/** The deliveries of a killed process continue within ten seconds. */
const LEASE_MS = 9_000
/** Time for one attempt and its record. A delivery that has not started this long before the end of its lease is given back. */
const ATTEMPT_MS = 6_000
/** A lease is written again, with the position, when it is older than this. */
const RENEWED_AFTER_MS = 1_000
/** The lease of a webhook without deliveries ends after this time. It is longer, so that steady work renews it before. */
const ENDS_AFTER_MS = 2_000
/**
 * Maximum number of deliveries that one process claims. It limits the memory; hundreds of slow webhooks stay below it.
 */
const MAX_CLAIMED_DELIVERIES = 8_000
/** The attempts that one transaction records at most. */
const MAX_RECORDED_ATTEMPTS = 256

/**
 * Sends notifications to webhooks (interface 4.2). Each webhook has a queue of its own, so a slow or dead one does not
 * delay the others. The results of many attempts are recorded in one transaction.
 */
export function deliverWebhooks(
  app: App,
  outgoing: Pick<HttpClient, 'post'> & { close?(): void } = createClient(app),
): Job<DueNotification> {
  const send = createSender(app, outgoing)
  const reading = { dispatcher: new WebhookDispatcher(), watch: new WebhookWatch() }
  const { dispatcher } = reading
  let claimed_at = app.clock.now()
  let claimMore = () => {}
  const record = createRecorder(app, reading, () => claimMore())

  async function work(delivery: DueNotification): Promise<void> {
    const result = await dispatcher.enqueue(delivery, async () => {
      const subject = await findSubject(app, delivery)
      const left_ms = dispatcher.leaseEnd(delivery).getTime() - app.clock.real().getTime()
      return left_ms < ATTEMPT_MS ? undefined : sendTraced(app, delivery, subject, send)
    })
    if (!result) return dispatcher.giveBack([delivery])
    await record({ ...result, health_change: dispatcher.updateHealth(result) })
  }

  return {
    name: 'deliver-webhooks',
    limit: MAX_CLAIMED_DELIVERIES,
    concurrency: MAX_CLAIMED_DELIVERIES,
    async claim(limit) {
      const times = leaseTimes(app, LEASE_MS)
      claimed_at = times.now
      return claimDue(app, reading, times, limit)
    },
    nextDue: () => nextDueRetry(app.db.polling, claimed_at),
    async run(deliveries, wake = () => {}) {
      claimMore = wake
      const failed = await runEach(deliveries, work)
      // Their results are not known. They wait until their leases have ended, and are then sent again.
      for (const { row: delivery } of failed) {
        dispatcher.quarantine(delivery.webhook)
        setTimeout(() => dispatcher.giveBack([delivery]), QUARANTINE_MS).unref()
      }
      reportFailures(failed, (failures) => logFailures(app, failures))
    },
    async close() {
      // Where the database cannot be reached, they run out as after a kill.
      await endIdle(app, dispatcher, leaseTimes(app, LEASE_MS).lease_end).catch(() => {})
      outgoing.close?.()
    },
  }
}

/** The deliveries of this process, and the webhooks that may have more. */
interface Reading {
  dispatcher: WebhookDispatcher
  watch: WebhookWatch
}

/** Claims up to `limit` notifications that are due, of webhooks that have few, and ends the leases of those that have none. */
async function claimDue(
  app: App,
  { dispatcher, watch }: Reading,
  times: ClaimTimes,
  limit: number,
): Promise<DueNotification[]> {
  const writtenBefore = (age_ms: number) => new Date(times.lease_end.getTime() - age_ms)
  const room = limit - dispatcher.size
  if (room <= 0) return []
  const supplied = new Set(dispatcher.supplied())
  const open = (await watch.look(app.db.polling, times.now, times.real)).filter((one) => !supplied.has(one))
  await endIdle(app, dispatcher, writtenBefore(ENDS_AFTER_MS), new Set(open))
  if (open.length === 0) return []
  const renewed_before = writtenBefore(RENEWED_AFTER_MS)
  const claimed = await beginFrequent(app.db, (tx) =>
    claimNotifications(tx, { ...times, renewed_before }, open, dispatcher.leases(times.real), room),
  )
  dispatcher.addClaimed(claimed)
  watch.close(claimed.read)
  watch.rest(claimed.skipped, times.real)
  return claimed.due
}

/** Ends the leases up to this time of webhooks that have nothing to send and are not busy. */
async function endIdle(
  app: App,
  dispatcher: WebhookDispatcher,
  until: Date,
  busy?: ReadonlySet<number>,
): Promise<void> {
  const idle = dispatcher.idle(until, busy)
  if (idle.length === 0) return
  await beginFrequent(app.db, async (tx) => endLeases(tx, idle))
  dispatcher.forget(idle)
}

/** Returns the function that records the results of attempts, many in one transaction. */
function createRecorder(app: App, { dispatcher, watch }: Reading, claimMore: () => void) {
  return createBatcher<AttemptResult, void>({
    max_items: MAX_RECORDED_ATTEMPTS,
    // One transaction after the other, because the last change of a webhook's health counts.
    concurrency: 1,
    mayRetry,
    async flush(results) {
      await beginFrequent(app.db, (tx) => recordAttempts(tx, app.clock.now(), results))
      dispatcher.release(results)
      // One that fails may have had a single notification under way.
      watch.open(results.flatMap((one) => (one.failure !== null || one.health_change ? [one.webhook] : [])))
      if (dispatcher.needsMore(results) && watch.hasOpen(results)) claimMore()
      return results.map(() => ({ ok: true, value: undefined }))
    },
  })
}

/** Quarantine: longer than a lease. */
const QUARANTINE_MS = 15_000

/** Logs one line for each webhook and each collection request, with the first of its errors. */
function logFailures(app: App, failures: readonly FailedRow<DueNotification>[]): void {
  for (const [webhook, of_webhook] of Map.groupBy(failures, ({ row }) => row.webhook))
    for (const [collection_request, same] of Map.groupBy(of_webhook, ({ row }) => requestOfNotification(row.body))) {
      const events = same.map(({ row }) => row.event)
      logEvent(app.log, 'webhook_delivery_failed', { collection_request, webhook, events, error: same[0]!.error })
    }
}

/** Subject of a delivery, for the log and the traces. */
interface Subject {
  collection_request: number | null
  /** The context of the trace of the request. */
  parent: string | undefined
}

/** Reads the subject of a delivery if a log or trace needs it: its body has to be parsed. */
async function findSubject(app: App, { body }: DueNotification): Promise<Subject> {
  if (!app.traces && !app.log.isLevelEnabled('debug')) return NO_SUBJECT
  const collection_request = requestOfNotification(body)
  return { collection_request, parent: await findTrace(app, collection_request) }
}

const NO_SUBJECT: Subject = { collection_request: null, parent: undefined }

/** Makes one attempt, in a span of its collection request. The receiver gets the context of the span. */
async function sendTraced(
  app: App,
  delivery: DueNotification,
  { collection_request, parent }: Subject,
  send: Send,
): Promise<AttemptResult> {
  const { webhook, event, attempt } = delivery
  const attributes = {
    'kusanya.webhook': webhook,
    'kusanya.event': event,
    'kusanya.attempt': attempt,
    'http.request.method': 'POST',
  }
  return traced(app, { name: 'webhook_delivery', collection_request, parent, attributes }, async (span) => {
    const result = await send(delivery, span?.traceparent)
    const { status, failure, duration_ms } = result
    span?.set({ 'http.response.status_code': status })
    if (failure !== null) span?.fail(status === null ? 'no_answer' : String(status))
    const fields = { collection_request, webhook, event_id: event, attempt, status, failure, duration_ms }
    logEvent(app.log, 'webhook_called', fields)
    return result
  })
}

function createClient(app: App): HttpClient {
  return createHttpClient({ allowsAddress: createAddressCheck(app.config), timeout_ms: NOTIFICATION_TIMEOUT_MS })
}

/** Makes one attempt and returns its result. @param traceparent the W3C context to send along */
type Send = (delivery: DueNotification, traceparent: string | undefined) => Promise<AttemptResult>

/** Returns the function that makes attempts. */
function createSender(app: App, outgoing: Pick<HttpClient, 'post'>): Send {
  const write = createRequestWriter(app.config, app.sealingKeys(WEBHOOK_KEY_PURPOSE))
  return async (delivery, traceparent) => {
    const { webhook, event, type, event_created, attempt, attempts_before_replay, replayed, body } = delivery
    const at = app.clock.real()
    const request = write(delivery, event, body, at, traceparent === undefined ? {} : { traceparent })
    const result = await outgoing.post(request.target, request.headers, body, request.verify)
    const { duration_ms, remote_address, status, failure } = result
    return {
      webhook,
      event,
      type,
      event_created,
      attempt,
      attempts_before_replay,
      replayed,
      at,
      duration_ms,
      remote_address,
      status,
      failure,
      request_headers: request.shown_headers,
      target: delivery.target,
      response_headers: result.headers && maskEach(result.headers, request.mask),
      response_body: result.body && request.mask(result.body),
      retry_after_s: readRetryAfter(result.headers?.['retry-after'], app.clock.real()),
    }
  }
}

function maskEach(headers: Record<string, string>, mask: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]))
}
