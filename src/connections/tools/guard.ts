import type { OtherProcess, ProcessHealth } from '../../core/connections/connection-health.ts'
import type { CallTraits } from '../../drivers/contract.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { type BreakerState, createBreaker, type EndedCall } from './breaker.ts'
import { createCallWindow } from './call-window.ts'
import { createLimiter, type Lane, type Limiter, type Limits, laneOf, type Release } from './limiter.ts'

/** Ask before an operation whether it may be sent now. */
export interface Slots {
  /**
   * Take a slot for one operation: undefined while the limits of the connection are reached, its network wants no
   * calls, or does not answer. The caller gives it back with the result, also after a failure.
   * @param lane `laneOf(call_s)`; `short` unless given
   */
  tryAcquire(lane?: Lane): Release | undefined
  /** Return the milliseconds until a slot may be free; 0 for now. */
  nextFree(lane?: Lane): number
  /** Return the network's health. Choose another connection while it is `degraded`. */
  state(): BreakerState
}

/** Slots without any limit, for connections that a test has made. */
export const unlimited: Slots = { tryAcquire: () => () => {}, nextFree: () => 0, state: () => 'healthy' }

/**
 * Guard of the calls over one connection: it limits them and records their results. A process has one for each
 * connection, even across changes of settings.
 */
export interface Guard extends Slots, Pick<Limiter, 'limit' | 'pause'> {
  /** Count an operation as running until it ends. */
  during<Answer>(operation: Promise<Answer>): Promise<Answer>
  /** Return the number of running operations. */
  running(): number
  record(call: EndedCall): void
  measure(): ProcessHealth
  follow(others: readonly OtherProcess[]): void
}

interface GuardOptions {
  connection: string
  traits: OperationTraits
  limits: Limits
  real: () => Date
  /** Monotonic clock, in milliseconds. */
  now_ms: () => number
  log: EventLog
  /** The state has changed, and other processes should know. */
  onChange: () => void
}

/** The figures of a connection cover 15 minutes. */
const HEALTH_PERIODS = { periods: 90, period_ms: 10_000 }
/** Another process shares the limits of a connection if it has called within this time. */
const SHARING_MS = 60_000
const orderKinds = ['charge', 'payout', 'refund'] as const

/** Time limits of a connection's calls: for all, and overrides for one kind of network orders. */
export type OperationTraits = Pick<CallTraits, 'call_s'> &
  Partial<Record<(typeof orderKinds)[number], Partial<Pick<CallTraits, 'call_s'>>>>

/** Create the guard of one connection. */
export function createGuard(options: GuardOptions): Guard {
  const { connection, traits, limits, real, now_ms } = options
  const all_call_s = [traits.call_s, ...orderKinds.map((kind) => traits[kind]?.call_s ?? traits.call_s)]
  const limiter = createLimiter({ limits, now_ms, has_long_calls: all_call_s.some((s) => laneOf(s) === 'long') })
  const breaker = createLoggedBreaker(options, Math.max(...all_call_s) * 1_000)
  const window = createCallWindow({ ...HEALTH_PERIODS, now_ms })
  let last_call: Date | null = null
  let last_answer: Date | null = null
  let last_order_answer: Date | null = null
  let running = 0

  return {
    limit: limiter.limit,
    pause: limiter.pause,
    running: () => running,
    during(operation) {
      running += 1
      return operation.finally(() => {
        running -= 1
      })
    },
    tryAcquire(lane = 'short') {
      const entry = breaker.enter()
      if (!entry) return undefined
      const release = limiter.tryAcquire(lane)
      if (entry === 'pass') return release
      if (!release) {
        entry.end(false)
        return undefined
      }
      return (was_sent = true) => {
        release(was_sent)
        entry.end(was_sent)
      }
    },
    nextFree: (lane = 'short') => Math.max(breaker.nextEntry(), limiter.nextFree(lane)),
    state: breaker.state,
    record(call) {
      window.add(call.answered, call.duration_ms)
      last_call = real()
      if (call.answered) last_answer = last_call
      if (call.answered && !call.is_token) last_order_answer = last_call
      breaker.record(call)
    },
    measure: () => ({ connection, ...window.figures(), last_call, last_answer, degraded_since: breaker.openSince() }),
    follow(others) {
      const recent_ms = real().getTime() - SHARING_MS
      limiter.share(1 + others.filter((other) => other.last_call && other.last_call.getTime() > recent_ms).length)
      const since_ms = Math.min(
        ...others.map(({ degraded_since }) => degraded_since?.getTime() ?? Number.POSITIVE_INFINITY),
      )
      breaker.follow(Number.isFinite(since_ms) ? new Date(since_ms) : null, last_order_answer)
    },
  }
}

/** Create a breaker that logs when it opens and closes. */
function createLoggedBreaker({ connection, real, now_ms, log, onChange }: GuardOptions, call_ms: number) {
  let degraded_since = real()
  return createBreaker({
    now_ms,
    real,
    call_ms,
    onChange(state, figures) {
      if (state === 'degraded') {
        degraded_since = real()
        logEvent(log, 'connection_degraded', { connection, ...figures })
      } else {
        const degraded_s = Math.round((real().getTime() - degraded_since.getTime()) / 1_000)
        logEvent(log, 'connection_recovered', { connection, degraded_s })
      }
      onChange()
    },
  })
}
