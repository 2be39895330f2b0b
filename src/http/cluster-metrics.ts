import type { Registry } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'
import { answerWorkers, createQuestions } from '../lib/cluster-requests.ts'

const TOPIC = 'metrics'

/** Joins the figures of one worker to those of its cluster. The result reads all of them together, as Prometheus does. */
export function joinMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry)
  listenToPeers()
  const ask = createQuestions<null, string>(TOPIC)
  return () => ask(null)
}

/** Gathers the figures of all workers, in the primary, whenever one of them is asked for. */
export function gatherMetrics(): void {
  const registry = listenToPeers()
  answerWorkers<null, string>(TOPIC, () => registry.clusterMetrics())
}

/** The library speaks over the cluster's channel from the moment that one of these is made. */
function listenToPeers() {
  return new AggregatorRegistry()
}
