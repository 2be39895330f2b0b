import type { Registry } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'
import { answerWorkers, createPrimaryRequests } from '../lib/cluster-requests.ts'

const TOPIC = 'metrics'

/** Add the metrics of one worker to its cluster. The result reads the metrics of all workers together. */
export function joinClusterMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry)
  createAggregator()
  const askPrimary = createPrimaryRequests<null, string>(TOPIC)
  return () => askPrimary(null)
}

/** Run in the primary: collect the metrics of all workers each time a worker asks for them. */
export function serveClusterMetrics(): void {
  const registry = createAggregator()
  answerWorkers<null, string>(TOPIC, () => registry.clusterMetrics())
}

/** prom-client uses the messages of the cluster as soon as one aggregator exists. */
function createAggregator() {
  return new AggregatorRegistry()
}
