import type { Query } from './transport.ts'

/** Page of a list, as the service sends it. */
export interface Page<Item> {
  /** Number of matching objects, on all pages. */
  count: number
  next: string | null
  previous: string | null
  results: Item[]
}

/** Enough for most lists in one call; a key may read 30 times a minute. */
const DEFAULT_LIMIT = 100

/**
 * The objects that match some filters, over all pages: `for await (const request of kusanya.collectionRequests.list())`. Pages are read
 * when they are needed. An object that moves to another page, because newer ones came or others have left the list, is
 * given once.
 */
export class List<Item extends object> implements AsyncIterable<Item> {
  readonly #load: (query: Query) => Promise<Page<Item>>
  readonly #query: Query

  constructor(load: (query: Query) => Promise<Page<Item>>, query: Query) {
    this.#load = load
    this.#query = { limit: DEFAULT_LIMIT, ...query }
  }

  /** The first page, with the number of all objects that match. */
  page(): Promise<Page<Item>> {
    return this.#load(this.#query)
  }

  /** Yield one page after the other. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.page()
    yield page
    while (page.next !== null) {
      page = await this.#load({ ...this.#query, ...readPosition(page.next) })
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<unknown>()
    let page = await this.page()
    let limit: number | undefined
    for (;;) {
      for (const item of page.results) {
        // Sums have no id.
        if ('id' in item && seen.has(item.id)) continue
        if ('id' in item) seen.add(item.id)
        yield item
      }
      if (page.next === null) return
      const position = readPosition(page.next)
      limit ??= Number(position.limit)
      page = await this.#loadAfter(seen, limit, Number(position.offset))
    }
  }

  /**
   * Load the page at an offset, with the object before it. If that object is unknown, others have left the list since,
   * for example because the caller has closed them: the page begins so much earlier.
   */
  async #loadAfter(seen: ReadonlySet<unknown>, limit: number, offset: number): Promise<Page<Item>> {
    if (seen.size === 0) return this.#load({ ...this.#query, limit, offset })
    const start = Number(this.#query.offset ?? 0)
    for (let at = offset - 1; ; at -= limit) {
      const page = await this.#load({ ...this.#query, limit: limit + 1, offset: Math.max(start, at) })
      const [first] = page.results
      if (at <= start || (first && 'id' in first && seen.has(first.id))) return page
    }
  }

  /** The first object, or undefined if none matches. */
  async first(): Promise<Item | undefined> {
    return (await this.#load({ ...this.#query, limit: 1 })).results[0]
  }

  /** Read all objects, or at most `at_most`. */
  async toArray(at_most = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = []
    if (at_most <= 0) return items
    for await (const item of this) if (items.push(item) >= at_most) break
    return items
  }
}

/** Only the position is taken from the address of a page: its host may not be the one that this client calls. */
function readPosition(address: string): { limit: string | null; offset: string | null } {
  const { searchParams } = new URL(address, 'http://localhost')
  return { limit: searchParams.get('limit'), offset: searchParams.get('offset') }
}
