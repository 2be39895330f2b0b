import { type PartRules, workInParts } from './in-parts.ts'

/** The result of one item of a batch: a value, or an error for this item alone. */
export type ItemResult<Out> = { ok: true; value: Out } | { ok: false; error: unknown }

/** Returns the value of a batch of one item. @throws the error of the item */
export function only<Out>(results: readonly ItemResult<Out>[]): Out {
  const [result] = results
  if (!result || results.length > 1) throw new Error(`A batch of one item has ${results.length} results.`)
  if (!result.ok) throw result.error
  return result.value
}

/** A flush that fails is repeated in parts, by these rules. */
export interface BatchOptions<In, Out> extends Omit<PartRules<In>, 'onFailure'> {
  /** Does the work for many items at once. Returns one result for each item, in the same order. */
  flush(items: In[]): Promise<ItemResult<Out>[]>
  /** Maximum number of items per flush. */
  max_items: number
  /** Maximum number of flushes that run at the same time. */
  concurrency?: number
  /** Return the group of an item, such as its organization. Groups take turns when more items wait than a flush takes. */
  groupOf?(item: In): number
  /**
   * Return the names of an item, such as its Duplicate-Check-Key. An item waits for the flush of another one with the same
   * name, so that it sees the outcome of that one.
   */
  namesOf?(item: In): readonly string[]
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
  /** Names of the items of running flushes. */
  const taken = new Set<string>()
  let running = 0
  let scheduled = false

  function flushNext(): void {
    scheduled = false
    while (running < (options.concurrency ?? 2)) {
      const items = takeNext(waiting, options, taken)
      if (items.length === 0) return
      running += 1
      void flushItems(options, items).finally(() => {
        running -= 1
        for (const { item } of items) for (const name of options.namesOf?.(item) ?? []) taken.delete(name)
        flushNext()
      })
    }
  }

  function isTooLong(item: In, { max_items, max_wait_ms }: { max_items: number; max_wait_ms: number }): boolean {
    const isLate = (queued: QueuedItem<In, Out>) => performance.now() - queued.queued_at_ms > max_wait_ms
    const [first] = waiting
    if (!first || !isLate(first)) return waiting.length >= max_items
    const { groupOf } = options
    // A group with a long queue does not close the queue to the others.
    const own = groupOf ? waiting.find((queued) => groupOf(queued.item) === groupOf(item)) : first
    return waiting.length >= max_items || (own !== undefined && isLate(own))
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      if (options.queue_limits && isTooLong(item, options.queue_limits)) {
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

/**
 * Remove the items of the next flush: the oldest, or the oldest of each group in turn. Those whose names are taken wait
 * on, and the names of the others are taken.
 */
function takeNext<In, Out>(
  waiting: QueuedItem<In, Out>[],
  { max_items, groupOf, namesOf }: Pick<BatchOptions<In, Out>, 'max_items' | 'groupOf' | 'namesOf'>,
  taken: Set<string>,
): QueuedItem<In, Out>[] {
  const next = new Set<QueuedItem<In, Out>>()
  const take = (queued: QueuedItem<In, Out>) => {
    const names = namesOf?.(queued.item) ?? []
    if (next.size === max_items || names.some((name) => taken.has(name))) return
    for (const name of names) taken.add(name)
    next.add(queued)
  }
  const groups = groupOf && waiting.length > max_items ? Map.groupBy(waiting, ({ item }) => groupOf(item)) : undefined
  for (const queued of groups ? inTurn([...groups.values()]) : waiting) take(queued)
  waiting.splice(0, waiting.length, ...waiting.filter((queued) => !next.has(queued)))
  return [...next]
}

/** Return the items of groups: the first of each, then the second of each, and so on. */
function* inTurn<Item>(groups: readonly (readonly Item[])[]): Generator<Item> {
  const most = Math.max(...groups.map(({ length }) => length))
  for (let round = 0; round < most; round += 1) yield* groups.flatMap((group) => group.slice(round, round + 1))
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
