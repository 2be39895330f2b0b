import type postgres from 'postgres'
import { type Amount, parseAmount } from '../lib/money.ts'
import { driver } from './driver.ts'

/** The pool. Reads may use it directly; every write goes through `begin`. */
export type Database = postgres.Sql

/** One transaction. Core functions that write take it as their first argument. */
export type Tx = postgres.TransactionSql

/** Anything that can run a read: the pool or a transaction. */
export type Reader = Database | Tx

/** The connection died while a commit was under way: it may have happened or not. Never replay it blindly. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The database went away during a commit.', { cause })
  }
}

/**
 * Opens a pool. Column types arrive as the program uses them: bigint ids as safe numbers, numeric as `Amount`,
 * timestamptz as Date. Array parameters must hold strings, numbers or nulls only (dates as ISO text), because the
 * driver guesses the type of an array from its first element.
 */
export function connect(url: string, options: { connections: number; application: string }): Database {
  const db = driver(url, {
    max: options.connections,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 3,
    backoff: (tries) => Math.min(0.05 * 2 ** tries, 1),
    onnotice: () => {},
    connection: { application_name: options.application, TimeZone: 'UTC', ...PLANNER_SETTINGS },
    types: {
      id: { to: 20, from: [20], serialize: String, parse: parseId },
      amount: { to: 1700, from: [1700], serialize: String, parse: parseNumeric },
    },
  }) as unknown as Database
  const { listen } = db
  db.listen = async (...channel) => {
    const subscription = await listen(...channel)
    return { ...subscription, unlisten: () => subscription.unlisten().catch(ignoreConnectionLoss) }
  }
  return db
}

/** A lost connection has ended its subscriptions by itself. Who stops while the database does so too must not fail over it. */
function ignoreConnectionLoss(error: unknown): void {
  if (!isConnectionError(error)) throw error
}

/**
 * Every statement is planned for the values at hand and the tables as they are now. PostgreSQL would keep a plan that it
 * made while they were empty, and scan them or walk a useless index long after they have grown; and a plan for all values
 * would look for a rare status among all requests (docs/performance.md, "Plans"). Pages come from memory or from flash,
 * so that jumping to one costs hardly more than reading the next.
 */
const PLANNER_SETTINGS = { plan_cache_mode: 'force_custom_plan', random_page_cost: '1.1' }

/**
 * Runs one transaction, the program's only way to write. It commits when `work` returns and rolls back when it throws.
 * @throws CommitUnknown when the connection is lost after `work` was done and before the commit was confirmed.
 */
export async function begin<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  let done = false
  const fate = { over: false }
  try {
    return (await db.begin(async (tx) => {
      const result = await resultUnlessOver(fate, work(blockWhenOver(tx, fate)))
      done = true
      return result
    })) as T
  } catch (error) {
    fate.over = true
    if (done && isConnectionError(error)) throw new CommitUnknown(error)
    throw error
  }
}

/** A transaction whose caller has its answer already, because the connection was lost while no statement was under way. */
interface TransactionState {
  over: boolean
}

/**
 * The transaction for as long as it lives. What its work still says afterwards must reach nobody: the driver would write
 * it to the connection that follows, into the transaction of another.
 */
function blockWhenOver(tx: Tx, fate: TransactionState): Tx {
  return new Proxy(tx, {
    apply: (target, self, parts) => (fate.over ? new Promise(() => {}) : Reflect.apply(target, self, parts)),
  })
}

/** The end of the work, unless it comes too late: the driver would follow it with a commit or a rollback. */
async function resultUnlessOver<T>(fate: TransactionState, work: Promise<T>): Promise<T> {
  const end = await Promise.allSettled([work])
  if (fate.over) return new Promise(() => {})
  if (end[0].status === 'rejected') throw end[0].reason
  return end[0].value
}

/** Whether an error means that the database is out of reach rather than that a statement was wrong. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  // Class 57P: the server is shutting down or starting up; 53: out of connections, memory or disk.
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|57P0|53|08)/.test(code)
}

/** A condition that never filters, for optional parts of a where clause. */
export function alwaysTrue(db: Reader) {
  return db`true`
}

function parseId(text: string): number {
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw new RangeError(`The id ${text} is beyond what a number holds exactly.`)
  return id
}

function parseNumeric(text: string): Amount {
  const amount = parseAmount(text)
  if (amount === undefined) throw new RangeError(`The database gave ${text} where an amount was expected.`)
  return amount
}
