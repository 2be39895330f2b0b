import type { Connection } from './connection.ts'
import type { Reader } from './reader.ts'

/**
 * Opening of the frequent transactions, on a connection whose plans are young enough. Their statements find rows by
 * keys, so an index for each row is always the right plan. The other paths are off, because for a small table they cost
 * the same and would be kept as it grows.
 */
export const KEEP_PLANS = [
  'begin',
  'set local plan_cache_mode = force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin', 'material'].map((path) => `set local enable_${path} = off`),
].join('; ')

/** Minimum interval between checks of the tables' growth, while there is frequent work. */
const CHECK_INTERVAL_MS = 1_000
/** Plans are made again when a table has had this many rows: without statistics, fewer do not show which index is right. */
const FIRST_ROWS = 1_024
/** Growth factor after which plans are made again. Each time costs a process a few hundred ms of planning. */
const GROWTH = 64

/**
 * Plans that the connections of a pool keep. They are made again when a table has grown. Among several indexes of an
 * empty table the planner chooses by chance, and statistics come with the first `ANALYZE`, up to a minute later.
 */
export class KeptPlans {
  readonly #db: Reader
  readonly #renews: boolean
  #growth: number | undefined
  #looked_at = Number.NEGATIVE_INFINITY
  #generation = 0
  readonly #generations = new WeakMap<Connection, number>()

  /** @param renews true if the growth of tables is checked */
  constructor(db: Reader, renews: boolean) {
    this.#db = db
    this.#renews = renews
  }

  /**
   * Returns the SQL text that begins a transaction on this connection: the given one, after dropping plans that are too
   * old.
   */
  renew(connection: Connection, opening: string): string {
    if (opening !== KEEP_PLANS) return opening
    if (this.#renews && performance.now() - this.#looked_at > CHECK_INTERVAL_MS) void this.#look()
    const of_plans = this.#generations.get(connection) ?? this.#generation
    this.#generations.set(connection, this.#generation)
    return of_plans === this.#generation ? opening : `discard plans; ${opening}`
  }

  async #look(): Promise<void> {
    this.#looked_at = performance.now()
    try {
      // Counters take no lock on the tables, so a migration does not make this wait.
      const [row] = await this.#db<{ growth: number }[]>`
        select coalesce(sum(1 + floor(ln(rows / ${FIRST_ROWS}) / ln(${GROWTH}))), 0)::integer as growth
        from pg_class, pg_stat_get_tuples_inserted(oid) inserted, cast(inserted as double precision) rows
        where relkind = 'r' and relnamespace = current_schema()::regnamespace and inserted >= ${FIRST_ROWS}`
      const growth = row!.growth
      if (this.#growth !== undefined && growth !== this.#growth) this.#generation += 1
      this.#growth = growth
    } catch {
      // The plans stay as they are. Other users of the database report its fault.
    }
  }
}
