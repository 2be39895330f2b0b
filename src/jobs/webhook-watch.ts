import { findWebhooksBehind, findWebhooksOfEvents, findWebhooksToRetry } from '../core/events/claims.ts'
import { readFeedPosition } from '../core/events/events.ts'
import type { Reader } from '../db/client.ts'

/** Interval at which all webhooks are looked at. In between only new events and due retries count. */
const FULL_SCAN_INTERVAL_MS = 10_000
/** A webhook that could not be claimed is tried again after this time. */
const REST_MS = 500

/**
 * Watches which webhooks may have something to send, from the end of the feed: most checks read one sequence, however
 * many webhooks there are.
 */
export class WebhookWatch {
  /** Real time in milliseconds before which a webhook is left alone, by webhook. */
  readonly #open = new Map<number, number>()
  #seen = 0
  #full_look_at = Number.NEGATIVE_INFINITY
  #looked_at = Number.NEGATIVE_INFINITY

  /** The webhooks that may have something to send now. */
  async look(db: Reader, now: Date, real: Date): Promise<number[]> {
    const real_ms = real.getTime()
    // A clock that was set back must not let webhooks rest until it has caught up.
    const is_set_back = real_ms < this.#looked_at
    this.#looked_at = real_ms
    if (is_set_back) for (const webhook of this.#open.keys()) this.#open.set(webhook, 0)
    const { committed } = await readFeedPosition(db)
    // The ids go back when the sandbox is emptied or a backup is restored.
    if (is_set_back || real_ms >= this.#full_look_at || committed < this.#seen) {
      this.#full_look_at = real_ms + FULL_SCAN_INTERVAL_MS
      this.open(await findWebhooksBehind(db))
    } else if (committed > this.#seen) this.open(await findWebhooksOfEvents(db, this.#seen, committed))
    this.#seen = committed
    this.open(await findWebhooksToRetry(db, now))
    return [...this.#open].flatMap(([webhook, from_ms]) => (from_ms <= real_ms ? [webhook] : []))
  }

  /** Webhooks that may have something to send. */
  open(webhooks: readonly number[]): void {
    for (const webhook of webhooks) if (!this.#open.has(webhook)) this.#open.set(webhook, 0)
  }

  /** True if one of these webhooks may have something to send. */
  hasOpen(these: readonly { webhook: number }[]): boolean {
    return these.some(({ webhook }) => this.#open.has(webhook))
  }

  /** Closes webhooks whose due notifications are all claimed. */
  close(webhooks: readonly number[]): void {
    for (const webhook of webhooks) this.#open.delete(webhook)
  }

  /** Webhooks that could not be claimed. */
  rest(webhooks: readonly number[], real: Date): void {
    for (const webhook of webhooks) this.#open.set(webhook, real.getTime() + REST_MS)
  }
}
