import type { ItemResult } from '../lib/batches/batch.ts'
import { WriteConflict } from '../lib/batches/write-conflict.ts'
import { zip } from '../lib/batches/zip.ts'
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

/** Rows that many items ask for by key. It reads, locks or claims them; a key without a row has no entry. */
export interface Query<Key, Row> {
  read(tx: Tx, keys: readonly Key[], now: Date): Promise<ReadonlyMap<Key, Row>>
}

/** A change that many items make. It writes the changes of all of them, in their order. */
export interface Effect<Change> {
  write(tx: Tx, now: Date, changes: readonly Change[]): Promise<void> | void
}

// biome-ignore lint/suspicious/noExplicitAny: a list of effects holds changes of any kind; `add` checks each.
export type AnyEffect = Effect<any>

/** The transaction of a unit of work, and all effects that the work may add, in the order in which they are written. */
interface Unit {
  tx: Tx
  now: Date
  effects: readonly AnyEffect[]
}

/**
 * Runs the work of items side by side, and then writes what they have added.
 * @returns the results, in the order of the items
 * @throws the error of the first item that has failed; WriteConflict when two lock the same row
 */
export async function workTogether<Item, Result>(
  unit: Unit,
  items: readonly Item[],
  run: (work: Work, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = await workApart(unit, () => false, items, run)
  return results.flatMap((one) => (one.ok ? [one.value] : []))
}

/** Runs the work of one item, and then writes what it has added. */
export async function workAlone<Result>(unit: Unit, run: (work: Work) => Promise<Result>): Promise<Result> {
  const [result] = await workTogether(unit, [run], (work, alone) => alone(work))
  return result as Result
}

/**
 * Runs the work of items side by side, and writes what those have added that are not refused.
 * @param isRefusal true for an error that concerns its item alone
 * @returns the result or the refusal of each item, in their order
 * @throws as workTogether
 */
export async function workApart<Item, Result>(
  { tx, now, effects }: Unit,
  isRefusal: (error: unknown) => boolean,
  items: readonly Item[],
  run: (work: Work, item: Item) => Promise<Result>,
): Promise<ItemResult<Result>[]> {
  const reads = new SharedReads(tx, now)
  const works: Work[] = []
  const results = await Promise.all(
    items.map(async (item): Promise<ItemResult<Result>> => {
      const work = new Work(now, reads, effects)
      works.push(work)
      try {
        return { ok: true, value: await run(work, item) }
      } catch (error) {
        if (isRefusal(error)) work.refuse()
        else reads.failure ??= { error }
        return { ok: false, error }
      }
    }),
  )
  if (reads.failure) throw reads.failure.error
  for (const effect of effects) {
    const changes = works.flatMap(({ added }) => added.get(effect) ?? [])
    if (changes.length > 0) await effect.write(tx, now, changes)
  }
  return results
}

/** The work on one item, in a transaction. */
export class Work {
  readonly now: Date
  /** Changes that the item has added, by effect. */
  added = new Map<AnyEffect, unknown[]>()
  readonly #if_refused = new Map<AnyEffect, unknown[]>()
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
    this.#addTo(this.added, effect, change)
  }

  /** Adds a change that is written if the item is refused after this, instead of all others. */
  addIfRefused<Change>(effect: Effect<Change>, change: Change): void {
    this.#addTo(this.#if_refused, effect, change)
  }

  refuse(): void {
    this.added = this.#if_refused
  }

  #addTo<Change>(changes: Map<AnyEffect, unknown[]>, effect: Effect<Change>, change: Change): void {
    if (!this.#effects.includes(effect)) throw new Error('A unit of work adds an effect that is not in its list.')
    entryOf(changes, effect, (): unknown[] => []).push(change)
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
  readonly #now: Date
  readonly #asked = new Map<unknown, Map<unknown, Asked>>()
  /** The rows to read in the next turn. */
  #waiting = new Map<Query<unknown, unknown>, Map<unknown, Asked>>()

  constructor(tx: Tx, now: Date) {
    this.#tx = tx
    this.#now = now
  }

  read<Key, Row>(query: Query<Key, Row>, key: Key, owner?: Work): Promise<Row | undefined> {
    const known = entryOf(this.#asked, query, () => new Map<unknown, Asked>())
    const asked = known.get(key)
    if (asked && asked.owner !== owner) return Promise.reject(new WriteConflict())
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
      const found = await query.read(this.#tx, [...asked.keys()], this.#now)
      for (const [key, { row }] of asked) row.resolve(found.get(key))
    } catch (error) {
      // It concerns all items, also where it is a refusal.
      this.failure ??= { error }
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

/** Creates a query that draws an id for each key of its caller, rising. Those that are not used are lost. */
export function idsDrawnBy(draw: (tx: Tx, count: number) => Promise<readonly number[]>): Query<object, number> {
  return { read: async (tx, keys) => new Map(zip(keys, await draw(tx, keys.length))) }
}

/** Creates a query that draws ids from a sequence. */
export function idsFrom(sequence: string): Query<object, number> {
  return idsDrawnBy(async (tx, count) => {
    const drawn = await tx<{ id: number }[]>`
      select nextval(${sequence}::regclass) as id from generate_series(1, ${count})`
    return drawn.map(({ id }) => id)
  })
}

/** Groups rows by the keys that were asked for. A key without rows has an empty list. */
export function groupFor<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Map<Key, readonly Row[]> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(keys.map((key) => [key, groups.get(key) ?? []]))
}

/** Waits for rows that are asked for together. */
export async function together<Asked extends Record<string, Promise<unknown>>>(
  asked: Asked,
): Promise<{ [Name in keyof Asked]: Awaited<Asked[Name]> }> {
  const rows = await Promise.all(Object.values(asked))
  const names: (keyof Asked)[] = Object.keys(asked)
  return Object.fromEntries(zip(names, rows)) as { [Name in keyof Asked]: Awaited<Asked[Name]> }
}
