/** After how many seconds the database ends something; 0 for never. */
export interface TimeLimits {
  /** A statement that runs. */
  statement: number
  /** A statement that waits for a row or a table that another transaction holds. */
  lock: number
  /** A transaction of a process that stands still. */
  idle_transaction: number
}

/**
 * A process that stands still holds its rows for `idle_transaction`. Others wait for them longer than that, so that they
 * go on without an error, and all of it ends before the API responds 503.
 */
export const TIME_LIMITS: TimeLimits = { statement: 30, lock: 15, idle_transaction: 10 }
