import { Connection, type ConnectionOptions, makesUnusable } from './connection.ts'
import { ConnectionLost } from './failures.ts'

/** A connection of the pool. */
interface Slot {
  connection: Connection
  users: number
  alone: boolean
  /** True if it is closed as soon as nothing uses it. */
  retired: boolean
}

/** The use of a pool at one moment, in connections. */
export interface PoolUse {
  used: number
  idle: number
  /** The statements and transactions that wait for a connection. */
  waiting: number
  /** Maximum number of connections of the pool. */
  limit: number
}

interface Waiter {
  alone: boolean
  resolve(slot: Slot): void
  reject(error: unknown): void
}

/** Maximum number of statements under way on one connection; others wait for the first free one. */
const MAX_SHARED = 8

interface PoolOptions extends ConnectionOptions {
  connections: number
  /** Maximum number of single statements that share a connection, if not the usual number. */
  max_shared?: number
}

/**
 * Connections that many share. They are opened when they are needed, and stay open. While all are in use, single statements
 * share them, and transactions wait in line. While none can be opened and none is there, everything fails at once.
 */
export class Pool {
  readonly #options: PoolOptions
  readonly #slots = new Set<Slot>()
  readonly #free: Slot[] = []
  readonly #line: Waiter[] = []
  readonly #pause = createPause()
  #opening = 0
  #ended = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Runs statements that belong together: nothing else is sent on their connection until `work` has ended. */
  runAlone<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#run(true, work)
  }

  /** Runs one statement, on a connection that may have others under way. */
  runShared<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#run(false, work)
  }

  /** Returns the present use of the connections. */
  use(): PoolUse {
    const used = [...this.#slots].filter(({ users }) => users > 0).length
    return {
      used,
      idle: this.#slots.size - used,
      waiting: this.#line.length,
      limit: this.#options.connections,
    }
  }

  /** Closes all connections: those in use when their work has ended, or after this time. */
  async end(wait_ms: number): Promise<void> {
    this.#ended = true
    for (const slot of this.#slots) slot.retired = true
    for (const waiter of this.#line.splice(0)) waiter.reject(new ConnectionLost(ENDED))
    for (const slot of this.#free.splice(0)) void slot.connection.end()
    await closed(this.#slots, wait_ms)
  }

  async #run<T>(alone: boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    const taken = this.#take(alone)
    const slot = taken instanceof Promise ? await taken : taken
    try {
      return await work(slot.connection)
    } catch (error) {
      slot.retired ||= makesUnusable(error)
      throw error
    } finally {
      this.#giveBack(slot)
    }
  }

  #take(alone: boolean): Slot | Promise<Slot> {
    if (this.#ended) throw new ConnectionLost(ENDED)
    const slot = this.#line.length > 0 ? undefined : this.#find(alone)
    if (slot) {
      if (slot.users > 1 && this.#mayOpen()) this.#open()
      return slot
    }
    return new Promise((resolve, reject) => {
      this.#line.push({ alone, resolve, reject })
      this.#serve()
    })
  }

  #find(alone: boolean): Slot | undefined {
    let slot = this.#free.pop()
    while (slot?.connection.lost) slot = this.#free.pop()
    slot ??= alone ? undefined : leastShared(this.#slots, this.#options.max_shared ?? MAX_SHARED)
    if (!slot) return undefined
    slot.users += 1
    slot.alone = alone
    return slot
  }

  #giveBack(slot: Slot): void {
    slot.users -= 1
    slot.alone = false
    if (slot.users > 0) return
    if (slot.retired) void slot.connection.end()
    else if (!slot.connection.lost) this.#free.push(slot)
    if (this.#line.length > 0) this.#serve()
  }

  /** Gives connections to those in line, in their order, and opens more if they are too few. */
  #serve(): void {
    for (let waiter = this.#line[0]; waiter; waiter = this.#line[0]) {
      const slot = this.#find(waiter.alone)
      if (!slot) break
      this.#line.shift()
      waiter.resolve(slot)
    }
    while (this.#opening < this.#line.length && this.#mayOpen()) this.#open()
    if (this.#slots.size + this.#opening > 0) return
    for (const waiter of this.#line.splice(0)) waiter.reject(this.#pause.reason())
  }

  #mayOpen(): boolean {
    return this.#slots.size + this.#opening < this.#options.connections && this.#pause.isOver()
  }

  #open(): void {
    this.#opening += 1
    const connection = new Connection(this.#options)
    connection
      .connect()
      .then(
        () => this.#add(connection),
        (error) => {
          connection.abandon()
          this.#pause.begin(toConnectError(error))
        },
      )
      .finally(() => {
        this.#opening -= 1
        this.#serve()
      })
  }

  #add(connection: Connection): void {
    this.#pause.reset()
    if (this.#ended) return void connection.end()
    const slot = { connection, users: 0, alone: false, retired: false }
    this.#slots.add(slot)
    this.#free.push(slot)
    connection.on('end', () => {
      this.#slots.delete(slot)
      this.#serve()
    })
  }
}

const ENDED = 'The connections to the database are closed.'

/** The connection with the fewest single statements under way, unless each has enough of them. */
function leastShared(slots: ReadonlySet<Slot>, max_shared: number): Slot | undefined {
  let best: Slot | undefined
  for (const slot of slots)
    if (!slot.alone && !slot.retired && !slot.connection.lost && slot.users < (best?.users ?? max_shared)) best = slot
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
    /** Reason why the last try failed. */
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

/**
 * Turns a failed try to connect into the error for callers. Errors of PostgreSQL and of the network have a code, and
 * stay as they are.
 */
export function toConnectError(error: unknown): unknown {
  return error instanceof Error && !('code' in error)
    ? new ConnectionLost(`The database does not accept a connection: ${error.message}.`, { cause: error })
    : error
}
