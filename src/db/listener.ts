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
  let current: Promise<Connection> | undefined
  let ended = false
  let reopening = false
  let usable: Connection | undefined

  const open = async (): Promise<Connection> => {
    const connection = new Connection(options)
    try {
      await connection.connect()
    } catch (error) {
      connection.abandon()
      throw toConnectError(error)
    }
    connection.on('notification', ({ channel, payload = '' }) => {
      for (const subscriber of subscribers) if (subscriber.channel === channel) subscriber.onNotify(payload)
    })
    connection.on('end', () => {
      forget(connection)
      if (subscribers.size > 0 && !reopening) void reopen()
    })
    return connection
  }
  const connected = () => {
    current ??= open().then(
      (connection) => {
        usable = connection
        return connection
      },
      (error) => {
        current = undefined
        throw error
      },
    )
    return current
  }
  /** The next subscriber gets another connection, unless there is one already. */
  const forget = (connection: Connection) => {
    if (usable !== connection) return
    usable = undefined
    current = undefined
  }
  const listenOn = async (connection: Connection, waiting: readonly Subscriber[]): Promise<void> => {
    const channels = [...new Set(waiting.map(({ channel }) => channel))]
    try {
      await connection.runText(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join(';'))
    } catch (error) {
      // A replica refuses to listen. The same address may lead to the primary now.
      forget(connection)
      connection.abandon()
      throw error
    }
    for (const subscriber of waiting) subscriber.onListen()
  }
  const reopen = async (): Promise<void> => {
    reopening = true
    for (let pause_ms = MIN_RETRY_MS; !ended; pause_ms = Math.min(2 * pause_ms, MAX_RETRY_MS)) {
      await sleep(pause_ms)
      const waiting = [...subscribers]
      const done = await connected()
        .then((connection) => listenOn(connection, waiting))
        .then(
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
        await listenOn(await connected(), [subscriber])
      } catch (error) {
        subscribers.delete(subscriber)
        throw error
      }
      return {
        async unlisten() {
          subscribers.delete(subscriber)
          const unused = ![...subscribers].some((other) => other.channel === channel)
          const connection = await current?.catch(() => undefined)
          // A lost connection has no subscriptions any more.
          if (unused) await connection?.runText(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {})
        },
      }
    },
    async end() {
      ended = true
      subscribers.clear()
      const connection = await current?.catch(() => undefined)
      connection?.abandon()
    },
  }
}
