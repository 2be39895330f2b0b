import { type Delivery, listAttempts, listDeliveries } from '../../src/core/events/deliveries.ts'
import { readSealedSecret } from '../../src/core/events/endpoints.ts'
import { type NewEvent, recordEvents } from '../../src/core/events/events.ts'
import { createWebhook, deleteWebhooks, WEBHOOK_KEY_PURPOSE, type WebhookRow } from '../../src/core/events/webhooks.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { decrypt } from '../../src/lib/secrets.ts'
import type { Received } from '../receiver.ts'
import { eventually, type TestApp } from '../test-app.ts'

/** Helpers for tests of notifications. */
export interface WebhookHelpers {
  /** Create a webhook of the demo organization for contact.created, or for another event. */
  addWebhook(target: string, event?: string): Promise<WebhookRow>
  secretOf(webhook: WebhookRow): Promise<string>
  /** Record events, each in its own transaction and with a number in its data, and wake the jobs. */
  emitEvents(...numbers: number[]): Promise<void>
  /** Move the clock and wake the jobs. */
  advance(seconds: number): void
  /** The deliveries of a webhook, oldest first. */
  deliveries(webhook: WebhookRow): Promise<Delivery[]>
  /** Wait until the only delivery of a webhook has had this number of attempts. */
  waitForAttempts(webhook: WebhookRow, attempts: number): Promise<Delivery>
  attempts(webhook: WebhookRow): ReturnType<typeof listAttempts>
  /** Delete all webhooks, so that deliveries of one test do not disturb the next. */
  deleteAllWebhooks(): Promise<void>
}

export function createWebhookHelpers(testApp: TestApp): WebhookHelpers {
  const { app, db, organization } = testApp
  const deliveries = async (webhook: WebhookRow) =>
    (await listDeliveries(db, organization, { webhook: webhook.id }, 10_000)).reverse()
  return {
    deliveries,
    async addWebhook(target, event = 'contact.created') {
      const [owner] = await db<{ id: number }[]>`select id from users where kind = 'person' order by id limit 1`
      const input = { organization, user: owner!.id, event, target }
      return begin(db, (tx) => createWebhook(tx, app.clock.now(), input, app.deriveSecret(WEBHOOK_KEY_PURPOSE)))
    },
    secretOf: async (webhook) => decrypt(app.deriveSecret(WEBHOOK_KEY_PURPOSE), await readSealedSecret(db, webhook.id)),
    async emitEvents(...numbers) {
      for (const number of numbers) {
        const event: NewEvent = { organization, type: 'contact.created', data: { number }, author: 1 }
        await begin(db, (tx) => recordEvents(tx, app.clock.now(), [event]))
      }
      app.wake()
    },
    advance(seconds) {
      testApp.clock.advance(seconds)
      app.wake()
    },
    waitForAttempts: (webhook, attempts) =>
      eventually(`attempt ${attempts}`, async () =>
        (await deliveries(webhook)).find((delivery) => delivery.attempts === attempts),
      ),
    async attempts(webhook) {
      const [delivery] = await deliveries(webhook)
      return listAttempts(db, webhook.id, delivery!.event)
    },
    async deleteAllWebhooks() {
      const webhooks = await db<{ id: number }[]>`select id from webhooks where deleted is null`
      await begin(db, (tx) =>
        deleteWebhooks(
          tx,
          app.clock.now(),
          webhooks.map(({ id }) => id),
        ),
      )
    },
  }
}

/** Give up all notifications that wait for a retry, as after their last attempt. */
export async function giveUpRetries(db: Database): Promise<void> {
  await db`update webhook_attempts set retry_at = null`
  await db`delete from webhook_retries`
}

/** The numbers that `emitEvents` got, in the order of arrival. */
export function eventNumbers(received: readonly Received[]): number[] {
  return received.map(({ body }) => JSON.parse(body).data.number)
}
