import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type EventLog, logEvent } from '../log-events.ts'
import type { TracingSettings } from './settings.ts'
import { type SpanKindName, type SpanName, spans } from './spans.ts'
import { type ActiveSpan, keepCurrentIn, MAX_FLUSH_MS, runInSpan, type SpanOptions, type Tracing } from './tracing.ts'

const storage = new AsyncLocalStorage<{ tracing: Tracing; span: ActiveSpan }>()

const kinds: Record<SpanKindName, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Maximum number of spans of one export, and of spans that wait for it. More are dropped: requests come first. */
const BATCH_LIMITS = { maxExportBatchSize: 512, maxQueueSize: 4_096, scheduledDelayMillis: 1_000 }

/** Creates the exporter, which makes spans and sends them to a collector over OTLP (protobuf over HTTP). */
export function createTracing(url: string, settings: TracingSettings, log: EventLog): Tracing {
  keepCurrentIn(storage)
  const exporter = new OTLPTraceExporter({ url, headers: settings.OTEL_EXPORTER_OTLP_HEADERS })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': settings.OTEL_SERVICE_NAME })),
    sampler: createSampler(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: withReports(exporter, log), ...BATCH_LIMITS })],
  })
  const tracer = provider.getTracer('kusanya')
  const tracing: Tracing = {
    start<Name extends SpanName>(name: Name, { parent, attributes = {}, title, start_ms }: SpanOptions<Name> = {}) {
      const options = {
        kind: kinds[spans[name].kind],
        attributes: withoutEmpty(attributes),
        ...(start_ms !== undefined && { startTime: start_ms }),
      }
      return toActiveSpan<Name>(tracer.startSpan(title ?? spans[name].name, options, contextOf(parent)))
    },
    run: (span, work) => runInSpan(tracing, span, work),
    async close() {
      // The exporter logs failures.
      const flushed = provider.shutdown().catch(() => {})
      await Promise.race([flushed, sleep(MAX_FLUSH_MS, undefined, { ref: false })])
    },
  }
  return tracing
}

/** Returns the context of a header `traceparent`, or of a new trace. */
function contextOf(traceparent: string | null | undefined) {
  const parent = traceparent ? parseTraceParent(traceparent) : null
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

const own = new WeakMap<ActiveSpan, Span>()

function toActiveSpan<Name extends SpanName>(span: Span): ActiveSpan<Name> {
  const { traceId: trace_id, spanId, traceFlags } = span.spanContext()
  const is_sampled = (traceFlags & TraceFlags.SAMPLED) !== 0
  const active: ActiveSpan<Name> = {
    trace_id,
    traceparent: `00-${trace_id}-${spanId}-${is_sampled ? '01' : '00'}`,
    is_sampled,
    set: (attributes) => void span.setAttributes(withoutEmpty(attributes)),
    addEvent: (name, attributes, at_ms) => void span.addEvent(name, withoutEmpty(attributes), at_ms),
    addLink(other) {
      const linked = own.get(other)
      if (linked) span.addLink({ context: linked.spanContext() })
    },
    fail: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: reason }),
    end: (at_ms) => span.end(at_ms),
  }
  own.set(active, span)
  return active
}

function withoutEmpty(attributes: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined),
  ) as Attributes
}

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingSettings): Sampler {
  const is_parent_based = name.startsWith('parentbased_')
  const root = createRootSampler(is_parent_based ? name.slice('parentbased_'.length) : name, ratio)
  return is_parent_based ? new ParentBasedSampler({ root }) : root
}

function createRootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

/** A collector that is away for hours fills no log. */
const REPORT_AGAIN_MS = 60_000

/** An exporter whose failures are logged, at most once a minute. */
function withReports(exporter: OTLPTraceExporter, log: EventLog): SpanExporter {
  let lost = 0
  let reported_ms = Number.NEGATIVE_INFINITY
  return {
    export(exported, onResult) {
      exporter.export(exported, (result: ExportResult) => {
        if (result.code === ExportResultCode.FAILED) {
          lost += exported.length
          if (performance.now() - reported_ms >= REPORT_AGAIN_MS) {
            reported_ms = performance.now()
            logEvent(log, 'traces_not_exported', { spans: lost, error: result.error })
            lost = 0
          }
        }
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}
