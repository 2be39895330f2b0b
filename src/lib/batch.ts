/** What became of one item of a batch: its result, or the error that it alone gets. */
export type ItemResult<Out> = { ok: true; value: Out } | { ok: false; error: unknown }

export interface BatchOptions<In, Out> {
  /** Does the work for many items at once, in order: one answer for each item. */
  flush(items: In[]): Promise<ItemResult<Out>[]>
  /** Whether a failed flush may be repeated item by item. False when it may have been committed. */
  mayRetry(error: unknown): boolean
  /** Whether an item that failed alone came second to another process, and fares better when it is tried once more. */
  isWriteConflict?(error: unknown): boolean
  /** The most items of one flush. */
  max_items: number
  /** How many flushes may be under way at once. */
  concurrency?: number
  /**
   * When the line is too long: so many wait, or the first of them has waited so long. Then `overloaded` makes the error that
   * refuses the newcomer, who loses less by coming back than by joining callers whose patience ends before their turn.
   */
  queue_limits?: { max_items: number; max_wait_ms: number; overloadError(): Error }
}

/**
 * Turns concurrent calls of one write into one call for many. There is no timer: a lone call is flushed at once, and
 * what arrives while flushes are under way gathers for the next one, so that many callers share one commit.
 * A flush that fails is replayed once, item by item, so that one bad item never spoils its neighbours and one that was
 * overtaken by another process sees what that one committed.
 */
export function createBatcher<In, Out>(options: BatchOptions<In, Out>): (item: In) => Promise<Out> {
  const waiting: QueuedItem<In, Out>[] = []
  let under_way = 0
  let scheduled = false

  function flushNext(): void {
    scheduled = false
    while (under_way < (options.concurrency ?? 2) && waiting.length > 0) {
      under_way += 1
      // Sharing what waits between the flushes that are still free keeps both halves of the machine busy.
      const share = waiting.splice(0, options.max_items)
      void flushItems(options, share).finally(() => {
        under_way -= 1
        flushNext()
      })
    }
  }

  function isTooLong({ max_items, max_wait_ms }: { max_items: number; max_wait_ms: number }): boolean {
    const [first] = waiting
    return first !== undefined && (waiting.length >= max_items || performance.now() - first.queued_at_ms > max_wait_ms)
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      if (options.queue_limits && isTooLong(options.queue_limits)) {
        reject(options.queue_limits.overloadError())
        return
      }
      waiting.push({ item, queued_at_ms: performance.now(), resolve, reject })
      if (scheduled || under_way >= (options.concurrency ?? 2)) return
      // The requests that arrived in the same turn of the event loop travel together.
      scheduled = true
      setImmediate(flushNext)
    })
}

/** Who is overtaken this often in a row has met something other than bad luck. */
const MAX_RETRIES = 4

interface QueuedItem<In, Out> {
  item: In
  queued_at_ms: number
  resolve(value: Out): void
  reject(error: unknown): void
}

async function flushItems<In, Out>(
  options: BatchOptions<In, Out>,
  share: QueuedItem<In, Out>[],
  replays = 0,
): Promise<void> {
  try {
    const answers = await options.flush(share.map((waiter) => waiter.item))
    share.forEach((waiter, index) => {
      const answer = answers[index]
      if (answer?.ok) waiter.resolve(answer.value)
      else waiter.reject(answer ? answer.error : new Error('A batch left an item without an answer.'))
    })
  } catch (error) {
    const again = replays === 0 ? options.mayRetry(error) : replays < MAX_RETRIES && options.isWriteConflict?.(error)
    if (!again) for (const waiter of share) waiter.reject(error)
    else for (const waiter of share) await flushItems(options, [waiter], replays + 1)
  }
}
