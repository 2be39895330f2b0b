import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Connection, type ConnectionOptions } from './connection.ts'
import { toConnectError } from './pool.ts'

export interface Subscription {
  unlisten(): Promise<void>
}

/** Notifications of PostgreSQL over a separate connection, which is opened again if it is lost. */
export interface Listener {
  /**
   * Calls `onNotify` with the text of every notification on this channel. Calls `onListen` at the start and after each
   * reconnection, because notifications may have been lost meanwhile.
   * @throws ConnectionLost, pg.DatabaseError if there is no connection now
   */
  listen(channel: string, onNotify: (text: string) => void, onListen?: () => void): Promise<Subscription>
  end(): Promise<void>
}

interface Subscriber {
  channel: string
  onNotify: (text: string) => void
  onListen: () => void
}

const MIN_RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export function openListener(options: ConnectionOptions): Listener {
  const subscribers = new Set<Subscriber>()
  let ended = false
  let reopening = false

  const keeper = keepConnection(options, (connection) => {
    connection.on('notification', ({ channel, payload = '' }) => {
      for (const subscriber of subscribers) if (subscriber.channel === channel) subscriber.onNotify(payload)
    })
    connection.on('end', () => {
      if (subscribers.size > 0 && !reopening) void reopen()
    })
  })
  const listenFor = async (waiting: readonly Subscriber[]): Promise<void> => {
    const channels = [...new Set(waiting.map(({ channel }) => channel))]
    const connection = await keeper.connected()
    try {
      await connection.runText(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join(';'))
    } catch (error) {
      // A replica refuses to listen. The same address may lead to the primary now.
      keeper.drop(connection)
      throw error
    }
    for (const subscriber of waiting) subscriber.onListen()
  }
  const reopen = async (): Promise<void> => {
    reopening = true
    for (let pause_ms = MIN_RETRY_MS; !ended; pause_ms = Math.min(2 * pause_ms, MAX_RETRY_MS)) {
      await sleep(pause_ms)
      const done = await listenFor([...subscribers]).then(
        () => true,
        () => false,
      )
      if (done) break
    }
    reopening = false
  }

  return {
    async listen(channel, onNotify, onListen = () => {}) {
      const subscriber = { channel, onNotify, onListen }
      subscribers.add(subscriber)
      try {
        await listenFor([subscriber])
      } catch (error) {
        subscribers.delete(subscriber)
        throw error
      }
      return {
        async unlisten() {
          subscribers.delete(subscriber)
          const unused = ![...subscribers].some((other) => other.channel === channel)
          const connection = await keeper.current()
          // A lost connection has no subscriptions any more.
          if (unused) await connection?.runText(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {})
        },
      }
    },
    async end() {
      ended = true
      subscribers.clear()
      const connection = await keeper.current()
      connection?.abandon()
    },
  }
}

/**
 * Keeps at most one connection, which it opens when it is needed.
 * @param prepare is called with each connection that is open
 */
function keepConnection(options: ConnectionOptions, prepare: (connection: Connection) => void) {
  let kept: { connection: Connection; opened: Promise<Connection> } | undefined

  const forget = (connection: Connection) => {
    if (kept?.connection === connection) kept = undefined
  }
  const open = async (connection: Connection): Promise<Connection> => {
    try {
      await connection.connect()
    } catch (error) {
      forget(connection)
      connection.abandon()
      throw toConnectError(error)
    }
    connection.on('end', () => forget(connection))
    prepare(connection)
    return connection
  }
  return {
    /** @throws ConnectionLost, pg.DatabaseError if there is no connection now */
    connected(): Promise<Connection> {
      if (!kept) {
        const connection = new Connection(options)
        kept = { connection, opened: open(connection) }
      }
      return kept.opened
    },
    /** The connection if there is one. */
    async current(): Promise<Connection | undefined> {
      return kept?.opened.catch(() => undefined)
    },
    /** Closes it; the next caller gets another. */
    drop(connection: Connection): void {
      forget(connection)
      connection.abandon()
    },
  }
}
