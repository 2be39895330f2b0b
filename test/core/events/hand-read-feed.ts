import { type AttemptResult, endLeases, recordAttempts } from '../../../src/core/events/attempts.ts'
import { claimNotifications, type DueNotification, type WebhookLease } from '../../../src/core/events/claims.ts'
import { listDeliveries } from '../../../src/core/events/deliveries.ts'
import { recordEvents } from '../../../src/core/events/events.ts'
import { createWebhook } from '../../../src/core/events/webhooks.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp } from '../../test-app.ts'

export const START = new Date('2030-01-15T12:00:00Z')
export const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000)
export const LEASE_S = 15
export const RENEWED_AFTER_S = 1
export const DAY_S = 24 * 60 * 60

export type Feed = Awaited<ReturnType<typeof startFeed>>

/** An installation whose webhooks are read by hand, as processes read them. Times are seconds after START. */
export async function startFeed() {
  const testApp = await buildTestApp()
  const { db, organization } = testApp
  const [owner] = await db<{ id: number }[]>`select id from users where kind = 'person'`

  async function webhook(): Promise<number> {
    const input = { organization, user: owner!.id, event: 'contact.created', target: 'https://shop.example/' }
    return (await begin(db, (tx) => createWebhook(tx, START, input, 'ab'.repeat(32)))).id
  }

  /** So many events, a second apart, each in its own transaction. */
  async function happen(count: number, at_s = 0): Promise<void> {
    for (let number = 0; number < count; number += 1)
      await begin(db, (tx) =>
        recordEvents(tx, at(at_s + number), [{ organization, type: 'contact.created', data: { number }, author: 1 }]),
      )
  }

  /** Claim all webhooks as a process at these times of both clocks, and return its new lease of one of them. */
  async function claim(at_s: number, leases: readonly WebhookLease[] = [], real_s = at_s) {
    const lease_end = at(real_s + LEASE_S)
    const times = { now: at(at_s), real: at(real_s), lease_end, renewed_before: at(real_s + LEASE_S - RENEWED_AFTER_S) }
    const webhooks = (await db<{ id: number }[]>`select id from webhooks`).map(({ id }) => id)
    const claimed = await begin(db, (tx) => claimNotifications(tx, times, webhooks, leases, 1_000))
    const lease = (id: number): WebhookLease => ({
      webhook: id,
      leased_until: lease_end,
      position: 0,
      read_until: 0,
      seen_until: 0,
      ...claimed.readings.find((reading) => reading.webhook === id),
      claimed: claimed.due.filter((one) => one.webhook === id).map(({ event }) => event),
      slow: false,
    })
    return { ...claimed, lease }
  }

  /** Record results, and end these leases. */
  const record = (at_s: number, results: readonly AttemptResult[], ended: Parameters<typeof endLeases>[1] = []) =>
    begin(db, async (tx) => {
      await recordAttempts(tx, at(at_s), results)
      endLeases(tx, ended)
    })

  async function row(id: number) {
    const [found] = await db<{ position: number; leased_until: Date | null }[]>`
      select position, leased_until from webhooks where id = ${id}`
    return found!
  }

  const statesOf = async (id: number) =>
    (await listDeliveries(db, organization, { webhook: id }, 100))
      .reverse()
      .map(({ state, attempts }) => `${state} ${attempts}`)

  return { ...testApp, webhook, happen, claim, record, row, statesOf }
}

/** The result of an attempt, a failure unless it says otherwise. */
export function resultOf(due: DueNotification, changes: Partial<AttemptResult> = {}): AttemptResult {
  const { webhook, event, type, event_created, attempt, attempts_before_replay, replayed, target } = due
  return {
    webhook,
    event,
    type,
    event_created,
    attempt,
    attempts_before_replay,
    replayed,
    at: START,
    duration_ms: 1,
    remote_address: null,
    status: 500,
    failure: 'status',
    request_headers: {},
    target,
    response_headers: null,
    response_body: null,
    retry_after_s: null,
    ...changes,
  }
}

export const DELIVERED = { failure: null, status: 200 }

/** The lease of a process that has done all that it claimed, and ends it. */
export function done(lease: WebhookLease): WebhookLease {
  return { ...lease, position: lease.read_until }
}
