import type { Registry } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'
import { answerWorkers, createPrimaryRequests } from '../lib/cluster-requests.ts'

const TOPIC = 'metrics'

/** Joins the figures of one worker to those of its cluster. The result reads all of them together, as Prometheus does. */
export function joinClusterMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry)
  createAggregator()
  const ask = createPrimaryRequests<null, string>(TOPIC)
  return () => ask(null)
}

/** Gathers the figures of all workers, in the primary, whenever one of them is asked for. */
export function serveClusterMetrics(): void {
  const registry = createAggregator()
  answerWorkers<null, string>(TOPIC, () => registry.clusterMetrics())
}

/** The library speaks over the cluster's channel from the moment that one of these is made. */
function createAggregator() {
  return new AggregatorRegistry()
}
