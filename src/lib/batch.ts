/** The result of one item of a batch: a value, or an error for this item alone. */
export type ItemResult<Out> = { ok: true; value: Out } | { ok: false; error: unknown }

export interface BatchOptions<In, Out> {
  /** Does the work for many items at once. Returns one result for each item, in the same order. */
  flush(items: In[]): Promise<ItemResult<Out>[]>
  /** Whether a failed flush may be repeated item by item. False when the transaction may have been committed. */
  mayRetry(error: unknown): boolean
  /** Whether an item failed alone because another process wrote first, so that another try may succeed. */
  isWriteConflict?(error: unknown): boolean
  /** Called with the error of a flush that is repeated item by item, and the number of its items. */
  onRepeat?(error: unknown, size: number): void
  /** The most items of one flush. */
  max_items: number
  /** How many flushes may run at the same time. */
  concurrency?: number
  /**
   * When the queue is too long: too many items wait, or the first one has waited too long. Then a new item is refused
   * with `overloadError`. To retry later costs its caller less than to wait until its request times out.
   */
  queue_limits?: { max_items: number; max_wait_ms: number; overloadError(): Error }
}

/**
 * Combines concurrent calls of one write. There is no timer: a single call is flushed at once. Items that arrive during
 * a flush wait for the next one, so many callers share one commit. A failed flush is repeated once, item by item. So a
 * faulty item does not fail the other items, and after a write conflict an item reads what the other process committed.
 * If one of them must not be repeated either, because the database is out of reach, the items after it fail with its error.
 */
export function createBatcher<In, Out>(options: BatchOptions<In, Out>): (item: In) => Promise<Out> {
  const waiting: QueuedItem<In, Out>[] = []
  let running = 0
  let scheduled = false

  function flushNext(): void {
    scheduled = false
    while (running < (options.concurrency ?? 2) && waiting.length > 0) {
      running += 1
      const items = waiting.splice(0, options.max_items)
      void flushItems(options, items).finally(() => {
        running -= 1
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
      if (scheduled || running >= (options.concurrency ?? 2)) return
      // Items of the same turn of the event loop share one flush.
      scheduled = true
      setImmediate(flushNext)
    })
}

/** After this many write conflicts in a row, the cause is something other than chance. */
const MAX_RETRIES = 4

interface QueuedItem<In, Out> {
  item: In
  queued_at_ms: number
  resolve(value: Out): void
  reject(error: unknown): void
}

/** @returns the error of an item that must not be repeated, after which nothing more is tried */
async function flushItems<In, Out>(
  options: BatchOptions<In, Out>,
  queued: QueuedItem<In, Out>[],
  retries = 0,
): Promise<{ outage: unknown } | undefined> {
  try {
    const results = await options.flush(queued.map(({ item }) => item))
    queued.forEach(({ resolve, reject }, index) => {
      const result = results[index]
      if (result?.ok) resolve(result.value)
      else reject(result ? result.error : new Error('A flush returned no result for an item.'))
    })
  } catch (error) {
    const retry = retries === 0 ? options.mayRetry(error) : retries < MAX_RETRIES && options.isWriteConflict?.(error)
    if (!retry) {
      for (const { reject } of queued) reject(error)
      return options.mayRetry(error) ? undefined : { outage: error }
    }
    if (retries === 0) options.onRepeat?.(error, queued.length)
    for (const [index, one] of queued.entries()) {
      const failed = await flushItems(options, [one], retries + 1)
      if (!failed) continue
      // Each of the others would only wait for the same database.
      for (const { reject } of queued.slice(index + 1)) reject(failed.outage)
      return failed
    }
  }
}
