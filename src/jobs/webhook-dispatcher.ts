import { type AttemptResult, type DueDelivery, type Hold, MOST_TAKEN } from '../core/events/attempts.ts'

/** The most notifications to one webhook that are under way at once (interface-gaps: Webhooks). */
const MOST_UNDER_WAY = 8
/** The most that are under way or wait to be recorded: these, and no more, come twice when the process is killed. */
const MOST_OPEN = 16

/** What this process holds of one webhook, and where its sends stand. */
interface Holding {
  leased_until: Date
  in_hand: Set<number>
  under_way: number
  /** Those under way, and those whose outcome is not recorded yet. */
  open: number
  /** Those who wait for their turn, first come first served. */
  queue: (() => void)[]
  /** Whether the attempt that ended last failed; undefined when that could not be written down. */
  failing: boolean | undefined
  /** Whether it took long. */
  slow: boolean
}

/** Most receivers answer within milliseconds. */
const SLOW_MS = 1_000

type Release = Pick<Hold, 'webhook' | 'leased_until'>
type Named = Pick<DueDelivery, 'webhook' | 'event'>

/**
 * The webhooks that this process has leased. As each is sent to by one process alone, the order of its deliveries and the
 * number under way are kept here, in memory.
 */
export class Holdings {
  readonly #holdings = new Map<number, Holding>()
  #size = 0

  /** How many deliveries are in hand, over all webhooks. */
  get size(): number {
    return this.#size
  }

  /** What is held, for the next claim. What is empty and whose lease is over is held no longer. */
  list(real: Date): Hold[] {
    for (const [webhook, { in_hand, leased_until }] of this.#holdings)
      if (in_hand.size === 0 && leased_until <= real) this.#holdings.delete(webhook)
    return [...this.#holdings].map(([webhook, { leased_until, in_hand, slow }]) => ({
      webhook,
      leased_until,
      in_hand: [...in_hand],
      slow,
    }))
  }

  /** Takes up what a claim has brought. */
  take(deliveries: readonly DueDelivery[], leased_until: Date): void {
    for (const { webhook, event, failing } of deliveries) {
      const fresh: Holding = {
        leased_until,
        in_hand: new Set(),
        under_way: 0,
        open: 0,
        queue: [],
        failing,
        slow: false,
      }
      const holding = this.#holdings.get(webhook) ?? fresh
      this.#holdings.set(webhook, holding)
      holding.leased_until = leased_until
      holding.in_hand.add(event)
      this.#size += 1
    }
  }

  /**
   * Does some work when it is this delivery's turn: in the order of the calls, a few at once. Others follow when it has
   * ended, as long as there is not too much to record, and when it has been put down.
   */
  async inTurn<T>(delivery: Named, work: () => Promise<T>): Promise<T> {
    const holding = this.#holdings.get(delivery.webhook)!
    await new Promise<void>((resolve) => {
      holding.queue.push(resolve)
      startNext(holding)
    })
    try {
      return await work()
    } finally {
      holding.under_way -= 1
      startNext(holding)
    }
  }

  /** Whether the webhook has turned with this outcome, which is remembered. */
  turn({ webhook, failure, duration_ms }: AttemptResult): AttemptResult['turned'] {
    const holding = this.#holdings.get(webhook)!
    const failed = failure !== null
    holding.slow = duration_ms > SLOW_MS
    if (holding.failing === failed) return undefined
    holding.failing = failed
    return failed ? 'bad' : 'good'
  }

  /** The leases that can be given back when these deliveries are put down. */
  releasable(done: readonly Named[]): Release[] {
    const left = new Map<number, number>()
    for (const { webhook } of done)
      left.set(webhook, (left.get(webhook) ?? this.#holdings.get(webhook)!.in_hand.size) - 1)
    return [...left].flatMap(([webhook, count]) =>
      count === 0 ? [{ webhook, leased_until: this.#holdings.get(webhook)!.leased_until }] : [],
    )
  }

  /** Puts deliveries down that have had their turn and forgets leases that were given back, unless a claim has renewed them in between. */
  putDown(deliveries: readonly Named[], releases: readonly Release[] = []): void {
    for (const { webhook, event } of deliveries) {
      const holding = this.#holdings.get(webhook)
      if (!holding?.in_hand.delete(event)) continue
      this.#size -= 1
      holding.open -= 1
      startNext(holding)
    }
    for (const { webhook, leased_until } of releases) {
      const holding = this.#holdings.get(webhook)
      if (holding?.in_hand.size === 0 && holding.leased_until === leased_until) this.#holdings.delete(webhook)
    }
  }

  /** Whether it is worth while to claim more for one of these webhooks: claims are few and large rather than many and small. */
  runsLow(done: readonly Named[]): boolean {
    return done.some(({ webhook }) => (this.#holdings.get(webhook)?.in_hand.size ?? 0) <= MOST_TAKEN / 2)
  }

  /** An outcome could not be written down, so what is known about the webhook's health may be wrong. */
  doubt(webhook: number): void {
    const holding = this.#holdings.get(webhook)
    if (holding) holding.failing = undefined
  }
}

/** Lets those go who wait, as far as there is room for them. */
function startNext(holding: Holding): void {
  while (holding.queue.length > 0 && holding.under_way < MOST_UNDER_WAY && holding.open < MOST_OPEN) {
    holding.under_way += 1
    holding.open += 1
    holding.queue.shift()!()
  }
}
