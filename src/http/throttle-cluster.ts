import { createBatcher } from '../lib/batch.ts'
import { answerWorkers, type ClusterChannel, createPrimaryRequests } from '../lib/cluster-requests.ts'
import { createThrottle, type Throttle, type ThrottleVerdict } from './throttle.ts'

const TOPIC = 'throttle'
type ThrottleRequest = [key: string, limit: number]

/**
 * The throttle of one worker of a cluster: the windows lie in the primary, so that all workers count together. Requests
 * of one turn of the event loop travel in one message.
 */
export function createWorkerThrottle(primary?: ClusterChannel): Throttle {
  const askPrimary = createPrimaryRequests<ThrottleRequest[], ThrottleVerdict[]>(TOPIC, primary)
  const ask = createBatcher<ThrottleRequest, ThrottleVerdict>({
    max_items: 1_000,
    mayRetry: () => false,
    flush: async (asks) => (await askPrimary(asks)).map((value) => ({ ok: true, value })),
  })
  return { take: (key, limit) => ask([key, limit]) }
}

/** Keeps the windows of all workers, in the primary. */
export function serveClusterThrottle(workers?: Parameters<typeof answerWorkers>[2]): void {
  const throttle = createThrottle()
  answerWorkers<ThrottleRequest[], ThrottleVerdict[]>(
    TOPIC,
    (asks) => asks.map(([key, limit]) => throttle.take(key, limit)),
    workers,
  )
}
