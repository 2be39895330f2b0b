import { setTimeout as sleep } from 'node:timers/promises'
import { TIME_LIMITS, type TimeLimits } from '../lib/time-limits.ts'
import { withLastSteps } from './before-commit.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { isSerializationFailure } from './failures.ts'
import { KEEP_PLANS, KeptPlans } from './kept-plans.ts'
import { openListener, type Subscription } from './listener.ts'
import { Pool, type PoolUse, toConnectError } from './pool.ts'
import { createReader, type Reader } from './reader.ts'
import { type CommitListener, inTransaction, NotBegun, type NotedFact, type Tx } from './transaction.ts'

export {
  CommitUnknown,
  ConnectionLost,
  isConnectionError,
  isDataError,
  isTimeLimitError,
  isUnavailable,
  mayRetry,
} from './failures.ts'
export type { PoolUse } from './pool.ts'
export type { AnyReader, Reader, Row } from './reader.ts'
export type { CommitListener, NotedFact, Subscription, Tx }

/** The pool. Reads may use it directly; every write goes through `begin`. */
export interface Database extends Reader {
  /** Runs one transaction that the SQL text `opening` begins. Call the function `begin` instead. */
  begin<T>(opening: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Polls for due work: reads of a few entries of partial indexes that come many times a second, with plans that are
   * kept. All polls share one connection, so that those of one wake travel together. Larger reads belong to the pool.
   */
  polling: Reader
  /** A connection outside the pool, without time limits, that keeps temporary tables and the like until it is released. */
  reserve(name: LongWork): Promise<Reserved>
  /** Calls `onNotify` for every notification, and `onListen` whenever listening begins: at first and after each loss. */
  listen(channel: string, onNotify: (text: string) => void, onListen?: () => void): Promise<Subscription>
  notify(channel: string, text: string): Promise<void>
  /** Returns the present use of the pool's connections. */
  poolUse(): PoolUse
  /** Closes all connections. Those in use get `timeout` seconds, 5 unless given. */
  end(options?: { timeout: number }): Promise<void>
}

export interface Reserved extends Reader {
  release(): void
}

/** For work that is known to be long. */
export const NO_LIMITS: TimeLimits = { statement: 0, lock: 0, idle_transaction: 0 }

interface DatabaseOptions {
  connections: number
  application: string
  limits?: TimeLimits
  /**
   * True if the address belongs to a connection pooler in transaction mode (docs/operating/database.md, "Connection poolers").
   */
  pooler?: boolean
  /** Address for notifications and reserved connections, if the other one is a pooler's. */
  direct_url?: string | undefined
  /**
   * True if the kept plans of frequent work are renewed as tables grow (the default). A simulation sets false: the
   * moment depends on real time, and another plan may give rows in another order.
   */
  renews_plans?: boolean
  /** Time limit for opening a connection; 3 seconds unless given. After it a service refuses instead of waiting. */
  connect_timeout_s?: number
  /** Receives the facts that transactions have noted, once they are committed. */
  listener?: CommitListener
  /** The cell of the database; 0 unless given. */
  cell?: number
}

/**
 * Opens a pool. Column types arrive as the program uses them: int8 as safe numbers, numeric as `Amount`, timestamptz as
 * Date. Nothing connects before the first statement.
 */
export function connect(url: string, options: DatabaseOptions): Database {
  const { application, connections, connect_timeout_s, direct_url = url, listener: commits, cell = 0 } = options
  const session = sessionSettings(options.limits ?? TIME_LIMITS)
  const direct = { url: direct_url, application, session, named: true, connect_timeout_s }
  const pool = new Pool({
    ...(options.pooler ? { url, application, session: {}, named: false, connect_timeout_s } : { ...direct, url }),
    connections,
  })
  const listener = openListener(direct)
  // A pooler would give its own connections, without these settings.
  const polling_connection = options.pooler
    ? undefined
    : new Pool({ ...direct, url, session: { ...session, ...POLLING_SETTINGS }, connections: 1, max_shared: Infinity })
  const db = createReader((send) => pool.runShared(send))
  // Statements over a pooler are planned each time.
  const plans = options.pooler ? undefined : new KeptPlans(db, options.renews_plans ?? true)
  return Object.assign(db, {
    polling: polling_connection ? createReader((send) => polling_connection.runShared(send)) : db,
    begin: <T>(opening: string, work: (tx: Tx) => Promise<T>) =>
      beginOn({ pool, commits, plans, cell }, connections, opening, work),
    reserve: (name: LongWork) =>
      reserve({ ...direct, application: longName(name), session: sessionSettings(NO_LIMITS) }),
    listen: listener.listen,
    poolUse: () => pool.use(),
    async notify(channel: string, text: string) {
      await db`select pg_notify(${channel}, ${text})`
    },
    async end({ timeout }: { timeout: number } = { timeout: 5 }) {
      await Promise.all([listener.end(), polling_connection?.end(timeout * 1_000), pool.end(timeout * 1_000)])
    },
  })
}

/** Begins on another connection when one turns out to be lost, as all may be after the database was started again. */
async function beginOn<T>(
  on: { pool: Pool; commits: CommitListener | undefined; plans: KeptPlans | undefined; cell: number },
  tries: number,
  opening: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await on.pool.runAlone((connection) =>
      inTransaction(connection, on.plans?.renew(connection, opening) ?? opening, work, {
        listener: on.commits,
        cell: on.cell,
      }),
    )
  } catch (error) {
    if (!(error instanceof NotBegun) || tries === 0) throw error
    return beginOn(on, tries - 1, opening, work)
  }
}

