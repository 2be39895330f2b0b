import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './connection.ts'
import { CommitUnknown, ConnectionLost, isConnectionError } from './failures.ts'
import { createReader, type Reader } from './reader.ts'
import type { Value } from './sql.ts'

/** Transaction. Core functions that write take it as their first argument. */
export interface Tx extends Reader {
  readonly isTransaction: true
  /** The cell of the database, for the codes that the transaction makes. */
  readonly cell: number
  /** Facts to report once the transaction is committed; undefined while nobody listens. */
  readonly facts: FactList | undefined
  /**
   * Sends a write whose result nothing reads. The next statements, and the commit, travel with it without a wait. If it
   * fails, the transaction fails with its error.
   */
  send(texts: TemplateStringsArray, ...values: Value[]): void
  /**
   * Calls a function once the transaction is over. It must not throw.
   * @param ended `committed`: true if it has certainly committed
   */
  whenOver(ended: (committed: boolean) => void): void
}

/** Facts that a transaction has noted about itself. */
interface FactList {
  add(fact: unknown): void
  readonly noted: readonly NotedFact[]
}

/** Fact that a transaction has noted, with its time, in real time. */
export interface NotedFact {
  fact: unknown
  at_ms: number
}

/** Receives the facts that transactions have noted. */
export interface CommitListener {
  /** Asked when a transaction begins. */
  wants(): boolean
  /** Reports the facts. It must not throw. @param times beginning and commit of the transaction, in real time */
  committed(facts: readonly NotedFact[], times: { began_ms: number; ended_ms: number }): void
}

interface State {
  over: boolean
  /** The first error of a statement. PostgreSQL rejects all later statements. */
  failure: unknown
  ended: ((committed: boolean) => void)[]
}

/**
 * Runs one transaction on a connection. It commits when `work` returns. It rolls back when `work` throws or a statement
 * has failed, even if `work` caught the error.
 * @param opening the SQL text that starts it, such as `begin isolation level repeatable read`
 * @param options.listener gets the facts that the transaction has noted, once it is certainly committed
 * @throws CommitUnknown when the connection is lost after the commit was sent and before it was confirmed, or when no
 *   synchronous replica has confirmed it; NotBegun
 */
export async function inTransaction<T>(
  connection: Connection,
  opening: string,
  work: (tx: Tx) => Promise<T>,
  options: { listener?: CommitListener | undefined; cell?: number } = {},
): Promise<T> {
  const state: State = { over: false, failure: undefined, ended: [] }
  let committed = false
  try {
    const result = await run(connection, opening, work, state, options)
    committed = true
    return result
  } finally {
    for (const ended of state.ended) ended(committed)
  }
}

async function run<T>(
  connection: Connection,
  opening: string,
  work: (tx: Tx) => Promise<T>,
  state: State,
  { listener, cell = 0 }: { listener?: CommitListener | undefined; cell?: number },
): Promise<T> {
  const began_ms = Date.now()
  const facts = listener?.wants() ? createFactList() : undefined
  let result: T
  try {
    await open(connection, opening)
    result = await work(createTx(connection, state, facts, cell))
    state.over = true
    if (state.failure !== undefined) throw state.failure
    if (connection.lost) throw new ConnectionLost('The connection to the database is lost.', { cause: connection.lost })
  } catch (error) {
    state.over = true
    await rollBack(connection)
    throw isAborted(error) ? state.failure : error
  }
  await commit(connection, state)
  if (facts && facts.noted.length > 0) listener!.committed(facts.noted, { began_ms, ended_ms: Date.now() })
  return result
}

function createFactList(): FactList {
  const noted: NotedFact[] = []
  return { noted, add: (fact) => void noted.push({ fact, at_ms: Date.now() }) }
}

/** The connection was lost already when a transaction was to begin on it: nothing has happened. */
export class NotBegun extends ConnectionLost {}

/** Begins. Work that is sent before this is confirmed would take effect on its own if this failed. @throws NotBegun */
async function open(connection: Connection, opening: string): Promise<void> {
  try {
    await connection.runText(opening)
  } catch (error) {
    if (!isConnectionError(error)) throw error
    connection.abandon()
    throw new NotBegun('The connection to the database is lost.', { cause: error })
  }
}

/**
 * True if PostgreSQL refused a statement because an earlier one had failed. The error of the earlier one tells the
 * fault.
 */
function isAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}

function createTx(connection: Connection, state: State, facts: FactList | undefined, cell: number): Tx {
  const use = async <T>(send: (connection: Connection) => Promise<T>): Promise<T> => {
    // The connection may serve another transaction by now.
    if (state.over) throw new Error('A statement was written to a transaction that is over.')
    try {
      return await send(connection)
    } catch (error) {
      state.failure ??= error
      throw error
    }
  }
  const read = createReader(use)
  return Object.assign(read, {
    isTransaction: true as const,
    cell,
    facts,
    send: (texts: TemplateStringsArray, ...values: Value[]) => void read(texts, ...values),
    whenOver: (ended: (committed: boolean) => void) => void state.ended.push(ended),
  })
}

async function rollBack(connection: Connection): Promise<void> {
  // A connection that cannot roll back must not be used again; the database rolls back when it is closed.
  if (!connection.lost) await connection.runText('rollback').catch(() => connection.abandon())
}

async function commit(connection: Connection, state: State): Promise<void> {
  let command: Awaited<ReturnType<Connection['command']>>
  try {
    command = await connection.command('commit')
  } catch (error) {
    throw isConnectionError(error) ? new CommitUnknown(error) : error
  }
  // The primary has committed, and perhaps no replica has it, because an operator has cancelled the wait for one: it is lost
  // if this primary loses its place. Source: PostgreSQL's src/backend/replication/syncrep.c.
  const cancelled = command.notices.find(({ routine }) => routine === 'SyncRepWaitForLSN')
  if (cancelled) throw new CommitUnknown(new Error(cancelled.message))
  if (command.name === 'COMMIT') return
  // A statement that was sent without waiting for its result has failed. Its error arrives in this turn of the event loop.
  await setImmediate()
  throw state.failure
}
