import type { KeyObject } from 'node:crypto'
import type { App } from '../app.ts'
import {
  type AttemptResult,
  claimDeliveries,
  type DueDelivery,
  mayHaveDueDeliveries,
  nextDueDelivery,
  recordAttempts,
} from '../core/events/attempts.ts'
import { WEBHOOK_KEY_PURPOSE } from '../core/events/webhooks.ts'
import { createAddressCheck, mustVerifyCertificate } from '../core/target-urls.ts'
import { begin, mayRetry } from '../db/client.ts'
import { createBatcher } from '../lib/batch.ts'
import type { Job } from '../lib/loop.ts'
import { createHttpClient, type HttpClient, type HttpResult, readRetryAfter } from '../lib/outgoing-http.ts'
import { decrypt } from '../lib/secrets.ts'
import { basicAuthorization, notificationHeaders, notificationId, signingKey } from '../lib/standard-webhooks.ts'
import { leaseTimes } from './lease-times.ts'
import { WebhookDispatcher } from './webhook-dispatcher.ts'

/** The time of one attempt in all (interface 4.2). */
const TIMEOUT_MS = 5_000
/** Who has not started this long after the claim gives way, so that every attempt ends before the lease does. */
const MAX_START_DELAY_MS = 3_000
/** An attempt begins and ends in it and is recorded; what a killed process held goes on after it, within ten seconds. */
const LEASE_MS = 9_000
/** The most deliveries that one process has in hand: a bound on memory that hundreds of slow webhooks do not reach. */
const MAX_CLAIMED_DELIVERIES = 8_000
/** The most attempts that are recorded in one transaction. */
const MAX_RECORDED_ATTEMPTS = 256

/**
 * Sends notifications to webhooks (interface 4.2). Each webhook has its own turns, so that one that is slow
 * or dead holds up nobody but itself; what came of the attempts is recorded for many at once.
 */
export function deliverWebhooks(app: App, outgoing: Pick<HttpClient, 'post'> = createClient(app)): Job<DueDelivery> {
  const send = createSender(app, outgoing)
  const holdings = new WebhookDispatcher()
  let looked_at = app.clock.now()
  let claimMore = () => {}

  const record = createBatcher<AttemptResult, void>({
    max_items: MAX_RECORDED_ATTEMPTS,
    // One after the other: whichever records a webhook's last delivery gives its lease back, too.
    concurrency: 1,
    mayRetry,
    async flush(results) {
      const releases = holdings.releasableLeases(results)
      await begin(app.db, (tx) => recordAttempts(tx, app.clock.now(), results, releases))
      holdings.release(results, releases)
      if (holdings.needsMore(results)) claimMore()
      return results.map(() => ({ ok: true, value: undefined }))
    },
  })

  async function work(delivery: DueDelivery, start_before: Date): Promise<void> {
    const result = await holdings.enqueue(delivery, async () =>
      app.clock.real() > start_before ? undefined : send(delivery),
    )
    if (!result) return holdings.release([delivery])
    await record({ ...result, health_change: holdings.updateHealth(result) })
  }

  return {
    name: 'deliver-webhooks',
    limit: MAX_CLAIMED_DELIVERIES,
    concurrency: MAX_CLAIMED_DELIVERIES,
    async claim(limit) {
      const times = leaseTimes(app, LEASE_MS)
      looked_at = times.now
      const room = limit - holdings.size
      if (room <= 0 || !(await mayHaveDueDeliveries(app.db, times.now))) return []
      const deliveries = await begin(app.db, (tx) => claimDeliveries(tx, times, holdings.leases(times.real), room))
      holdings.addClaimed(deliveries, times.lease_end)
      return deliveries
    },
    nextDue: () => nextDueDelivery(app.db, looked_at),
    async run(deliveries, wake = () => {}) {
      claimMore = wake
      const start_before = new Date(app.clock.real().getTime() + MAX_START_DELAY_MS)
      const ends = await Promise.allSettled(deliveries.map((delivery) => work(delivery, start_before)))
      const faults = deliveries.flatMap((delivery, index) => {
        const end = ends[index]!
        return end.status === 'rejected' ? [{ delivery, reason: end.reason as unknown }] : []
      })
      if (faults.length === 0) return
      // Nobody knows what came of these: they are left alone for the length of a lease, and then sent once more.
      for (const { delivery } of faults) {
        holdings.quarantine(delivery.webhook)
        setTimeout(() => holdings.release([delivery]), QUARANTINE_MS).unref()
      }
      throw new AggregateError(
        faults.map((fault) => fault.reason),
        `${faults.length} of ${deliveries.length} notifications could not be sent or recorded.`,
      )
    },
  }
}

const QUARANTINE_MS = 15_000

function createClient(app: App): HttpClient {
  return createHttpClient({ allowsAddress: createAddressCheck(app.config), timeout_ms: TIMEOUT_MS })
}

/** Makes the function that makes one attempt and says what came of it. */
function createSender(app: App, outgoing: Pick<HttpClient, 'post'>): (delivery: DueDelivery) => Promise<AttemptResult> {
  const sealing_key = app.deriveSecret(WEBHOOK_KEY_PURPOSE)
  const keysOf = createSigningKeyCache(sealing_key)
  return async (delivery) => {
    const { webhook, event, attempt, attempts_before_replay, replay, body } = delivery
    const at = app.clock.real()
    const credentials = delivery.credentials === null ? null : decrypt(sealing_key, delivery.credentials)
    const headers = notificationHeaders(keysOf(delivery), notificationId(delivery.token, event), at, body)
    const basic = credentials && basicAuthorization(credentials)
    const target = new URL(delivery.target)
    const verify = mustVerifyCertificate(app.config, target)
    const exchange = await outgoing.post(target, { ...headers, ...basic }, body, verify)
    const { duration_ms, remote_address, status, failure } = exchange
    return {
      ...{ webhook, event, attempt, attempts_before_replay, replay, at, duration_ms, remote_address, status, failure },
      request_headers: basic ? { ...headers, authorization: 'Basic ***' } : headers,
      ...redactAnswer(credentials, exchange),
      retry_after_s: readRetryAfter(exchange.headers?.['retry-after'], app.clock.real()),
    }
  }
}

/** The keys that sign for a webhook, the newest first. They are remembered, because opening them costs more than signing. */
function createSigningKeyCache(sealing_key: string): (delivery: DueDelivery) => KeyObject[] {
  const keys = new Map<string, KeyObject>()
  const keyOf = (sealed: string): KeyObject => {
    const key = keys.get(sealed) ?? signingKey(decrypt(sealing_key, sealed))
    if (keys.size >= MAX_CACHED_KEYS) keys.clear()
    keys.set(sealed, key)
    return key
  }
  return ({ secret, previous_secret }) => [secret, previous_secret].filter((sealed) => sealed !== null).map(keyOf)
}

const MAX_CACHED_KEYS = 10_000

/** What came back, fit to be kept: a receiver that repeats our credentials does not bring them into the record. */
function redactAnswer(credentials: string | null, { headers, body }: HttpResult) {
  if (credentials === null) return { response_headers: headers, response_body: body }
  const password = credentials.slice(credentials.indexOf(':') + 1)
  const words = [Buffer.from(credentials).toString('base64'), credentials, password].filter((word) => word !== '')
  const blank = (text: string) => words.reduce((rest, word) => rest.replaceAll(word, '***'), text)
  return {
    response_headers:
      headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, blank(value)])),
    response_body: body && blank(body),
  }
}
