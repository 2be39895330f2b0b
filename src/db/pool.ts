import { Connection, type ConnectionOptions, makesUnusable } from './connection.ts'
import { ConnectionLost } from './failures.ts'

/** Connections that many share. */
export interface Pool {
  /** Runs statements that belong together: nothing else is sent on their connection until `work` has ended. */
  useAlone<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Runs one statement, on a connection that may have others under way. */
  share<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Closes all connections: those in use when their work has ended, or after this time. */
  end(wait_ms: number): Promise<void>
}

/** A connection of the pool. */
interface Slot {
  connection: Connection
  users: number
  alone: boolean
  /** Whether it is closed as soon as nothing uses it. */
  retired: boolean
}

interface Waiter {
  alone: boolean
  resolve(slot: Slot): void
  reject(error: unknown): void
}

/** With more statements than this under way on one connection, others wait for the first that is free. */
const MAX_SHARED = 8

/**
 * Connections are opened when they are needed, and stay open. While all are in use, single statements share them, and
 * transactions wait in line. While none can be opened and none is there, everything fails at once.
 */
export function openPool(options: ConnectionOptions & { connections: number }): Pool {
  const slots = new Set<Slot>()
  const free: Slot[] = []
  const line: Waiter[] = []
  const pause = createPause()
  let opening = 0
  let ended = false

  function find(alone: boolean): Slot | undefined {
    let slot = free.pop()
    while (slot?.connection.lost) slot = free.pop()
    slot ??= alone ? undefined : leastShared(slots)
    if (!slot) return undefined
    slot.users += 1
    slot.alone = alone
    return slot
  }

  /** Gives connections to those in line, in their order, and opens more if they are too few. */
  function serve(): void {
    for (let waiter = line[0]; waiter; waiter = line[0]) {
      const slot = find(waiter.alone)
      if (!slot) break
      line.shift()
      waiter.resolve(slot)
    }
    while (opening < line.length && mayOpen()) open()
    if (slots.size + opening === 0) for (const waiter of line.splice(0)) waiter.reject(pause.reason())
  }

  const mayOpen = () => slots.size + opening < options.connections && pause.isOver()

  function open(): void {
    opening += 1
    const connection = new Connection(options)
    const add = () => {
      const slot = { connection, users: 0, alone: false, retired: ended }
      slots.add(slot)
      connection.on('end', () => {
        slots.delete(slot)
        serve()
      })
      free.push(slot)
      pause.reset()
    }
    connection
      .connect()
      .then(add, (error) => {
        connection.abandon()
        pause.begin(toConnectError(error))
      })
      .finally(() => {
        opening -= 1
        serve()
      })
  }

  function take(alone: boolean): Slot | Promise<Slot> {
    if (ended) throw new ConnectionLost('The connections to the database are closed.')
    const slot = line.length > 0 ? undefined : find(alone)
    if (slot) {
      if (slot.users > 1 && mayOpen()) open()
      return slot
    }
    return new Promise((resolve, reject) => {
      line.push({ alone, resolve, reject })
      serve()
    })
  }

  function giveBack(slot: Slot): void {
    slot.users -= 1
    slot.alone = false
    if (slot.users > 0) return
    if (slot.retired) void slot.connection.end()
    else if (!slot.connection.lost) free.push(slot)
    if (line.length > 0) serve()
  }

  async function use<T>(alone: boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    const taken = take(alone)
    const slot = taken instanceof Promise ? await taken : taken
    try {
      return await work(slot.connection)
    } catch (error) {
      slot.retired ||= makesUnusable(error)
      throw error
    } finally {
      giveBack(slot)
    }
  }

  return {
    useAlone: (work) => use(true, work),
    share: (work) => use(false, work),
    async end(wait_ms) {
      ended = true
      for (const slot of slots) slot.retired = true
      for (const waiter of line.splice(0))
        waiter.reject(new ConnectionLost('The connections to the database are closed.'))
      for (const slot of free.splice(0)) void slot.connection.end()
      await closed(slots, wait_ms)
    },
  }
}

/** The connection with the fewest single statements under way, unless each has enough of them. */
function leastShared(slots: ReadonlySet<Slot>): Slot | undefined {
  let best: Slot | undefined
  for (const slot of slots)
    if (!slot.alone && !slot.retired && !slot.connection.lost && slot.users < (best?.users ?? MAX_SHARED)) best = slot
  return best
}

/** Waits until all these connections are closed, and closes those that are left when the time is over. */
async function closed(slots: ReadonlySet<Slot>, wait_ms: number): Promise<void> {
  const ends = [...slots].map(({ connection }) => new Promise((resolve) => connection.once('end', resolve)))
  const timer = setTimeout(() => {
    for (const { connection } of slots) connection.abandon()
  }, wait_ms)
  await Promise.all(ends)
  clearTimeout(timer)
}

const MIN_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_000

/** After a try to connect has failed, the next one comes after a pause: 50 ms at first, a second at most. */
function createPause() {
  let pause_ms = 0
  let until = 0
  let error: unknown
  const isOver = () => performance.now() >= until
  return {
    isOver,
    /** Why the last try failed. */
    reason: () => error,
    begin(reason: unknown) {
      error = reason
      // Several tries that fail together count as one.
      if (!isOver()) return
      pause_ms = Math.min(Math.max(MIN_PAUSE_MS, 2 * pause_ms), MAX_PAUSE_MS)
      until = performance.now() + pause_ms
    },
    reset() {
      pause_ms = 0
      until = 0
    },
  }
}

/** What a failed try to connect is to callers. Errors of PostgreSQL and of the network have a code, and stay as they are. */
export function toConnectError(error: unknown): unknown {
  return error instanceof Error && !('code' in error)
    ? new ConnectionLost(`The database does not accept a connection: ${error.message}.`, { cause: error })
    : error
}
