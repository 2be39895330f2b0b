import { type PartRules, workInParts } from './in-parts.ts'

/** The result of one item of a batch: a value, or an error for this item alone. */
export type ItemResult<Out> = { ok: true; value: Out } | { ok: false; error: unknown }

/** A flush that fails is repeated in parts, by these rules. */
export interface BatchOptions<In, Out> extends Omit<PartRules<In>, 'onFailure'> {
  /** Does the work for many items at once. Returns one result for each item, in the same order. */
  flush(items: In[]): Promise<ItemResult<Out>[]>
  /** Maximum number of items per flush. */
  max_items: number
  /** Maximum number of flushes that run at the same time. */
  concurrency?: number
  /**
   * Limits of the queue: if too many items wait, or the first one has waited too long, a new item is refused with
   * `overloadError`. A later retry costs its caller less than a wait until its request times out.
   */
  queue_limits?: { max_items: number; max_wait_ms: number; overloadError(): Error }
}

/**
 * Combines concurrent calls of one write. There is no timer: a single call is flushed at once. Items that arrive during
 * a flush wait for the next one, so many callers share one commit. A failed flush is repeated in parts (`workInParts`),
 * so a faulty item does not fail the other items.
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

interface QueuedItem<In, Out> {
  item: In
  queued_at_ms: number
  resolve(value: Out): void
  reject(error: unknown): void
}

function flushItems<In, Out>(options: BatchOptions<In, Out>, queued: readonly QueuedItem<In, Out>[]): Promise<void> {
  const flush = async (part: readonly QueuedItem<In, Out>[]) => {
    const results = await options.flush(part.map(({ item }) => item))
    part.forEach(({ resolve, reject }, index) => {
      const result = results[index]
      if (result?.ok) resolve(result.value)
      else reject(result ? result.error : new Error('A flush returned no result for an item.'))
    })
  }
  return workInParts(queued, flush, { ...options, onFailure: ({ reject }, error) => reject(error) })
}
