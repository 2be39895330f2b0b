import { globSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { logEvent } from '../../../src/lib/log-events.ts'
import { openTracing } from '../../../src/lib/tracing/open.ts'
import { type TracingSettings, traceEndpoint } from '../../../src/lib/tracing/settings.ts'
import { MAX_FLUSH_MS, startInside, type Tracing } from '../../../src/lib/tracing/tracing.ts'
import { type OtlpReceiver, openOtlpReceiver } from '../../otlp-receiver.ts'

const DEFAULTS: TracingSettings = {
  OTEL_SDK_DISABLED: false,
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_HEADERS: {},
  OTEL_SERVICE_NAME: 'kusanya',
  OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  OTEL_TRACES_SAMPLER_ARG: 1,
}
const URL = 'http://collector:4318'

let collector: OtlpReceiver | undefined
afterEach(async () => {
  await collector?.close()
  collector = undefined
})

/** A log that keeps its lines. */
function openLog() {
  const lines: object[] = []
  const write = (fields: object) => void lines.push(fields)
  return { lines, log: { debug: write, info: write, warn: write, error: write, fatal: write } }
}

/** Open tracing to a collector of this test. */
async function openTest(settings: Partial<TracingSettings> = {}, status = 200) {
  collector = await openOtlpReceiver(status)
  const { lines, log } = openLog()
  const tracing = await openTracing({ ...DEFAULTS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings }, log)
  return { tracing: tracing!, lines, log, collector }
}

describe('the address of the collector', () => {
  it.each<[string, Partial<TracingSettings>, string | null]>([
    ['is none by default', {}, null],
    ['gets the path of traces', { OTEL_EXPORTER_OTLP_ENDPOINT: URL }, `${URL}/v1/traces`],
    ['may end with a slash', { OTEL_EXPORTER_OTLP_ENDPOINT: `${URL}/otlp/` }, `${URL}/otlp/v1/traces`],
    ['counts as it is where it is that of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${URL}/x` }, `${URL}/x`],
    [
      'is that of traces where both are set',
      { OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${URL}/x` },
      `${URL}/x`,
    ],
    ['does not count while the SDK is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_SDK_DISABLED: true }, null],
    ['does not count without an exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_TRACES_EXPORTER: 'none' }, null],
  ])('%s', (_, settings, expected) => {
    expect(traceEndpoint({ ...DEFAULTS, ...settings })).toBe(expected)
  })
})

describe('a service without a collector', () => {
  it('makes no traces, and has no current span', async () => {
    expect(await openTracing(DEFAULTS, openLog().log)).toBeNull()
    expect(startInside('network_call', {})).toBeUndefined()
  })

  it('loads none of the libraries: only otel.ts names them, and only openTracing loads that', () => {
    const root = new globalThis.URL('../../../', import.meta.url).pathname
    const importing = (what: RegExp) =>
      globSync('src/**/*.ts', { cwd: root }).filter((path) => what.test(readFileSync(root + path, 'utf8')))
    expect(importing(/@opentelemetry\//)).toEqual(['src/lib/tracing/otel.ts'])
    expect(importing(/from '[./a-z]*otel\.ts'/)).toEqual([])
    expect(importing(/import\('\.\/otel\.ts'\)/)).toEqual(['src/lib/tracing/open.ts'])
  })
})

/** Begin `count` traces, and say how many are exported. */
function countSampled(tracing: Tracing, count: number, parent?: string): number {
  return Array.from({ length: count }, () => tracing.start('http_request', { parent })).filter(
    (span) => span.is_sampled,
  ).length
}

describe('the sampler', () => {
  const SAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const UNSAMPLED = SAMPLED.replace(/1$/, '0')

  it.each<[TracingSettings['OTEL_TRACES_SAMPLER'], number, number, number]>([
    // Traces that begin here, that a caller exports, and that a caller does not export.
    ['always_on', 100, 100, 100],
    ['always_off', 0, 0, 0],
    ['parentbased_always_on', 100, 100, 0],
    ['parentbased_always_off', 0, 100, 0],
    ['parentbased_traceidratio', 0, 100, 0],
  ])('%s', async (OTEL_TRACES_SAMPLER, own, sampled, unsampled) => {
    const { tracing } = await openTest({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: 0 })
    expect(countSampled(tracing, 100)).toBe(own)
    expect(countSampled(tracing, 100, SAMPLED)).toBe(sampled)
    expect(countSampled(tracing, 100, UNSAMPLED)).toBe(unsampled)
    await tracing.close()
  })

  it('decides once for each trace: what continues it is exported as well, or is not', async () => {
    const { tracing } = await openTest({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: 0.5,
    })
    const roots = Array.from({ length: 200 }, () => tracing.start('http_request'))
    const sampled = roots.filter((root) => root.is_sampled).length
    expect(sampled).toBeGreaterThan(50)
    expect(sampled).toBeLessThan(150)
    for (const { traceparent, is_sampled } of roots)
      expect(tracing.start('order_call', { parent: traceparent }).is_sampled).toBe(is_sampled)
    await tracing.close()
  })
})

describe('the end of a service', () => {
  it('sends what was not sent yet', async () => {
    const { tracing, collector } = await openTest()
    tracing.start('http_request', { title: 'GET /last' }).end()
    await tracing.close()
    expect(collector.spans.map(({ name }) => name)).toEqual(['GET /last'])
  })

  it('does not wait long for a collector that does not answer', async () => {
    const { lines, log } = openLog()
    // A port of this machine at which nothing listens.
    const tracing = await openTracing({ ...DEFAULTS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, log)
    tracing!.start('http_request').end()
    const began = performance.now()
    await tracing!.close()
    expect(performance.now() - began).toBeLessThan(MAX_FLUSH_MS * 3)
    expect(lines.filter((line) => 'event' in line && line.event !== 'traces_not_exported')).toEqual([])
  })
})

it('a collector that refuses costs a line in the log, and no more', async () => {
  const { tracing, lines } = await openTest({}, 400)
  for (let count = 0; count < 3; count += 1) tracing.start('http_request').end()
  await tracing.close()
  expect(lines).toEqual([expect.objectContaining({ event: 'traces_not_exported', spans: 3, error: expect.anything() })])
})

it('a line of code that belongs to a span has the id of its trace', async () => {
  const { tracing, lines, log } = await openTest()
  const span = tracing.start('order_call')
  await tracing.run(span, async () => {
    await new Promise((resolve) => setImmediate(resolve))
    logEvent(log, 'service_stopped', {})
    expect(startInside('network_call', {})!.trace_id).toBe(span.trace_id)
  })
  logEvent(log, 'service_stopped', {})
  expect(lines).toEqual([{ event: 'service_stopped', trace_id: span.trace_id }, { event: 'service_stopped' }])
  await tracing.close()
})
