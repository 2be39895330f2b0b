import type { KeyObject } from 'node:crypto'
import type { App } from '../app.ts'
import {
  type AttemptResult,
  claimDeliveries,
  type DueDelivery,
  mayBeDue,
  nextDueDelivery,
  recordAttempts,
} from '../core/events/attempts.ts'
import { addressRule, verifiesCertificate } from '../core/target-urls.ts'
import { SEALING_PURPOSE } from '../core/events/webhooks.ts'
import { begin, CommitUnknown, isConnectionError } from '../db/client.ts'
import { createBatch } from '../lib/batch.ts'
import type { Job } from '../lib/loop.ts'
import { createOutgoing, type Exchange, type Outgoing, readRetryAfter } from '../lib/outgoing-http.ts'
import { open } from '../lib/secrets.ts'
import { basicAuthorization, notificationHeaders, notificationId, signingKey } from '../lib/standard-webhooks.ts'
import { timesOf } from './lease-times.ts'
import { Holdings } from './webhook-dispatcher.ts'

/** The time of one attempt in all (interface 4.2). */
const TIMEOUT_MS = 5_000
/** Who has not started this long after the claim gives way, so that every attempt ends before the lease does. */
const START_WITHIN_MS = 3_000
/** An attempt begins and ends in it and is recorded; what a killed process held goes on after it, within ten seconds. */
const LEASE_MS = 9_000
/** The most deliveries that one process has in hand: a bound on memory that hundreds of slow webhooks do not reach. */
const MOST_IN_HAND = 8_000
/** The most attempts that are recorded in one transaction. */
const MOST_RECORDED = 256

/**
 * Sends notifications to webhooks (interface 4.2). Each webhook has its own turns, so that one that is slow
 * or dead holds up nobody but itself; what came of the attempts is recorded for many at once.
 */
export function deliverWebhook(app: App, outgoing: Pick<Outgoing, 'post'> = outgoingOf(app)): Job<DueDelivery> {
  const send = createSender(app, outgoing)
  const holdings = new Holdings()
  let looked_at = app.clock.now()
  let claimMore = () => {}

  const record = createBatch<AttemptResult, void>({
    most: MOST_RECORDED,
    // One after the other: whichever records a webhook's last delivery gives its lease back, too.
    flushes: 1,
    mayReplay: (error) => !(error instanceof CommitUnknown) && !isConnectionError(error),
    async flush(results) {
      const releases = holdings.releasable(results)
      await begin(app.db, (tx) => recordAttempts(tx, app.clock.now(), results, releases))
      holdings.putDown(results, releases)
      if (holdings.runsLow(results)) claimMore()
      return results.map(() => ({ ok: true, value: undefined }))
    },
  })

  async function work(delivery: DueDelivery, start_before: Date): Promise<void> {
    const result = await holdings.inTurn(delivery, async () =>
      app.clock.real() > start_before ? undefined : send(delivery),
    )
    if (!result) return holdings.putDown([delivery])
    await record({ ...result, turned: holdings.turn(result) })
  }

  return {
    name: 'deliver-webhook',
    limit: MOST_IN_HAND,
    lanes: MOST_IN_HAND,
    async claim(limit) {
      const times = timesOf(app, LEASE_MS)
      looked_at = times.now
      const room = limit - holdings.size
      if (room <= 0 || !(await mayBeDue(app.db, times.now))) return []
      const deliveries = await begin(app.db, (tx) => claimDeliveries(tx, times, holdings.list(times.real), room))
      holdings.take(deliveries, times.lease_end)
      return deliveries
    },
    nextDue: () => nextDueDelivery(app.db, looked_at),
    async run(deliveries, wake = () => {}) {
      claimMore = wake
      const start_before = new Date(app.clock.real().getTime() + START_WITHIN_MS)
      const ends = await Promise.allSettled(deliveries.map((delivery) => work(delivery, start_before)))
      const faults = deliveries.flatMap((delivery, index) => {
        const end = ends[index]!
        return end.status === 'rejected' ? [{ delivery, reason: end.reason as unknown }] : []
      })
      if (faults.length === 0) return
      // Nobody knows what came of these: they are left alone for the length of a lease, and then sent once more.
      for (const { delivery } of faults) {
        holdings.doubt(delivery.webhook)
        setTimeout(() => holdings.putDown([delivery]), FAULT_PAUSE_MS).unref()
      }
      throw new AggregateError(
        faults.map((fault) => fault.reason),
        `${faults.length} of ${deliveries.length} notifications could not be sent or recorded.`,
      )
    },
  }
}

const FAULT_PAUSE_MS = 15_000

function outgoingOf(app: App): Outgoing {
  return createOutgoing({ allows: addressRule(app.config), timeout_ms: TIMEOUT_MS })
}

/** Makes the function that makes one attempt and says what came of it. */
function createSender(app: App, outgoing: Pick<Outgoing, 'post'>): (delivery: DueDelivery) => Promise<AttemptResult> {
  const sealing_key = app.secret(SEALING_PURPOSE)
  const keysOf = createKeyring(sealing_key)
  return async (delivery) => {
    const { webhook, event, attempt, earlier_attempts, replay, body } = delivery
    const at = app.clock.real()
    const credentials = delivery.credentials === null ? null : open(sealing_key, delivery.credentials)
    const headers = notificationHeaders(keysOf(delivery), notificationId(delivery.token, event), at, body)
    const basic = credentials && basicAuthorization(credentials)
    const target = new URL(delivery.target)
    const verify = verifiesCertificate(app.config, target)
    const exchange = await outgoing.post(target, { ...headers, ...basic }, body, verify)
    const { duration_ms, remote_address, status, failure } = exchange
    return {
      ...{ webhook, event, attempt, earlier_attempts, replay, at, duration_ms, remote_address, status, failure },
      request_headers: basic ? { ...headers, authorization: 'Basic ***' } : headers,
      ...answerWithout(credentials, exchange),
      retry_after_s: readRetryAfter(exchange.headers?.['retry-after'], app.clock.real()),
    }
  }
}

/** The keys that sign for a webhook, the newest first. They are remembered, because opening them costs more than signing. */
function createKeyring(sealing_key: string): (delivery: DueDelivery) => KeyObject[] {
  const keys = new Map<string, KeyObject>()
  const keyOf = (sealed: string): KeyObject => {
    const key = keys.get(sealed) ?? signingKey(open(sealing_key, sealed))
    if (keys.size >= MOST_KEYS) keys.clear()
    keys.set(sealed, key)
    return key
  }
  return ({ secret, previous_secret }) => [secret, previous_secret].filter((sealed) => sealed !== null).map(keyOf)
}

const MOST_KEYS = 10_000

/** What came back, fit to be kept: a receiver that repeats our credentials does not bring them into the record. */
function answerWithout(credentials: string | null, { headers, body }: Exchange) {
  if (credentials === null) return { answer_headers: headers, answer_body: body }
  const password = credentials.slice(credentials.indexOf(':') + 1)
  const words = [Buffer.from(credentials).toString('base64'), credentials, password].filter((word) => word !== '')
  const blank = (text: string) => words.reduce((rest, word) => rest.replaceAll(word, '***'), text)
  return {
    answer_headers: headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, blank(value)])),
    answer_body: body && blank(body),
  }
}
