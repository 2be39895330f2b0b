import { type EventLog, logEvent } from '../lib/log-events.ts'
import type { SpanAttributes } from '../lib/tracing/spans.ts'
import type { ActiveSpan } from '../lib/tracing/tracing.ts'
import { traceIdOf } from './fact-reports.ts'
import type { RequestTraces } from './request-traces.ts'

/** The span of a callback: from its arrival until its content is applied. */
export type CallbackSpan = ActiveSpan<'callback'>

/** Parts of the app that reports use. */
interface ReportTools {
  log: EventLog & { isLevelEnabled(level: string): boolean }
  traces: RequestTraces | null
}

/** A callback that was processed. */
interface ProcessedCallback {
  callback: number
  connection: string
  state: string
  /** The request that it was about; null where it was about none. */
  collection_request: number | null
  /** Time of arrival, in real time. */
  arrived_ms: number
  /** The id of the HTTP request, where it was processed at once. */
  request_id?: string | undefined
  /** Span of the callback, if it has begun. */
  span?: CallbackSpan | undefined
}

/** Begins the span of a callback, at its arrival. Undefined where its request has no trace. */
export async function startCallbackSpan(
  { traces }: ReportTools,
  { callback, connection, collection_request, arrived_ms }: Omit<ProcessedCallback, 'state'>,
): Promise<CallbackSpan | undefined> {
  if (!traces || collection_request === null) return undefined
  const parent = (await traces.find([collection_request])).get(collection_request)
  if (parent === undefined) return undefined
  const attributes: SpanAttributes<'callback'> = {
    'kusanya.collection_request': collection_request,
    'kusanya.callback': callback,
    'kusanya.connection': connection,
  }
  return traces.tracing.start('callback', { parent, attributes, start_ms: arrived_ms })
}

/** Logs that a callback was processed, at the level `debug`, and ends its span. */
export async function reportCallback(tools: ReportTools, processed: ProcessedCallback): Promise<void> {
  const { callback, connection, state, collection_request, request_id } = processed
  if (!tools.traces && !tools.log.isLevelEnabled('debug')) return
  const span = processed.span ?? (await startCallbackSpan(tools, processed))
  span?.set({ 'kusanya.state': state })
  span?.end()
  logEvent(tools.log, 'callback_processed', {
    collection_request,
    callback,
    connection,
    state,
    trace_id: traceIdOf(span?.traceparent),
    ...(request_id !== undefined && { request_id }),
  })
}
