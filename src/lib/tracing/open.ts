import type { EventLog } from '../log-events.ts'
import { type TracingSettings, traceEndpoint } from './settings.ts'
import type { Tracing } from './tracing.ts'

/** Opens tracing where a collector is set. Otherwise it loads nothing and returns null. */
export async function openTracing(settings: TracingSettings, log: EventLog): Promise<Tracing | null> {
  const url = traceEndpoint(settings)
  if (url === null) return null
  const { createTracing } = await import('./otel.ts')
  return createTracing(url, settings, log)
}
