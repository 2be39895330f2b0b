/** What became of one item of a batch: its result, or the error that it alone gets. */
export type Settled<Out> = { ok: true; value: Out } | { ok: false; error: unknown }

export interface BatchOptions<In, Out> {
  /** Does the work for many items at once, in order: one answer for each item. */
  flush(items: In[]): Promise<Settled<Out>[]>
  /** Whether a failed flush may be repeated item by item. False when it may have been committed. */
  mayReplay(error: unknown): boolean
  /** Whether an item that failed alone came second to another process, and fares better when it is tried once more. */
  wasOvertaken?(error: unknown): boolean
  /** The most items of one flush. */
  most: number
  /** How many flushes may be under way at once. */
  flushes?: number
  /**
   * When the line is too long: so many wait, or the first of them has waited so long. Then `overloaded` makes the error that
   * refuses the newcomer, who loses less by coming back than by joining callers whose patience ends before their turn.
   */
  waiting?: { most: number; longest_ms: number; overloaded(): Error }
}

/**
 * Turns concurrent calls of one write into one call for many. There is no timer: a lone call is flushed at once, and
 * what arrives while flushes are under way gathers for the next one, so that many callers share one commit.
 * A flush that fails is replayed once, item by item, so that one bad item never spoils its neighbours and one that was
 * overtaken by another process sees what that one committed.
 */
export function createBatch<In, Out>(options: BatchOptions<In, Out>): (item: In) => Promise<Out> {
  const waiting: Waiter<In, Out>[] = []
  let under_way = 0
  let scheduled = false

  function flushNext(): void {
    scheduled = false
    while (under_way < (options.flushes ?? 2) && waiting.length > 0) {
      under_way += 1
      // Sharing what waits between the flushes that are still free keeps both halves of the machine busy.
      const share = waiting.splice(0, options.most)
      void settle(options, share).finally(() => {
        under_way -= 1
        flushNext()
      })
    }
  }

  function isTooLong({ most, longest_ms }: { most: number; longest_ms: number }): boolean {
    const [first] = waiting
    return first !== undefined && (waiting.length >= most || performance.now() - first.since_ms > longest_ms)
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      if (options.waiting && isTooLong(options.waiting)) {
        reject(options.waiting.overloaded())
        return
      }
      waiting.push({ item, since_ms: performance.now(), resolve, reject })
      if (scheduled || under_way >= (options.flushes ?? 2)) return
      // The requests that arrived in the same turn of the event loop travel together.
      scheduled = true
      setImmediate(flushNext)
    })
}

/** Who is overtaken this often in a row has met something other than bad luck. */
const MOST_REPLAYS = 4

interface Waiter<In, Out> {
  item: In
  since_ms: number
  resolve(value: Out): void
  reject(error: unknown): void
}

async function settle<In, Out>(options: BatchOptions<In, Out>, share: Waiter<In, Out>[], replays = 0): Promise<void> {
  try {
    const answers = await options.flush(share.map((waiter) => waiter.item))
    share.forEach((waiter, index) => {
      const answer = answers[index]
      if (answer?.ok) waiter.resolve(answer.value)
      else waiter.reject(answer ? answer.error : new Error('A batch left an item without an answer.'))
    })
  } catch (error) {
    const again = replays === 0 ? options.mayReplay(error) : replays < MOST_REPLAYS && options.wasOvertaken?.(error)
    if (!again) for (const waiter of share) waiter.reject(error)
    else for (const waiter of share) await settle(options, [waiter], replays + 1)
  }
}
