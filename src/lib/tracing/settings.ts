import { withoutTrailing } from '../text/trailing.ts'

/** The samplers of the OpenTelemetry specification that need no other service. */
export const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const

/** The settings of traces, by the names of the OpenTelemetry specification. */
export interface TracingSettings {
  OTEL_SDK_DISABLED: boolean
  OTEL_TRACES_EXPORTER: 'otlp' | 'none'
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS: Record<string, string>
  OTEL_SERVICE_NAME: string
  OTEL_TRACES_SAMPLER: (typeof samplers)[number]
  OTEL_TRACES_SAMPLER_ARG: number
}

/**
 * Returns the endpoint for spans; null when traces are off. The general address gets the path of traces, the other one
 * counts as it is.
 */
export function traceEndpoint(settings: TracingSettings): string | null {
  if (settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none') return null
  if (settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  return base === undefined ? null : `${withoutTrailing(base, '/')}/v1/traces`
}
