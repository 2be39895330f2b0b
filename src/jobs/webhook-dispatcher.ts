import type { AttemptResult } from '../core/events/attempts.ts'
import {
  type ClaimedNotifications,
  type DueNotification,
  MAX_CLAIMED,
  type Reading,
  type WebhookLease,
} from '../core/events/claims.ts'

/** Maximum number of notifications sent to one webhook at the same time (interface-gaps: Webhooks). */
const MAX_IN_FLIGHT = 8
/**
 * Maximum number of notifications in flight or not yet recorded. Only these are sent twice when the process is killed.
 */
const MAX_UNRECORDED = 32

/** The deliveries of one leased webhook in this process, and the progress of its sends. */
interface WebhookQueue extends Omit<WebhookLease, 'webhook' | 'claimed' | 'position'> {
  claimed: Set<number>
  /** Claimed deliveries that are sent for the first time. */
  first: Set<number>
  /** Events that were claimed for the first time and not sent. They are read again. */
  unsent: Set<number>
  in_flight: number
  /** The deliveries in flight, and those whose result is not recorded yet. */
  unrecorded: number
  /** Starts the waiting deliveries, in the order of the calls. */
  waiting: (() => void)[]
  /** True if the last attempt failed; undefined when its result could not be recorded. */
  failing: boolean | undefined
}

/** Most receivers answer within milliseconds. */
const SLOW_AFTER_MS = 1_000

type DeliveryKey = Pick<DueNotification, 'webhook' | 'event'>

/** A lease to end, with the position of its webhook. */
type EndedLease = Pick<WebhookLease, 'webhook' | 'position' | 'leased_until'>

/**
 * Webhooks that this process has leased. Only one process sends to a webhook at a time, so the order of its deliveries
 * and the number in flight stay in memory here.
 */
export class WebhookDispatcher {
  readonly #queues = new Map<number, WebhookQueue>()
  #size = 0

  /** The number of claimed deliveries of all webhooks. */
  get size(): number {
    return this.#size
  }

  /**
   * Returns the leases that the next claim has to respect, without webhooks that have enough deliveries. Forgets
   * webhooks without deliveries whose lease has ended.
   */
  leases(real: Date): WebhookLease[] {
    for (const [webhook, { claimed, leased_until }] of this.#queues)
      if (claimed.size === 0 && leased_until <= real) this.#queues.delete(webhook)
    return [...this.#queues].flatMap(([webhook, queue]) => {
      const { leased_until, claimed, seen_until, slow } = queue
      const lease = {
        webhook,
        leased_until,
        seen_until,
        slow,
        position: positionOf(queue),
        read_until: readUntil(queue),
        claimed: [...claimed],
      }
      return hasEnough(queue) ? [] : [lease]
    })
  }

