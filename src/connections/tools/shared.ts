import { randomBytes } from 'node:crypto'
import { claimToken, readToken, releaseToken, storeToken } from '../../core/connections/network-tokens.ts'
import { begin, type Database, isUnavailable } from '../../db/client.ts'
import type { ReportUnavailable } from '../../db/outages.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { createAlarm } from './alarms.ts'
import { createGuard, type Guard, type OperationTraits } from './guard.ts'
import { createHealthSync, type HealthSync } from './health-sync.ts'
import type { Limits } from './limiter.ts'
import { type ConnectionMetrics, createConnectionMetrics } from './metrics.ts'
import type { SharedTokens } from './tokens.ts'

/** Tools that all connections of one process share. They are opened once per process. */
export interface SharedTools {
  real: () => Date
  log: EventLog
  metrics: ConnectionMetrics
  health: HealthSync
  /** The guard of a connection, with these limits from now on. */
  guardOf(connection: string, traits: OperationTraits, limits: Limits): Guard
  /** The alarm of a connection. */
  alarmOf(connection: string): (message: string) => void
  /** The tokens of one connection, which all processes share. */
  tokensOf(connection: string, revision: string): SharedTokens
  /** Log that something could not be read or stored. */
  onError(error: unknown): void
  /** Begin to exchange health with the other processes. Without it each process judges by its own calls. */
  start(): void
  close(): Promise<void>
}

export interface SharedToolsOptions {
  db: Database
  real: () => Date
  log: EventLog
  reportUnavailable: ReportUnavailable
  /** Monotonic clock, in milliseconds. */
  now_ms?: () => number
  /** Encrypt a token for storage. */
  seal: (text: string) => string
  /** Decrypt it. It throws when the key has changed; then the token is fetched again. */
  unseal: (sealed: string) => string
}

const JOB = 'connections'

/** Open the shared tools of all connections of this process. Nothing happens before `start` or the first call. */
export function openSharedTools(options: SharedToolsOptions): SharedTools {
  const { db, real, log, reportUnavailable, now_ms = () => performance.now() } = options
  const process = randomBytes(8).toString('hex')
  const onError = (error: unknown) =>
    isUnavailable(error) ? reportUnavailable({ job: JOB, error }) : logEvent(log, 'job_failed', { job: JOB, error })
  const health = createHealthSync({ db, real, process, onError })
  const metrics = createConnectionMetrics()

  const guardOf = cached((connection: string, traits: OperationTraits, limits: Limits) => {
    const guard = createGuard({ connection, traits, limits, real, now_ms, log, onChange: health.changed })
    health.add({ connection, measure: guard.measure, follow: guard.follow })
    metrics.watch(connection, () => ({ running: guard.running(), degraded: guard.state() === 'degraded' }))
    return guard
  })
  const alarmOf = cached((connection: string) =>
    createAlarm({
      connection,
      real,
      log,
      onAlarm(alarm) {
        metrics.alarm(connection)
        health.alarm(alarm)
      },
    }),
  )

  return {
    real,
    log,
    health,
    metrics,
    onError,
    alarmOf,
    guardOf(connection, traits, limits) {
      const guard = guardOf(connection, traits, limits)
      guard.limit(limits)
      return guard
    },
    tokensOf: (connection, revision) => shareTokens(options, process, connection, revision),
    start: () => health.start(),
    close: () => health.close(),
  }
}

/** Return a function that makes one thing for each connection of this process. */
function cached<Rest extends unknown[], Made>(make: (connection: string, ...rest: Rest) => Made) {
  const made = new Map<string, Made>()
  return (connection: string, ...rest: Rest): Made => {
    const known = made.get(connection) ?? make(connection, ...rest)
    made.set(connection, known)
    return known
  }
}

function shareTokens(
  { db, real, seal, unseal }: SharedToolsOptions,
  process: string,
  connection: string,
  revision: string,
): SharedTokens {
  const keyOf = (name: string) => ({ connection, name, revision })
  return {
    async read(name) {
      const stored = await readToken(db, keyOf(name))
      const token = stored && unsealOrForget(unseal, stored.sealed)
      return token === undefined ? undefined : { token, expires: stored!.expires, fetched: stored!.fetched }
    },
    claim(name, lease_s) {
      const now = real()
      const lease = { by: process, real: now, ends: new Date(now.getTime() + lease_s * 1_000) }
      return begin(db, (tx) => claimToken(tx, keyOf(name), lease))
    },
    release: (name) => begin(db, (tx) => releaseToken(tx, keyOf(name), process)),
    store: (name, { token, expires, fetched }) =>
      begin(db, (tx) => storeToken(tx, keyOf(name), { sealed: seal(token), expires, fetched })),
  }
}

/** Return the token, or undefined if another key encrypted it. Such a token is easily replaced. */
function unsealOrForget(unseal: (sealed: string) => string, sealed: string): string | undefined {
  try {
    return unseal(sealed)
  } catch {
    return undefined
  }
}