async function reserve(options: ConnectionOptions): Promise<Reserved> {
  const connection = new Connection(options)
  try {
    await connection.connect()
  } catch (error) {
    throw toConnectError(error)
  }
  const reader = createReader((send) => send(connection))
  return Object.assign(reader, { release: () => void connection.end() })
}

/**
 * Settings of every session. A server of others may have other defaults.
 *
 * Every statement is planned for its present values and tables. A plan that PostgreSQL made for empty tables would scan
 * them or walk a useless index long after they have grown. A plan for all values would look for a rare status among all
 * requests (docs/performance.md, "Plans"). PostgreSQL compiles no plan: one that looks expensive would be compiled at each
 * run, for longer than it runs.
 *
 * Pages come from memory or from flash, so that jumping to one costs hardly more than reading the next.
 *
 * Results are read in the formats that these settings give (column-types.ts).
 */
export function sessionSettings(limits: TimeLimits): Record<string, string> {
  return {
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
    bytea_output: 'hex',
    default_transaction_isolation: 'read committed',
    plan_cache_mode: 'force_custom_plan',
    jit: 'off',
    random_page_cost: '1.1',
    ...limitSettings(limits),
  }
}

/**
 * Further settings of polls for due work. Planning them takes longer than running them, and a partial index is right
 * for every size of its table. With the other paths off, the kept plan uses the index even if it was made while the
 * table was empty.
 */
const POLLING_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
}

function limitSettings(limits: TimeLimits): Record<string, string> {
  return {
    statement_timeout: `${limits.statement}s`,
    lock_timeout: `${limits.lock}s`,
    idle_in_transaction_session_timeout: `${limits.idle_transaction}s`,
  }
}

/**
 * Runs one transaction, the program's only way to write. It commits when `work` returns, and rolls back when `work`
 * throws or a statement has failed.
 *
 * When PostgreSQL has ended it to let another transaction pass, `work` runs again, at most four more times. So `work`
 * must change nothing but the database and its own objects.
 * @throws CommitUnknown when the connection is lost after `work` was done and before the commit was confirmed.
 */
export function begin<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatAfterConflicts(() => db.begin('begin', withLastSteps(db, work)))
}

/**
 * Runs one transaction of the frequent work as `begin` does, with plans that PostgreSQL keeps: planning is most of a
 * small statement. Use it only if all statements find their rows by keys or by the index of their queue: for these one
 * plan is right (docs/performance.md#plans).
 */
export function beginFrequent<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatAfterConflicts(() => db.begin(KEEP_PLANS, withLastSteps(db, work)))
}

const MAX_REPEATS = 4
/** The longest first wait, which doubles. */
const REPEAT_WAIT_MS = 20

/** Repeats a transaction that has lost a deadlock, and so has changed nothing. Random waits keep the same two from meeting again. */
async function repeatAfterConflicts<T>(run: () => Promise<T>, repeats = 0): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (repeats === MAX_REPEATS || !isSerializationFailure(error)) throw error
    await sleep(REPEAT_WAIT_MS * 2 ** repeats * Math.random())
    return repeatAfterConflicts(run, repeats + 1)
  }
}

/** Work that may take longer than the time limits allow. */
type LongWork =
  | 'migration'
  | 'catalogue import'
  | 'maintenance'
  | 'reconciliation'
  | 'consistency check'
  | 'sandbox reset'
  | 'backup'
  | 'move'

/** Runs one transaction without time limits, for work that is known to be long, and never twice. `pg_stat_activity` shows its name. */
export function beginLong<T>(db: Database, name: LongWork, work: (tx: Tx) => Promise<T>): Promise<T> {
  const settings = { ...limitSettings(NO_LIMITS), application_name: longName(name) }
  const changes = Object.entries(settings).map(([setting, value]) => `set local ${setting} = '${value}'`)
  return db.begin(['begin', ...changes].join('; '), withLastSteps(db, work))
}

function longName(name: LongWork): string {
  return `kusanya: ${name}`
}
