import type { AsyncLocalStorage } from 'node:async_hooks'
import type { SpanAttributes, SpanName } from './spans.ts'

/*
 * Interface between the service and OpenTelemetry. The libraries behind it are loaded only when a collector is set
 * (otel.ts), so this file imports none of them.
 */

/** A span that has begun. */
export interface ActiveSpan<Name extends SpanName = SpanName> {
  /** 32 hexadecimal digits. */
  trace_id: string
  /** The context as W3C writes it, for those that continue the trace. */
  traceparent: string
  /** True if the trace is exported. Spans of other traces only hand on their ids. */
  is_sampled: boolean
  set(attributes: SpanAttributes<Name>): void
  /** Adds an event that happened while the span lasted. */
  addEvent(name: string, attributes: Readonly<Record<string, unknown>>, at_ms: number): void
  /** Refers to a span that shared the same work, such as a transaction. */
  addLink(other: ActiveSpan): void
  /** Marks the span as failed. @param reason a code, never a text of a network or a person */
  fail(reason: string): void
  /** @param at_ms real time in milliseconds since 1970; now unless given */
  end(at_ms?: number): void
}

export interface SpanOptions<Name extends SpanName> {
  /** The context that the span continues, as W3C writes it. One that is malformed is ignored. A new trace begins without one. */
  parent?: string | null | undefined
  attributes?: SpanAttributes<Name>
  /** Title that viewers show instead of the name in the list of spans. */
  title?: string
  /** Real time in milliseconds since 1970; now unless given. */
  start_ms?: number
}

/** Makes spans and sends them to the collector. Nothing of it throws. */
export interface Tracing {
  start<Name extends SpanName>(name: Name, options?: SpanOptions<Name>): ActiveSpan<Name>
  /** Runs work whose network calls and log lines belong to the span. */
  run<T>(span: ActiveSpan, work: () => T): T
  /** Sends the unsent spans, for at most `MAX_FLUSH_MS`, and ends. */
  close(): Promise<void>
}

/** Maximum time to flush: less than a service has to stop. A collector that does not answer costs this much, once. */
export const MAX_FLUSH_MS = 2_000

interface Current {
  tracing: Tracing
  span: ActiveSpan
}

/** Null until tracing is opened, so that nothing is kept for each asynchronous step of a service without it. */
let current: AsyncLocalStorage<Current> | null = null

/** Makes `runInSpan` work. Called once, before the first span. */
export function keepCurrentIn(storage: AsyncLocalStorage<Current>): void {
  current = storage
}

/** Runs work that belongs to a span. */
export function runInSpan<T>(tracing: Tracing, span: ActiveSpan, work: () => T): T {
  return current ? current.run({ tracing, span }, work) : work()
}

/** The trace of the running code, if it belongs to one. */
export function currentTraceId(): string | undefined {
  return current?.getStore()?.span.trace_id
}

/** Begins a span inside the one that the running code belongs to; undefined where it belongs to none. */
export function startInside<Name extends SpanName>(
  name: Name,
  attributes: SpanAttributes<Name>,
): ActiveSpan<Name> | undefined {
  const store = current?.getStore()
  return store?.tracing.start(name, { parent: store.span.traceparent, attributes })
}
