import { attemptsOf, type Delivery, deleteWebhooks, listDeliveries } from '../../src/core/events/deliveries.ts'
import { type NewEvent, recordEvents } from '../../src/core/events/events.ts'
import { createWebhook, SEALING_PURPOSE, sealedSecret, type WebhookRow } from '../../src/core/events/webhooks.ts'
import { begin } from '../../src/db/client.ts'
import { open } from '../../src/lib/secrets.ts'
import { eventually, type House } from '../test-app.ts'
import type { Received } from '../receiver.ts'

/** What tests of notifications do with a house. */
export interface Notified {
  /** Makes a webhook of the demo organization for contact.created, or for another event. */
  webhook(target: string, event?: string): Promise<WebhookRow>
  secretOf(webhook: WebhookRow): Promise<string>
  /** Records events, each with a number in its data, in transactions of their own; wakes the jobs. */
  happen(...numbers: number[]): Promise<void>
  /** Moves the clock and wakes the jobs. */
  pass(seconds: number): void
  /** The deliveries of a webhook, oldest first. */
  deliveries(webhook: WebhookRow): Promise<Delivery[]>
  /** Waits until the only delivery of a webhook has had so many attempts. */
  attempted(webhook: WebhookRow, attempts: number): Promise<Delivery>
  attempts(webhook: WebhookRow): ReturnType<typeof attemptsOf>
  /** Deletes all webhooks, so that what a test has left behind does not disturb the next one. */
  forget(): Promise<void>
}

export function notified(house: House): Notified {
  const { app, db, organization } = house
  const deliveries = async (webhook: WebhookRow) =>
    (await listDeliveries(db, organization, { webhook: webhook.id }, 10_000)).reverse()
  return {
    deliveries,
    async webhook(target, event = 'contact.created') {
      const [owner] = await db<{ id: number }[]>`select id from users where kind = 'person' order by id limit 1`
      const input = { organization, user: owner!.id, event, target }
      return begin(db, (tx) => createWebhook(tx, app.clock.now(), input, app.secret(SEALING_PURPOSE)))
    },
    secretOf: async (webhook) => open(app.secret(SEALING_PURPOSE), await sealedSecret(db, webhook.id)),
    async happen(...numbers) {
      for (const number of numbers) {
        const event: NewEvent = { organization, type: 'contact.created', data: { number }, author: 1 }
        await begin(db, (tx) => recordEvents(tx, app.clock.now(), [event]))
      }
      app.wake()
    },
    pass(seconds) {
      house.clock.advance(seconds)
      app.wake()
    },
    attempted: (webhook, attempts) =>
      eventually(`attempt ${attempts}`, async () =>
        (await deliveries(webhook)).find((delivery) => delivery.attempts === attempts),
      ),
    async attempts(webhook) {
      const [delivery] = await deliveries(webhook)
      return attemptsOf(db, webhook.id, delivery!.event)
    },
    async forget() {
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

/** The numbers that `happen` was given, as they arrived. */
export function numbersOf(received: readonly Received[]): number[] {
  return received.map((one) => JSON.parse(one.body).data.number)
}
