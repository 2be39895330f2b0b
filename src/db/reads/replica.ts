import { setTimeout as sleep } from 'node:timers/promises'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import type { TimeLimits } from '../../lib/time-limits.ts'
import { type Database, sessionSettings } from '../client.ts'
import type { Connection } from '../connection.ts'
import { isRecoveryConflict, isReplicaFault } from '../failures.ts'
import { Pool } from '../pool.ts'
import type { AnyReader } from '../reader.ts'
import { inTransaction } from '../transaction.ts'
import { Gate } from './gate.ts'
import type { Detour, ReadMetrics } from './metrics.ts'
import {
  createPositionSource,
  judge,
  type Position,
  type ReplicaState,
  STATE_OF_REPLICA,
  type Verdict,
} from './position.ts'

/**
 * Maximum wait of a read for a replica that lags: `brief` while a person or a program waits for a page, `long` for
 * exports, which take longer anyway and weigh most on the primary.
 */
export type Patience = 'brief' | 'long'

export interface ReplicaOptions {
  primary: Database
  /** The address of the replica, or of a load balancer in front of several. */
  url: string
  connections: number
  limits: TimeLimits
  /** Maximum wait of a page's read for a replica that lags, in ms. Exports wait five seconds. */
  wait_ms: number
  log: EventLog
  metrics: ReadMetrics
  /** Asks the primary for its position; for tests. */
  askPosition?: () => Promise<Position | undefined>
}

/** Maximum wait of a read for a free connection to the replica, in ms. */
const CONNECTION_TIMEOUT_MS = 2_000
/** Silence after which a server counts as away, in ms. Its connections are closed, because reads would wait on them. */
const ANSWER_TIMEOUT_MS = 2_000
const EXPORT_WAIT_MS = 5_000
const CLOSE_MS = 1_000
/** Minimum interval in which a waiting read polls the replica, in ms. */
const MIN_POLL_MS = 1
const MAX_POLL_MS = 20
/** Time for which a replica may lag. After it the lag is a matter for the operator. */
const TELL_BEHIND_AFTER_MS = 10_000

/** The replica cannot be read now. */
class Unfit extends Error {
  readonly reason: Exclude<Verdict, 'current'> | 'busy'
  constructor(reason: Unfit['reason']) {
    super(`The replica cannot be read: ${reason}.`)
    this.reason = reason
  }
}

/** Creates the reads of one replica, or of several behind one address. */
export function createReplica(options: ReplicaOptions) {
  const { primary, metrics } = options
  const patience_ms = { brief: options.wait_ms, long: Math.max(options.wait_ms, EXPORT_WAIT_MS) }
  const askPosition = options.askPosition ?? createPositionSource(primary)
  const server = openReplica(options)
  const gates = { brief: new Gate(), long: new Gate() }
  const health = createHealthLog(options.log)

  /**
   * Ends a try with its result. The fault of a whole replica concerns all reads, a delay only those that wait as long.
   */
  const closeGate = (reason: Detour, patience: Patience, error: unknown) => {
    const passes = reason === 'behind' || reason === 'conflict' || reason === 'busy'
    const concerned = passes ? [gates[patience]] : Object.values(gates)
    for (const gate of concerned) gate.failed()
    health.failed(reason, error)
  }

  async function tryReplica<T>(
    read: (db: AnyReader) => Promise<T>,
    patience: Patience,
  ): Promise<{ value: T } | { detour: Detour }> {
    if (!gates[patience].enter()) return { detour: 'paused' }
    const wanted = await askPosition()
    if (!wanted) {
      gates[patience].failed()
      return { detour: 'unknown' }
    }
    try {
      const value = await server.run(wanted, read, patience_ms[patience])
      gates[patience].succeeded()
      health.succeeded()
      return { value }
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === undefined) {
        // The replica has answered; the read itself has failed.
        gates[patience].succeeded()
        throw error
      }
      closeGate(reason, patience, error)
      return { detour: reason }
    }
  }

  return {
    /** Runs a read on the replica or, once, on the primary. Errors of the read itself are thrown as they are. */
    async run<T>(read: (db: AnyReader) => Promise<T>, onPrimary: () => Promise<T>, patience: Patience): Promise<T> {
      const tried = await tryReplica(read, patience)
      if ('value' in tried) {
        metrics.onReplica()
        return tried.value
      }
      metrics.onPrimary(tried.detour)
      return onPrimary()
    },
    close: () => server.close(),
  }
}

