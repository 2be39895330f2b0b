import { createBatcher } from '../lib/batches/batch.ts'
import { answerWorkers, type ClusterChannel, createPrimaryRequests } from '../lib/cluster-requests.ts'
import { createThrottle, type SharedWindow, type Throttle, type ThrottleVerdict } from './throttle.ts'

const TOPIC = 'throttle'
type ThrottleRequest = [key: string, limit: number, shared?: SharedWindow]

/**
 * The throttle of one worker of a cluster. The primary keeps the windows, so that all workers count together. Requests of
 * one turn of the event loop go to the primary in one message.
 */
export function createWorkerThrottle(primary?: ClusterChannel): Throttle {
  const askPrimary = createPrimaryRequests<ThrottleRequest[], ThrottleVerdict[]>(TOPIC, primary)
  const countRequest = createBatcher<ThrottleRequest, ThrottleVerdict>({
    max_items: 1_000,
    mayRetry: () => false,
    flush: async (requests) => (await askPrimary(requests)).map((value) => ({ ok: true, value })),
  })
  return { take: (...request) => countRequest(request) }
}

/** Run in the primary: keeps the windows of all workers. */
export function serveClusterThrottle(workers?: Parameters<typeof answerWorkers>[2]): void {
  const throttle = createThrottle()
  answerWorkers<ThrottleRequest[], ThrottleVerdict[]>(
    TOPIC,
    (requests) => requests.map((request) => throttle.take(...request)),
    workers,
  )
}
