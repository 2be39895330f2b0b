import { AggregatorRegistry, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createConnectionMetrics } from '../../../src/connections/tools/metrics.ts'
import { createRequestMetrics } from '../../../src/http/health.ts'

/** The metrics of one process, after it did this. */
function processWith(work: (metrics: ReturnType<typeof createConnectionMetrics>) => void) {
  const metrics = createConnectionMetrics()
  work(metrics)
  const registry = new Registry()
  for (const metric of metrics.all) registry.registerMetric(metric)
  return registry
}

describe('the metrics of connections', () => {
  it('are served with the metrics of requests', async () => {
    const metrics = createConnectionMetrics()
    metrics.called('mtn-ug', 'charge', '2xx', 1_234)
    const text = await createRequestMetrics([], () => null, metrics.all).metrics()
    const labels = 'connection="mtn-ug",verb="charge",outcome="2xx"'
    expect(text).toContain(`kusanya_network_call_duration_seconds_sum{${labels}} 1.234`)
    expect(text).toContain('process_cpu_seconds_total')
  })

  it('are sums over the processes of a cluster, and degraded if any process says so', async () => {
    const processes = [true, false].map((degraded) =>
      processWith((metrics) => {
        metrics.called('mtn-ug', 'charge', '5xx', 700)
        metrics.tokenRenewed('mtn-ug', 'fetched')
        metrics.tokenRefused('mtn-ug')
        metrics.watch('mtn-ug', () => ({ running: 3, degraded }))
      }),
    )
    const all = await Promise.all(processes.map((registry) => registry.getMetricsAsJSON()))
    const text = await AggregatorRegistry.aggregate(all).metrics()
    expect(text).toContain(
      'kusanya_network_call_duration_seconds_count{connection="mtn-ug",verb="charge",outcome="5xx"} 2',
    )
    expect(text).toContain(
      'kusanya_network_call_duration_seconds_bucket{le="0.5",connection="mtn-ug",verb="charge",outcome="5xx"} 0',
    )
    expect(text).toContain(
      'kusanya_network_call_duration_seconds_bucket{le="1",connection="mtn-ug",verb="charge",outcome="5xx"} 2',
    )
    expect(text).toContain('kusanya_network_token_renewals_total{connection="mtn-ug",outcome="fetched"} 2')
    expect(text).toContain('kusanya_network_token_refusals_total{connection="mtn-ug"} 2')
    expect(text).toContain('kusanya_connection_operations{connection="mtn-ug"} 6')
    expect(text).toContain('kusanya_connection_degraded{connection="mtn-ug"} 1')
  })
})
