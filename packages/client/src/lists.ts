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
 * when they are needed. An object that moves to the next page, because newer ones came, is given once.
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
      // Only the position is taken from the address: its host may not be the one that this client calls.
      const position = new URL(page.next, 'http://localhost').searchParams
      page = await this.#load({ ...this.#query, limit: position.get('limit'), offset: position.get('offset') })
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<unknown>()
    for await (const { results } of this.pages()) {
      for (const item of results) {
        // Sums have no id.
        if ('id' in item && seen.has(item.id)) continue
        if ('id' in item) seen.add(item.id)
        yield item
      }
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
