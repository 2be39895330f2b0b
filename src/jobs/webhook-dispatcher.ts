import type { AttemptResult, Progress } from '../core/events/attempts.ts'
import { type DueNotification, MAX_CLAIMED, type WebhookLease } from '../core/events/claims.ts'

/** The notifications that are sent to one webhook at the same time, at most (interface-gaps: Webhooks). */
const MAX_IN_FLIGHT = 8
/** The notifications in flight or not yet recorded, at most. Only these are sent twice when the process is killed. */
const MAX_UNRECORDED = 32

/** The deliveries of one leased webhook in this process, and the progress of its sends. */
interface WebhookQueue {
  leased_until: Date
  claimed: Set<number>
  /** Those of the claimed ones that are sent for the first time. */
  first: Set<number>
  /** The newest event that was claimed for the first time; null after one was given back unsent. */
  read_until: number | null
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

type DeliveryKey = Pick<DueNotification, 'webhook' | 'event'>

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
      const { leased_until, claimed, read_until, slow } = queue
      return hasEnough(queue) ? [] : [{ webhook, leased_until, read_until, claimed: [...claimed], slow }]
    })
  }

  /** The webhooks that have enough deliveries for now. Few large claims cost less than many small ones. */
  supplied(): number[] {
    return [...this.#queues].flatMap(([webhook, queue]) => (hasEnough(queue) ? [webhook] : []))
  }

  /** Adds the deliveries of a claim. */
  addClaimed(deliveries: readonly DueNotification[], leased_until: Date): void {
    for (const { webhook, event, attempt, failing } of deliveries) {
      const added: WebhookQueue = {
        leased_until,
        claimed: new Set(),
        first: new Set(),
        read_until: null,
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
      if (attempt === 1) {
        queue.first.add(event)
        queue.read_until = Math.max(queue.read_until ?? 0, event)
      }
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

  /** How far the webhooks of these deliveries have come when their results are recorded, and which leases end with them. */
  progress(finished: readonly DeliveryKey[]): Progress[] {
    return [...Map.groupBy(finished, ({ webhook }) => webhook)].map(([webhook, deliveries]) => {
      const { claimed, first, read_until, leased_until } = this.#queues.get(webhook)!
      const done = new Set(deliveries.map(({ event }) => event))
      const open = [...first].filter((event) => !done.has(event))
      const position = read_until === null ? null : open.length === 0 ? read_until : Math.min(...open) - 1
      const is_last = [...claimed].every((event) => done.has(event))
      return { webhook, position, released: is_last ? leased_until : null }
    })
  }

  /** Gives deliveries back that were not sent: they are read again. */
  giveBack(deliveries: readonly DeliveryKey[]): void {
    for (const { webhook } of deliveries) {
      const queue = this.#queues.get(webhook)
      if (queue) queue.read_until = null
    }
    this.release(deliveries)
  }

  /** Removes finished deliveries, and webhooks whose leases were released, unless a claim has renewed the lease meanwhile. */
  release(deliveries: readonly DeliveryKey[], progress: readonly Progress[] = []): void {
    for (const { webhook, event } of deliveries) {
      const queue = this.#queues.get(webhook)
      if (!queue?.claimed.delete(event)) continue
      queue.first.delete(event)
      this.#size -= 1
      queue.unrecorded -= 1
      startNext(queue)
    }
    for (const { webhook, released } of progress) {
      const queue = this.#queues.get(webhook)
      if (queue?.claimed.size === 0 && queue.leased_until === released) this.#queues.delete(webhook)
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
