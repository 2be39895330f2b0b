import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { Unavailable } from '../core/refusals.ts'
import type { DiskSpace } from '../lib/disk-space.ts'
import { addressPattern } from '../lib/http/sent-method.ts'
import { joinClusterMetrics } from './cluster-metrics.ts'
import type { Server } from './server.ts'

export interface RequestMetrics {
  /** Add one response to the metrics. */
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** Return the service's metrics in the Prometheus text format; in a cluster, of all workers together. */
  metrics(): Promise<string>
  content_type: string
  /** All metrics of this process. */
  list(): Metric[]
}

/** Figure of a metric, with the values of its labels. */
export interface Sample {
  labels: Record<string, string>
  figure: number
}

/** Metric whose figures are read at each request for metrics. */
export interface ServiceSeries {
  name: string
  help: string
  labels: readonly string[]
  /** Aggregation of the figures of a cluster's processes. Default: the maximum, because all read the same. */
  aggregator?: 'max' | 'min' | 'sum'
  /** Read all present samples; missing ones are no longer served. */
  read(): Promise<readonly Sample[]>
}

/**
 * Measure the responses of the service by method, route pattern and status.
 * @param series further figures, read each time that the metrics are asked for
 * @param readDisk the disk of the database; null when this machine cannot see it.
 * @param more metrics that other parts of this process keep
 */
export function createRequestMetrics(
  series: readonly ServiceSeries[],
  readDisk: () => Pick<DiskSpace, 'free_bytes' | 'total_bytes'> | null = () => null,
  more: readonly Metric[] = [],
): RequestMetrics {
  const registry = new Registry()
  for (const metric of more) registry.registerMetric(metric)
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests, from the first byte received to the last byte sent.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 25],
    registers: [registry],
  })
  for (const one of series) addSeries(registry, one)
  addDiskMetrics(registry, readDisk)
  return {
    metrics: cluster.isWorker ? joinClusterMetrics(registry) : () => registry.metrics(),
    content_type: registry.contentType,
    // The registry gives the metrics themselves, which its type does not say.
    list: () => registry.getMetricsAsArray() as unknown as Metric[],
    observe(request, reply) {
      const labels = {
        method: request.method,
        // The pattern and not the path: a path with an id would be one time series for each object.
        route: request.is404 ? 'none' : (addressPattern(request) ?? 'none'),
        status: reply.statusCode,
      }
      durations.observe(labels, reply.elapsedTime / 1_000)
    },
  }
}

function addSeries(registry: Registry, { name, help, labels, aggregator = 'max', read }: ServiceSeries): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    aggregator,
    async collect() {
      // A database without an answer must not hide the other figures, and an old figure must not look new.
      const samples = await read().catch(() => [])
      if (labels.length === 0) this.remove()
      else this.reset()
      for (const sample of samples) this.set(sample.labels, sample.figure)
    },
  })
}

function addDiskMetrics(
  registry: Registry,
  readDisk: () => Pick<DiskSpace, 'free_bytes' | 'total_bytes'> | null,
): void {
  const sizes = { free_bytes: 'still free', total_bytes: 'in all' } as const
  for (const [size, what] of Object.entries(sizes) as [keyof typeof sizes, string][])
    new Gauge({
      name: `kusanya_disk_${size}`,
      help: `Bytes ${what} on the disk of the embedded PostgreSQL.`,
      registers: [registry],
      // Every process sees the same disk.
      aggregator: 'min',
      collect() {
        const disk = readDisk()
        if (disk) this.set(disk[size])
        else this.remove()
      },
    })
}

/** Routes outside the interface. They need no key and answer during maintenance. */
const PUBLIC_ROUTE = {
  schema: { hide: true },
  config: { open_in_maintenance: true } satisfies FastifyContextConfig,
}

/** The service is not ready when its readiness check takes longer. */
const READY_TIMEOUT_MS = 5_000

/**
 * Add `/healthz` (the process runs) and `/readyz` (the service can work). Neither needs a key.
 * @param checkReady throws when the service cannot work now. A check that takes longer than `timeout_ms` counts as
 * failed.
 */
export function addHealth(server: Server, checkReady: () => Promise<void>, timeout_ms = READY_TIMEOUT_MS): void {
  server.get('/healthz', PUBLIC_ROUTE, async () => ({ status: 'ok' }))
  server.get('/readyz', PUBLIC_ROUTE, async () => {
    const timer = new AbortController()
    const timeout = sleep(timeout_ms, true, { signal: timer.signal }).catch(() => true)
    const is_late = await Promise.race([checkReady(), timeout]).finally(() => timer.abort())
    if (is_late) throw new Unavailable('The database does not answer.')
    return { status: 'ready' }
  })
}

/** Add `/metrics` in the Prometheus text format. It can be on a separate address (METRICS_ADDRESS). */
export function addMetrics(server: Server, metrics: RequestMetrics): void {
  server.get('/metrics', PUBLIC_ROUTE, async (_request, reply) =>
    reply.type(metrics.content_type).send(await metrics.metrics()),
  )
}
