import type { DriverTools } from '../../drivers/contract.ts'
import { openSocket, type Reach } from '../../lib/http/reach.ts'
import type { EventLog } from '../../lib/log-events.ts'
import { createCallbackUrl } from './callback-url.ts'
import type { OperationTraits, Slots } from './guard.ts'
import { createNetworkHttp, MAX_TOKEN_CALL_S } from './http.ts'
import type { Limits } from './limiter.ts'
import { type OperationSubject, runOperation } from './operation.ts'
import type { SharedTools } from './shared.ts'
import { createTokenStore } from './tokens.ts'

export type { BreakerState } from './breaker.ts'
export { type Slots, unlimited } from './guard.ts'
export { type Lane, laneOf, type Release } from './limiter.ts'
export { openSharedTools, type SharedTools, type SharedToolsOptions } from './shared.ts'

/** Facts about a connection that the tools need. */
export interface ToolsOptions extends Limits {
  slug: string
  traits: OperationTraits
  /** Addresses that its driver may call. Default: any. */
  reach?: Reach | undefined
  /** Word for the provider in messages. Default: `network`. */
  callee?: string
  /** Text that changes with settings or secrets: tokens of other settings are not used. */
  revision: string
  /** The part of the callback address that only the network knows, in hexadecimal. */
  callback_secret: string
  /** The public base URL of the service, read each time. */
  callback_base: () => string
  /** The cell that its callback addresses name; 0 unless given. */
  cell?: number | undefined
}

/** Tools for a driver, and checks for the service around its operations. Its own `http` makes calls that belong to no order. */
export interface ConnectionTools extends DriverTools, Slots {
  /**
   * Run one operation of the driver with tools of its own: their calls are logged with the order's reference and request.
   * A 500 that the driver understood counts as an answer.
   */
  run<Answer>(subject: OperationSubject, work: (tools: DriverTools) => Promise<Answer>): Promise<Answer>
  log: EventLog
  /** Wait for the running operations, and close open resources. Unused tools need no closing. */
  close(): Promise<void>
}

/**
 * Create the tools of one connection. Nothing is called before the driver calls. When the settings of a connection have
 * changed, create its tools anew: operations under way end with the earlier ones, and limits, health and the breaker go
 * on.
 */
export function createTools(shared: SharedTools, options: ToolsOptions): ConnectionTools {
  const { slug, traits } = options
  const { real, log, metrics } = shared
  const guard = shared.guardOf(slug, traits, options)
  const http = createNetworkHttp({
    connection: slug,
    call_s: traits.call_s,
    real,
    log,
    reach: options.reach,
    ...(options.callee !== undefined && { callee: options.callee }),
    onEnded: guard.record,
    onMeasured: (verb, outcome, duration_ms) => metrics.called(slug, verb, outcome, duration_ms),
    onTooMany: guard.pause,
  })
  const running = new Set<Promise<unknown>>()

  const tools: DriverTools = {
    http: (call) => http.call(call),
    openSocket: (target) => openSocket(target, options.reach),
    tokens: createTokenStore({
      real,
      shared: shared.tokensOf(slug, options.revision),
      onError: shared.onError,
      fetch_s: Math.min(traits.call_s, MAX_TOKEN_CALL_S),
      onRenewal: (outcome) => metrics.tokenRenewed(slug, outcome),
      onRefusal: () => metrics.tokenRefused(slug),
    }),
    now: real,
    callbackUrl: createCallbackUrl({
      base: options.callback_base,
      cell: options.cell ?? 0,
      slug,
      secret: options.callback_secret,
    }),
    alarm: shared.alarmOf(slug),
  }
  return {
    ...tools,
    log,
    run(subject, work) {
      const operation = guard.during(
        runOperation(subject, (of) => work({ ...tools, http: (call) => http.call(call, of) })),
      )
      const ended = operation.catch(() => {}).finally(() => running.delete(ended))
      running.add(ended)
      return operation
    },
    tryAcquire: guard.tryAcquire,
    nextFree: guard.nextFree,
    state: guard.state,
    async close() {
      // An operation may still have its charge before it.
      await Promise.all(running)
      await http.close()
    },
  }
}
