import pg from 'pg'
import { Connection, type ConnectionOptions, spoils } from './connection.ts'
import { ConnectionLost } from './failures.ts'

/** Connections that are lent out to one user at a time. */
export interface Pool {
  /** Lends out a connection for as long as `work` takes. Waits while all are in use. @throws ConnectionLost, pg.DatabaseError */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Closes all connections: those in use when they come back, or after this time. */
  end(wait_ms: number): Promise<void>
}

const MIN_RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export function openPool(options: ConnectionOptions & { connections: number }): Pool {
  const alive = new Set<Connection>()
  const pool = new pg.Pool({
    max: options.connections,
    idleTimeoutMillis: 0,
    Client: class extends Connection {
      constructor() {
        super(options)
      }
    },
  })
  // A connection that is lost while it is not in use leaves the pool by itself.
  pool.on('error', () => {})
  pool.on('connect', (client) => alive.add(asConnection(client)))
  pool.on('remove', (client) => alive.delete(asConnection(client)))
  const pause = createPause()

  const borrow = async () => {
    if (alive.size === 0) pause.check()
    try {
      const client = await pool.connect()
      pause.end()
      return client
    } catch (error) {
      throw pause.begin(toConnectError(error))
    }
  }
  return {
    async use(work) {
      const client = await borrow()
      const connection = asConnection(client)
      let spoiled = false
      try {
        return await work(connection)
      } catch (error) {
        spoiled = spoils(error)
        throw error
      } finally {
        client.release(spoiled || connection.lost !== undefined)
      }
    },
    async end(wait_ms) {
      const timer = setTimeout(() => {
        for (const connection of alive) connection.abandon()
      }, wait_ms)
      await pool.end()
      clearTimeout(timer)
    },
  }
}

/** The pool's type knows no client but its own; it makes ours. */
function asConnection(client: pg.PoolClient): Connection {
  return client as unknown as Connection
}

/** After a failed try to connect, others fail at once with its error for a while: 50 ms at first, a second at most. */
function createPause() {
  let pause_ms = 0
  let until = 0
  let reason: unknown
  return {
    /** @throws the error of the last try, during a pause */
    check() {
      if (performance.now() < until) throw reason
    },
    begin<E>(error: E): E {
      const now = performance.now()
      if (now >= until) {
        pause_ms = Math.min(Math.max(MIN_RETRY_MS, 2 * pause_ms), MAX_RETRY_MS)
        until = now + pause_ms
      }
      reason = error
      return error
    },
    end() {
      pause_ms = 0
      until = 0
    },
  }
}

/** Errors of PostgreSQL and of the network have a code and stay as they are. */
export function toConnectError(error: unknown): unknown {
  return error instanceof Error && !('code' in error)
    ? new ConnectionLost(`The database does not accept a connection: ${error.message}.`, { cause: error })
    : error
}