/**
 * Returns the reason why the primary must do a read; undefined if the read itself has failed, so that it would fail
 * there, too.
 */
function reasonOf(error: unknown): Detour | undefined {
  if (error instanceof Unfit) return error.reason
  if (isRecoveryConflict(error)) return 'conflict'
  return isReplicaFault(error) ? 'away' : undefined
}

/** The connections to a replica. Each read is a transaction that cannot write, on a connection that has proved its position. */
function openReplica({ url, connections, limits }: ReplicaOptions) {
  const pool = new Pool({
    url,
    connections,
    application: 'kusanya reads',
    named: true,
    session: { ...sessionSettings(limits), default_transaction_read_only: 'on' },
  })
  const in_use = new Set<Connection>()
  const onSilence = () => {
    // Other reads there wait for the same silent server.
    for (const connection of in_use) connection.abandon()
  }
  return {
    run<T>(wanted: Position, read: (db: AnyReader) => Promise<T>, patience_ms: number): Promise<T> {
      return new Promise((resolve, reject) => {
        let has_left = false
        const timer = setTimeout(() => {
          has_left = true
          reject(new Unfit('busy'))
        }, CONNECTION_TIMEOUT_MS)
        pool
          .runAlone(async (connection) => {
            clearTimeout(timer)
            if (has_left) throw new Unfit('busy')
            in_use.add(connection)
            return readWhenCurrent(connection, wanted, read, { patience_ms, onSilence }).finally(() =>
              in_use.delete(connection),
            )
          })
          .finally(() => clearTimeout(timer))
          .then(resolve, reject)
      })
    },
    close: () => pool.end(CLOSE_MS),
  }
}

interface Waiting {
  patience_ms: number
  /** Called when the server does not answer. */
  onSilence(): void
}

/**
 * Runs a read as soon as this connection leads to a server that has everything.
 * @throws Unfit when patience is at its end
 */
async function readWhenCurrent<T>(
  connection: Connection,
  wanted: Position,
  read: (db: AnyReader) => Promise<T>,
  waiting: Waiting,
): Promise<T> {
  const deadline = performance.now() + waiting.patience_ms
  for (let pause_ms = MIN_POLL_MS; ; pause_ms = Math.min(2 * pause_ms, MAX_POLL_MS)) {
    try {
      return await readIfCurrent(connection, wanted, read, waiting.onSilence)
    } catch (error) {
      if (!(error instanceof Unfit) || error.reason !== 'behind' || performance.now() >= deadline) throw error
    }
    await sleep(pause_ms)
  }
}

/**
 * Reads from the replica if it is current. The state is asked before the transaction, and travels with its begin: the
 * snapshot of the read is taken after the answer, so it has everything in the answer. The position of another
 * connection says nothing, because it may lead to another replica.
 */
async function readIfCurrent<T>(
  connection: Connection,
  wanted: Position,
  read: (db: AnyReader) => Promise<T>,
  onSilence: () => void,
): Promise<T> {
  const timer = setTimeout(onSilence, ANSWER_TIMEOUT_MS)
  const asked = connection.run<ReplicaState[]>(STATE_OF_REPLICA).finally(() => clearTimeout(timer))
  asked.catch(() => {})
  return inTransaction(connection, 'begin isolation level repeatable read read only', async (tx) => {
    const [state] = await asked
    const verdict = judge(wanted, state!)
    if (verdict !== 'current') throw new Unfit(verdict)
    return read(tx)
  })
}

/** Reports when the replica cannot be read, and when it can be again. A short delay is not worth a line. */
function createHealthLog(log: EventLog) {
  let failing_since_ms: number | undefined
  let failures = 0
  let is_told = false
  return {
    succeeded() {
      if (is_told) logEvent(log, 'replica_restored', {})
      failing_since_ms = undefined
      failures = 0
      is_told = false
    },
    failed(reason: Detour, cause: unknown) {
      failing_since_ms ??= performance.now()
      failures += 1
      const lasts = performance.now() - failing_since_ms > TELL_BEHIND_AFTER_MS
      // A mark that has just been replaced looks like other data once.
      const tells =
        lasts || reason === 'away' || reason === 'not_a_replica' || (reason === 'other_data' && failures > 1)
      if (is_told || !tells) return
      is_told = true
      logEvent(log, 'replica_unavailable', { reason, ...(cause instanceof Unfit ? {} : { error: cause }) })
    },
  }
}
