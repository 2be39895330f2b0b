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

/** Rows that many items ask for by key. It reads or locks them; a key without a row has no entry. */
export interface Query<Key, Row> {
  read(tx: Tx, keys: readonly Key[]): Promise<ReadonlyMap<Key, Row>>
}

/** A change that many items make. It writes the changes of all of them, in their order. */
export interface Effect<Change> {
  write(tx: Tx, now: Date, changes: readonly Change[]): Promise<void> | void
}

// biome-ignore lint/suspicious/noExplicitAny: a list of effects holds changes of any kind; `add` checks each.
export type AnyEffect = Effect<any>

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
  const works: Work[] = []
  const ended = await Promise.allSettled(
    items.map(async (item) => {
      const work = new Work(now, reads, effects)
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

/** The work on one item, in a transaction. */
export class Work {
  readonly now: Date
  /** Changes that the item has added, by effect. */
  readonly added = new Map<AnyEffect, unknown[]>()
  readonly #reads: SharedReads
  readonly #effects: readonly AnyEffect[]

  constructor(now: Date, reads: SharedReads, effects: readonly AnyEffect[]) {
    this.now = now
    this.#reads = reads
    this.#effects = effects
  }

  /** Reads a row, which other items may read as well; undefined when there is none. */
  find<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row | undefined> {
    return this.#reads.read(query, key)
  }

  /** Reads a row, which other items may read as well. @throws Error when there is none */
  async load<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row> {
    return present(await this.#reads.read(query, key), key)
  }

  /**
   * Reads a row that only this item may have. The query locks it.
   * @throws WriteConflict when another item of the transaction has it: one of them must see the effect of the other.
   *   Error when there is none
   */
  async lock<Key, Row>(query: Query<Key, Row>, key: Key): Promise<Row> {
    return present(await this.#reads.read(query, key, this), key)
  }

  /** Adds a change, which is written when all items are done. */
  add<Change>(effect: Effect<Change>, change: Change): void {
    if (!this.#effects.includes(effect)) throw new Error('A unit of work adds an effect that is not in its list.')
    entryOf(this.added, effect, (): unknown[] => []).push(change)
  }
}

function present<Row>(row: Row | undefined, key: unknown): Row {
  if (row === undefined) throw new Error(`A row is missing: ${String(key)}.`)
  return row
}

/** A row that some items have asked for. `owner` is the only item that may have it. */
interface Asked {
  row: PromiseWithResolvers<unknown>
  owner: Work | undefined
}

/** The reads of all items. Each row is read once. */
class SharedReads {
  failure: { error: unknown } | undefined
  readonly #tx: Tx
  readonly #asked = new Map<unknown, Map<unknown, Asked>>()
  /** The rows to read in the next turn. */
  #waiting = new Map<Query<unknown, unknown>, Map<unknown, Asked>>()

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async read<Key, Row>(query: Query<Key, Row>, key: Key, owner?: Work): Promise<Row | undefined> {
    const known = entryOf(this.#asked, query, () => new Map<unknown, Asked>())
    const asked = known.get(key)
    if (asked && asked.owner !== owner) throw new WriteConflict()
    if (asked) return asked.row.promise as Promise<Row | undefined>
    const fresh: Asked = { row: Promise.withResolvers(), owner }
    known.set(key, fresh)
    // After the turn in which all items have run up to their next read.
    if (this.#waiting.size === 0) queueMicrotask(() => process.nextTick(() => this.#send()))
    entryOf(this.#waiting, query as Query<unknown, unknown>, () => new Map()).set(key, fresh)
    return fresh.row.promise as Promise<Row | undefined>
  }

  /** Sends a statement for each query, without waiting for the results of the others. */
  #send(): void {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const [query, asked] of waiting) void this.#sendOne(query, asked)
  }

  async #sendOne(query: Query<unknown, unknown>, asked: ReadonlyMap<unknown, Asked>): Promise<void> {
    try {
      if (this.failure) throw this.failure.error
      const found = await query.read(this.#tx, [...asked.keys()])
      for (const [key, { row }] of asked) row.resolve(found.get(key))
    } catch (error) {
      for (const { row } of asked.values()) row.reject(error)
    }
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key) ?? create()
  map.set(key, found)
  return found
}

/** Creates a query of rows by their ids. */
export function rowsById<Row extends { id: number }>(
  read: (tx: Tx, ids: readonly number[]) => Promise<readonly Row[]>,
): Query<number, Row> {
  return { read: async (tx, ids) => new Map((await read(tx, ids)).map((row) => [row.id, row])) }
}

/** Waits for rows that are asked for together. */
export async function together<Asked extends Record<string, Promise<unknown>>>(
  asked: Asked,
): Promise<{ [Name in keyof Asked]: Awaited<Asked[Name]> }> {
  const named = Object.entries(asked).map(async ([name, row]) => [name, await row] as const)
  return Object.fromEntries(await Promise.all(named)) as { [Name in keyof Asked]: Awaited<Asked[Name]> }
}