  /** The webhooks that have enough deliveries for now. Few large claims cost less than many small ones. */
  supplied(): number[] {
    return [...this.#queues].flatMap(([webhook, queue]) => (hasEnough(queue) ? [webhook] : []))
  }

  /** Adds the deliveries of a claim. */
  addClaimed({ due, readings }: Pick<ClaimedNotifications, 'due' | 'readings'>): void {
    for (const { webhook, leased_until, read_until, seen_until, failing } of readings) {
      const queue = this.#queues.get(webhook) ?? createQueue(failing)
      this.#queues.set(webhook, Object.assign(queue, { leased_until, read_until, seen_until }))
    }
    for (const { webhook, event, attempt } of due) {
      const queue = this.#queues.get(webhook)!
      queue.claimed.add(event)
      if (attempt === 1) queue.first.add(event)
      queue.unsent.delete(event)
      this.#size += 1
    }
  }

  /**
   * Runs `work` when it is this delivery's turn: in the order of the calls, MAX_IN_FLIGHT at once, and as long as no more
   * than MAX_UNRECORDED results wait to be recorded.
   */
  async enqueue<T>(delivery: DeliveryKey, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(delivery.webhook)!
    await new Promise<void>((resolve) => {
      queue.waiting.push(resolve)
      startNext(queue)
    })
    try {
      return await work()
    } finally {
      queue.in_flight -= 1
      startNext(queue)
    }
  }

  /** Remembers the result of an attempt. Returns the change of the webhook's health, or undefined. */
  updateHealth({ webhook, failure, duration_ms }: AttemptResult): AttemptResult['health_change'] {
    const queue = this.#queues.get(webhook)!
    const failed = failure !== null
    queue.slow = duration_ms > SLOW_AFTER_MS
    if (queue.failing === failed) return undefined
    queue.failing = failed
    return failed ? 'failing' : 'recovered'
  }

  /** The end of the lease under which a delivery is sent. */
  leaseEnd({ webhook }: DeliveryKey): Date {
    return this.#queues.get(webhook)!.leased_until
  }

  /**
   * Returns the leases up to this time of webhooks that have nothing to send, and are not busy. A lease that ends says that
   * nothing behind the position was sent.
   */
  idle(until: Date, busy: ReadonlySet<number> = new Set()): EndedLease[] {
    return [...this.#queues].flatMap(([webhook, queue]) => {
      const { claimed, leased_until, seen_until } = queue
      const position = positionOf(queue)
      const is_idle = claimed.size === 0 && position >= seen_until && leased_until <= until && !busy.has(webhook)
      return is_idle ? [{ webhook, position, leased_until }] : []
    })
  }

  /** Forgets webhooks whose leases have ended. */
  forget(ended: readonly EndedLease[]): void {
    for (const { webhook } of ended) this.#queues.delete(webhook)
  }

  /** Gives deliveries back that were not sent: they are read again. */
  giveBack(deliveries: readonly DeliveryKey[]): void {
    for (const { webhook, event } of deliveries) {
      const queue = this.#queues.get(webhook)
      if (queue?.first.has(event)) queue.unsent.add(event)
    }
    this.release(deliveries)
  }

  /** Removes finished deliveries. */
  release(deliveries: readonly DeliveryKey[]): void {
    for (const { webhook, event } of deliveries) {
      const queue = this.#queues.get(webhook)
      if (!queue?.claimed.delete(event)) continue
      queue.first.delete(event)
      this.#size -= 1
      queue.unrecorded -= 1
      startNext(queue)
    }
  }

  /** True if one of these webhooks has not enough deliveries any more. */
  needsMore(finished: readonly DeliveryKey[]): boolean {
    return finished.some(({ webhook }) => {
      const queue = this.#queues.get(webhook)
      return queue === undefined || !hasEnough(queue)
    })
  }

  /** Forgets the health of a webhook, because the result of an attempt could not be recorded. */
  quarantine(webhook: number): void {
    const queue = this.#queues.get(webhook)
    if (queue) queue.failing = undefined
  }
}

function createQueue(failing: boolean): Omit<WebhookQueue, keyof Reading> & { failing: boolean } {
  return {
    claimed: new Set(),
    first: new Set(),
    unsent: new Set(),
    in_flight: 0,
    unrecorded: 0,
    waiting: [],
    failing,
    slow: false,
  }
}

/** The event up to which all were claimed, or sent before. */
function readUntil({ read_until, unsent }: WebhookQueue): number {
  return Math.min(read_until, ...[...unsent].map((event) => event - 1))
}

/** The event up to which all were sent at least once. */
function positionOf(queue: WebhookQueue): number {
  return Math.min(readUntil(queue), ...[...queue.first].map((event) => event - 1))
}

/** True if a webhook has more than half of the deliveries that it may have. */
function hasEnough({ claimed, slow }: WebhookQueue): boolean {
  return !slow && claimed.size > MAX_CLAIMED / 2
}

/** Starts waiting deliveries while there is room. */
function startNext(queue: WebhookQueue): void {
  while (queue.waiting.length > 0 && queue.in_flight < MAX_IN_FLIGHT && queue.unrecorded < MAX_UNRECORDED) {
    queue.in_flight += 1
    queue.unrecorded += 1
    queue.waiting.shift()!()
  }
}
