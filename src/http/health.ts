import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Unavailable } from '../core/refusals.ts'
import { joinClusterMetrics } from './cluster-metrics.ts'
import type { Server } from './server.ts'

export interface RequestMetrics {
  /** Counts an answer for the metrics. */
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** All figures of the service in the Prometheus text format: those of all its processes, where it runs in several. */
  metrics(): Promise<string>
  content_type: string
}

/** Counts what the service answers, by method, address pattern and status. */
export function createRequestMetrics(): RequestMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, from the first byte in to the last byte out.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 25],
    registers: [registry],
  })
  return {
    metrics: cluster.isWorker ? joinClusterMetrics(registry) : () => registry.metrics(),
    content_type: registry.contentType,
    observe(request, reply) {
      const labels = {
        method: request.method,
        // The pattern, never the path itself: ids would make a metric of every object.
        route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
        status: reply.statusCode,
      }
      durations.observe(labels, reply.elapsedTime / 1_000)
    },
  }
}

/** These stand beside the interface, and answer during maintenance. */
const PUBLIC_ROUTE = { schema: { hide: true }, config: { open_in_maintenance: true } }

/** A database that has not said by then that it is well is not. */
const READY_TIMEOUT_MS = 5_000

/**
 * `/healthz` says that the process lives, `/readyz` that it can work. Neither needs a key.
 * @param ready throws when the service cannot work now; one that does not end in time counts as one that throws.
 */
export function addHealth(server: Server, ready: () => Promise<void>, patience_ms = READY_TIMEOUT_MS): void {
  server.get('/healthz', PUBLIC_ROUTE, async () => ({ status: 'ok' }))
  server.get('/readyz', PUBLIC_ROUTE, async () => {
    const answered = new AbortController()
    const late = sleep(patience_ms, true, { signal: answered.signal }).catch(() => true)
    const isLate = await Promise.race([ready(), late]).finally(() => answered.abort())
    if (isLate) throw new Unavailable('The database does not answer.')
    return { status: 'ready' }
  })
}

/** `/metrics` in the Prometheus text format; it may stand on an address of its own. */
export function addMetrics(server: Server, health: RequestMetrics): void {
  server.get('/metrics', PUBLIC_ROUTE, async (_request, reply) =>
    reply.type(health.content_type).send(await health.metrics()),
  )
}
