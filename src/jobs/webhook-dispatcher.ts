import { type AttemptResult, type DueDelivery, MAX_CLAIMED, type WebhookLease } from '../core/events/attempts.ts'

/** The notifications that are sent to one webhook at the same time, at most (interface-gaps: Webhooks). */
const MAX_IN_FLIGHT = 8
/** The notifications in flight or not yet recorded, at most. Only these are sent twice when the process is killed. */
const MAX_UNRECORDED = 32

/** The deliveries of one leased webhook in this process, and the progress of its sends. */
interface WebhookQueue {
  leased_until: Date
  claimed: Set<number>
  in_flight: number
  /** The deliveries in flight, and those whose result is not recorded yet. */
  unrecorded: number
  /** Starts the waiting deliveries, in the order of the calls. */
  waiting: (() => void)[]
  /** Whether the last attempt failed; undefined when its result could not be recorded. */
  failing: boolean | undefined
  /** Whether the last attempt was slow. */
  slow: boolean
}

/** Most receivers answer within milliseconds. */
const SLOW_AFTER_MS = 1_000

type ReleasedLease = Pick<WebhookLease, 'webhook' | 'leased_until'>
type DeliveryKey = Pick<DueDelivery, 'webhook' | 'event'>

/**
 * The webhooks that this process has leased. Only one process sends to a webhook at a time, so the order of its deliveries
 * and the number in flight are kept here, in memory.
 */
export class WebhookDispatcher {
  readonly #queues = new Map<number, WebhookQueue>()
  #size = 0

  /** The number of claimed deliveries of all webhooks. */
  get size(): number {
    return this.#size
  }

  /**
   * The leases that the next claim has to respect, without those of webhooks that have enough deliveries. Forgets webhooks without
   * deliveries whose lease has ended.
   */
  leases(real: Date): WebhookLease[] {
    for (const [webhook, { claimed, leased_until }] of this.#queues)
      if (claimed.size === 0 && leased_until <= real) this.#queues.delete(webhook)
    return [...this.#queues].flatMap(([webhook, queue]) => {
      const { leased_until, claimed, slow } = queue
      return hasEnough(queue) ? [] : [{ webhook, leased_until, claimed: [...claimed], slow }]
    })
  }

  /** The webhooks that have enough deliveries for now. Few large claims cost less than many small ones. */
  supplied(): number[] {
    return [...this.#queues].flatMap(([webhook, queue]) => (hasEnough(queue) ? [webhook] : []))
  }

  /** Adds the deliveries of a claim. */
  addClaimed(deliveries: readonly DueDelivery[], leased_until: Date): void {
    for (const { webhook, event, failing } of deliveries) {
      const added: WebhookQueue = {
        leased_until,
        claimed: new Set(),
        in_flight: 0,
        unrecorded: 0,
        waiting: [],
        failing,
        slow: false,
      }
      const queue = this.#queues.get(webhook) ?? added
      this.#queues.set(webhook, queue)
      queue.leased_until = leased_until
      queue.claimed.add(event)
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

  /** Remembers the result of an attempt. Returns how it changes the health of the webhook, or undefined. */
  updateHealth({ webhook, failure, duration_ms }: AttemptResult): AttemptResult['health_change'] {
    const queue = this.#queues.get(webhook)!
    const failed = failure !== null
    queue.slow = duration_ms > SLOW_AFTER_MS
    if (queue.failing === failed) return undefined
    queue.failing = failed
    return failed ? 'failing' : 'recovered'
  }

  /** The leases that end when these deliveries are released, because no other delivery of their webhooks is claimed. */
  releasableLeases(finished: readonly DeliveryKey[]): ReleasedLease[] {
    const left = new Map<number, number>()
    for (const { webhook } of finished)
      left.set(webhook, (left.get(webhook) ?? this.#queues.get(webhook)!.claimed.size) - 1)
    return [...left].flatMap(([webhook, count]) =>
      count === 0 ? [{ webhook, leased_until: this.#queues.get(webhook)!.leased_until }] : [],
    )
  }

  /** Removes finished deliveries, and webhooks whose leases were released, unless a claim has renewed the lease meanwhile. */
  release(deliveries: readonly DeliveryKey[], releases: readonly ReleasedLease[] = []): void {
    for (const { webhook, event } of deliveries) {
      const queue = this.#queues.get(webhook)
      if (!queue?.claimed.delete(event)) continue
      this.#size -= 1
      queue.unrecorded -= 1
      startNext(queue)
    }
    for (const { webhook, leased_until } of releases) {
      const queue = this.#queues.get(webhook)
      if (queue?.claimed.size === 0 && queue.leased_until === leased_until) this.#queues.delete(webhook)
    }
  }

  /** Whether one of these webhooks has not enough deliveries any more. */
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

/** Whether a webhook has more than half of the deliveries that it may have. */
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
