import { WriteConflict } from './write-conflict.ts'

/** Rules for continuing work on many items after it has failed. */
export interface PartRules<Item> {
  /**
   * Returns true if anything may be tried again. Not when a transaction may have been committed, nor when the database
   * is out of reach.
   */
  mayRetry(error: unknown): boolean
  /** Called with the first error, if anything is tried again after it, and the number of all items. */
  onRepeat?(error: unknown, size: number): void
  /** Called for each item that is not tried again, with its error. */
  onFailure(item: Item, error: unknown): void
}

/** Maximum number of tries of a single item after write conflicts. More in a row have another cause than chance. */
const MAX_TRIES = 5

/**
 * Works on many items at once, such as in one transaction. After a failure it works on each half by itself, in order,
 * and so on. So one faulty item among n fails alone and costs the others about 2 log2(n) tries instead of n. After a
 * write conflict all are tried together once more before that. When nothing may be tried again, all remaining items
 * fail.
 */
export async function workInParts<Item>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<void>,
  rules: PartRules<Item>,
): Promise<void> {
  const fail = (part: readonly Item[], error: unknown) => {
    for (const item of part) rules.onFailure(item, error)
  }

  /** @returns the error after which nothing may be tried again, if there is one */
  async function tryPart(part: readonly Item[], tries: number): Promise<{ error: unknown } | undefined> {
    try {
      await work(part)
      return undefined
    } catch (error) {
      if (!rules.mayRetry(error)) {
        fail(part, error)
        return { error }
      }
      if (tries === 1) rules.onRepeat?.(error, items.length)
      const is_single = part.length === 1
      const max_tries = error instanceof WriteConflict ? (is_single ? MAX_TRIES : 2) : is_single ? 2 : 1
      if (tries < max_tries) return tryPart(part, tries + 1)
      if (is_single) {
        fail(part, error)
        return undefined
      }
      return tryHalves(part)
    }
  }

  async function tryHalves(part: readonly Item[]): Promise<{ error: unknown } | undefined> {
    const middle = Math.ceil(part.length / 2)
    const second = part.slice(middle)
    const ended = await tryPart(part.slice(0, middle), 2)
    if (!ended) return tryPart(second, 2)
    fail(second, ended.error)
    return ended
  }

  await tryPart(items, 1)
}
