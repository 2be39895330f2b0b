import { WriteConflict } from '../lib/batches/write-conflict.ts'
import type { Tx } from './client.ts'

/*
 * Code for one item, run for the many items of a transaction side by side:
 *
 *     each item:  load, lock ──► decide ──► add
 *                    │                       │
 *     together:  one statement          one statement
 *                for each query         for each effect, before the commit
 *
 * What the items ask for in one turn travels together, in the order in which the first of them asks. What they add is
 * written when all of them are done, effect by effect: an item that fails has written nothing.
 */

/** Rows that many items ask for by key. */
export interface Query<Key, Row> {
  /** Reads or locks rows, by key. A key without a row has no entry. */
  read(tx: Tx, keys: readonly Key[]): Promise<ReadonlyMap<Key, Row>>
}

/** A change that many items make. */
export interface Effect<Change> {
  /** Writes the changes of all items, in the order of the items. */
  write(tx: Tx, now: Date, changes: readonly Change[]): Promise<void> | void
}

// biome-ignore lint/suspicious/noExplicitAny: a list of effects holds changes of any kind; `add` checks each.
export type AnyEffect = Effect<any>

/** The work on one item, in a transaction. */
export interface Work {
  readonly now: Date
  /** Reads a row, which other items may read as well. @throws Error when there is none */
  load<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row>
  /**
   * Reads a row that only this item may have. The query locks it.
   * @throws WriteConflict when another item of the transaction has it: one of them must see the effect of the other.
   *   Error when there is none
   */
  lock<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row>
  /** Adds a change, which is written when all items are done. */
  add<Change>(effect: Effect<Change>, change: Change): void
}

/**
 * Runs the work of items side by side, and then writes what they have added.
 * @param effects all effects that the work may add, in the order in which they are written
 * @returns the results, in the order of the items
 * @throws the error of the first item that has failed; WriteConflict when two lock the same row
 */
export async function workTogether<Item, Result>(
  { tx, now, effects }: { tx: Tx; now: Date; effects: readonly AnyEffect[] },
  items: readonly Item[],
  run: (work: Work, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const reads = new SharedReads(tx)
  const works: ItemWork[] = []
  const ended = await Promise.allSettled(
    items.map(async (item) => {
      const work = new ItemWork(now, reads, effects)
      works.push(work)
      try {
        return await run(work, item)
      } catch (error) {
        reads.failure ??= { error }
        throw error
      }
    }),
  )
  if (reads.failure) throw reads.failure.error
  for (const effect of effects) {
    const changes = works.flatMap(({ added }) => added.get(effect) ?? [])
    if (changes.length > 0) await effect.write(tx, now, changes)
  }
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

class ItemWork implements Work {
  readonly added = new Map<AnyEffect, unknown[]>()

  readonly now: Date
  readonly reads: SharedReads
  readonly effects: readonly AnyEffect[]

  constructor(now: Date, reads: SharedReads, effects: readonly AnyEffect[]) {
    this.now = now
    this.reads = reads
    this.effects = effects
  }

  load<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row> {
    return this.reads.read(query, key)
  }

  lock<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row> {
    return this.reads.read(query, key, this)
  }

  add<Change>(effect: Effect<Change>, change: Change): void {
    if (!this.effects.includes(effect)) throw new Error('A unit of work adds an effect that is not in its list.')
    const changes = this.added.get(effect)
    if (changes) changes.push(change)
    else this.added.set(effect, [change])
  }
}

/** A row that some items have asked for. `owner` is the only item that may have it. */
interface Asked {
  row: PromiseWithResolvers<unknown>
  owner: ItemWork | undefined
}

type AnyQuery = Query<unknown, unknown>

/** The reads of all items. Each row is read once. */
class SharedReads {
  failure: { error: unknown } | undefined
  readonly #tx: Tx
  readonly #asked = new Map<AnyQuery, Map<unknown, Asked>>()
  /** The keys to read in the next turn. */
  #waiting = new Map<AnyQuery, unknown[]>()

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async read<Key, Row>(query: Query<Key, Row>, key: Key, owner?: ItemWork): Promise<Row> {
    const any_query = query as AnyQuery
    const asked = entryOf(this.#asked, any_query, () => new Map<unknown, Asked>())
    const known = asked.get(key)
    if (known && known.owner !== owner) throw new WriteConflict()
    if (known) return known.row.promise as Promise<Row>
    const row = Promise.withResolvers<unknown>()
    asked.set(key, { row, owner })
    // After the turn in which all items have run up to their next read.
    if (this.#waiting.size === 0) queueMicrotask(() => process.nextTick(() => this.#send()))
    entryOf(this.#waiting, any_query, () => []).push(key)
    return row.promise as Promise<Row>
  }

  /** Sends a statement for each query, without waiting for the results of the others. */
  #send(): void {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const [query, keys] of waiting) void this.#sendOne(query, keys)
  }

  async #sendOne(query: AnyQuery, keys: readonly unknown[]): Promise<void> {
    const asked = this.#asked.get(query)
    try {
      if (this.failure) throw this.failure.error
      const found = await query.read(this.#tx, keys)
      for (const key of keys) {
        const row = found.get(key)
        if (row === undefined) throw new Error(`A row is missing: ${String(key)}.`)
        asked?.get(key)?.row.resolve(row)
      }
    } catch (error) {
      for (const key of keys) asked?.get(key)?.row.reject(error)
    }
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const created = create()
  map.set(key, created)
  return created
}

/** Creates a query of rows by their ids. */
export function rowsById<Row extends { id: number }>(
  read: (tx: Tx, ids: readonly number[]) => Promise<Iterable<Row>>,
): Query<number, Row> {
  return { read: async (tx, ids) => new Map([...(await read(tx, ids))].map((row) => [row.id, row])) }
}

/** Waits for rows that are asked for together. */
export async function together<Asked extends Record<string, Promise<unknown>>>(
  asked: Asked,
): Promise<{ [Name in keyof Asked]: Awaited<Asked[Name]> }> {
  const rows = await Promise.all(Object.values(asked))
  return Object.fromEntries(Object.keys(asked).map((name, index) => [name, rows[index]])) as {
    [Name in keyof Asked]: Awaited<Asked[Name]>
  }
}
