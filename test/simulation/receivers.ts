import { createWebhook, deleteWebhooks } from '../../src/core/events/webhooks.ts'
import { begin, type Database } from '../../src/db/client.ts'
import type { HttpResult } from '../../src/lib/http/outgoing-http.ts'
import type { Random } from './random.ts'
import type { Shop } from './store.ts'

/** Behaviour of a receiver. `gone` answers 410 once. */
export type ReceiverBehaviour = 'healthy' | 'failing' | 'silent' | 'gone'

/** A webhook and its receiver. */
export interface Receiver {
  webhook: number
  organization: number
  event: string
  target: string
  behaviour: ReceiverBehaviour
  /** Only events after this one are sent. */
  since: number
  /** Events up to this one are sent; later ones may be. Null while the webhook exists. */
  until: number | null
  /** Events that were sent at least once, in the order of their first sends. */
  seen: number[]
  /** Events for which the receiver has answered with a 2xx. */
  confirmed: Set<number>
}

/** The receivers of the shops' webhooks. */
export interface Receivers {
  all: Receiver[]
  /** The rules that the service violated at the receivers. */
  violations: string[]
  listen(shop: Shop, event: string, now: Date, sealing_key: string): Promise<Receiver>
  stop(receiver: Receiver, now: Date): Promise<void>
  /** Called before a notification is sent. The time of its transport does not count. */
  recordSend(target: URL, headers: Record<string, string>): void
  /** Receive the notifications instead of the network. */
  post(target: URL, headers: Record<string, string>, body: string): Promise<HttpResult>
}

const EMPTY_EXCHANGE = { remote_address: null, headers: null, body: null, duration_ms: 5 }

/** @param db a separate connection; the simulated processes do not use it */
export function createReceivers(db: Database, random: Random): Receivers {
  const receivers: Receivers = {
    all: [],
    violations: [],
    async listen(shop, event, at, sealing_key) {
      const target = `https://shop.example/${receivers.all.length}`
      const { organization, user } = shop
      const row = await begin(db, (tx) => createWebhook(tx, at, { organization, user, event, target }, sealing_key))
      const receiver: Receiver = {
        webhook: row.id,
        organization,
        event,
        target,
        behaviour: 'healthy',
        since: await newestEvent(db),
        until: null,
        seen: [],
        confirmed: new Set(),
      }
      receivers.all.push(receiver)
      return receiver
    },
    async stop(receiver, at) {
      await begin(db, (tx) => deleteWebhooks(tx, at, [receiver.webhook]))
      receiver.until ??= await newestEvent(db)
    },
    recordSend(target, headers) {
      const { receiver, event } = findReceiver(receivers, target, headers)
      if (receiver.seen.includes(event)) return
      const last = receiver.seen.at(-1) ?? 0
      if (event < last)
        receivers.violations.push(`Webhook ${receiver.webhook} was told of event ${event} after event ${last}.`)
      receiver.seen.push(event)
    },
    async post(target, headers) {
      const { receiver, event } = findReceiver(receivers, target, headers)
      if (receiver.behaviour === 'silent') return { ...EMPTY_EXCHANGE, failure: 'timeout', status: null }
      if (receiver.behaviour === 'failing' && random.chance(0.8))
        return { ...EMPTY_EXCHANGE, failure: 'status', status: 500 }
      if (receiver.behaviour === 'gone') {
        receiver.until ??= await newestEvent(db)
        return { ...EMPTY_EXCHANGE, failure: 'status', status: 410 }
      }
      receiver.confirmed.add(event)
      return { ...EMPTY_EXCHANGE, failure: null, status: 200 }
    },
  }
  return receivers
}

function findReceiver(receivers: Receivers, target: URL, headers: Record<string, string>) {
  const receiver = receivers.all.find((one) => one.target === target.href)!
  return { receiver, event: Number(/_(\d+)$/.exec(headers['webhook-id']!)![1]) }
}

export async function newestEvent(db: Database): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    select case when is_called then last_value else last_value - 1 end as id from events_id_seq`
  return row!.id
}
