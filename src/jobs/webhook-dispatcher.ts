import { type AttemptResult, type DueDelivery, MAX_CLAIMED, type WebhookLease } from '../core/events/attempts.ts'

/** The most notifications to one webhook that are under way at once (interface-gaps: Webhooks). */
const MAX_IN_FLIGHT = 8
/** The most that are under way or wait to be recorded: these, and no more, come twice when the process is killed. */
const MAX_UNRECORDED = 16

/** What this process holds of one webhook, and where its sends stand. */
interface WebhookQueue {
  leased_until: Date
  claimed: Set<number>
  in_flight: number
  /** Those under way, and those whose outcome is not recorded yet. */
  unrecorded: number
  /** Those who wait for their turn, first come first served. */
  queue: (() => void)[]
  /** Whether the attempt that ended last failed; undefined when that could not be written down. */
  failing: boolean | undefined
  /** Whether it took long. */
  slow: boolean
}

/** Most receivers answer within milliseconds. */
const SLOW_AFTER_MS = 1_000

type ReleasedLease = Pick<WebhookLease, 'webhook' | 'leased_until'>
type DeliveryKey = Pick<DueDelivery, 'webhook' | 'event'>

/**
 * The webhooks that this process has leased. As each is sent to by one process alone, the order of its deliveries and the
 * number under way are kept here, in memory.
 */
export class WebhookDispatcher {
  readonly #queues = new Map<number, WebhookQueue>()
  #size = 0

  /** How many deliveries are in hand, over all webhooks. */
  get size(): number {
    return this.#size
  }

  /** What is held, for the next claim. What is empty and whose lease is over is held no longer. */
  leases(real: Date): WebhookLease[] {
    for (const [webhook, { claimed, leased_until }] of this.#queues)
      if (claimed.size === 0 && leased_until <= real) this.#queues.delete(webhook)
    return [...this.#queues].map(([webhook, { leased_until, claimed, slow }]) => ({
      webhook,
      leased_until,
      claimed: [...claimed],
      slow,
    }))
  }

  /** Takes up what a claim has brought. */
  addClaimed(deliveries: readonly DueDelivery[], leased_until: Date): void {
    for (const { webhook, event, failing } of deliveries) {
      const fresh: WebhookQueue = {
        leased_until,
        claimed: new Set(),
        in_flight: 0,
        unrecorded: 0,
        queue: [],
        failing,
        slow: false,
      }
      const holding = this.#queues.get(webhook) ?? fresh
      this.#queues.set(webhook, holding)
      holding.leased_until = leased_until
      holding.claimed.add(event)
      this.#size += 1
    }
  }

  /**
   * Does some work when it is this delivery's turn: in the order of the calls, a few at once. Others follow when it has
   * ended, as long as there is not too much to record, and when it has been put down.
   */
  async enqueue<T>(delivery: DeliveryKey, work: () => Promise<T>): Promise<T> {
    const holding = this.#queues.get(delivery.webhook)!
    await new Promise<void>((resolve) => {
      holding.queue.push(resolve)
      startNext(holding)
    })
    try {
      return await work()
    } finally {
      holding.in_flight -= 1
      startNext(holding)
    }
  }

  /** Whether the webhook has turned with this outcome, which is remembered. */
  updateHealth({ webhook, failure, duration_ms }: AttemptResult): AttemptResult['health_change'] {
    const holding = this.#queues.get(webhook)!
    const failed = failure !== null
    holding.slow = duration_ms > SLOW_AFTER_MS
    if (holding.failing === failed) return undefined
    holding.failing = failed
    return failed ? 'failing' : 'recovered'
  }

  /** The leases that can be given back when these deliveries are put down. */
  releasableLeases(done: readonly DeliveryKey[]): ReleasedLease[] {
    const left = new Map<number, number>()
    for (const { webhook } of done)
      left.set(webhook, (left.get(webhook) ?? this.#queues.get(webhook)!.claimed.size) - 1)
    return [...left].flatMap(([webhook, count]) =>
      count === 0 ? [{ webhook, leased_until: this.#queues.get(webhook)!.leased_until }] : [],
    )
  }

  /** Puts deliveries down that have had their turn and forgets leases that were given back, unless a claim has renewed them in between. */
  release(deliveries: readonly DeliveryKey[], releases: readonly ReleasedLease[] = []): void {
    for (const { webhook, event } of deliveries) {
      const holding = this.#queues.get(webhook)
      if (!holding?.claimed.delete(event)) continue
      this.#size -= 1
      holding.unrecorded -= 1
      startNext(holding)
    }
    for (const { webhook, leased_until } of releases) {
      const holding = this.#queues.get(webhook)
      if (holding?.claimed.size === 0 && holding.leased_until === leased_until) this.#queues.delete(webhook)
    }
  }

  /** Whether it is worth while to claim more for one of these webhooks: claims are few and large rather than many and small. */
  needsMore(done: readonly DeliveryKey[]): boolean {
    return done.some(({ webhook }) => (this.#queues.get(webhook)?.claimed.size ?? 0) <= MAX_CLAIMED / 2)
  }

  /** An outcome could not be written down, so what is known about the webhook's health may be wrong. */
  quarantine(webhook: number): void {
    const holding = this.#queues.get(webhook)
    if (holding) holding.failing = undefined
  }
}

/** Lets those go who wait, as far as there is room for them. */
function startNext(holding: WebhookQueue): void {
  while (holding.queue.length > 0 && holding.in_flight < MAX_IN_FLIGHT && holding.unrecorded < MAX_UNRECORDED) {
    holding.in_flight += 1
    holding.unrecorded += 1
    holding.queue.shift()!()
  }
}
