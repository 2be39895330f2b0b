import { createBatch } from '../lib/batch.ts'
import { answerWorkers, type Channel, createQuestions } from '../lib/cluster-requests.ts'
import { createThrottle, type Throttle, type Verdict } from './throttle.ts'

const TOPIC = 'throttle'
type Ask = [key: string, limit: number]

/**
 * The throttle of one worker of a cluster: the windows lie in the primary, so that all workers count together. Requests
 * of one turn of the event loop travel in one message.
 */
export function createWorkerThrottle(primary?: Channel): Throttle {
  const askPrimary = createQuestions<Ask[], Verdict[]>(TOPIC, primary)
  const ask = createBatch<Ask, Verdict>({
    most: 1_000,
    mayReplay: () => false,
    flush: async (asks) => (await askPrimary(asks)).map((value) => ({ ok: true, value })),
  })
  return { take: (key, limit) => ask([key, limit]) }
}

/** Keeps the windows of all workers, in the primary. */
export function keepWindows(workers?: Parameters<typeof answerWorkers>[2]): void {
  const throttle = createThrottle()
  answerWorkers<Ask[], Verdict[]>(TOPIC, (asks) => asks.map(([key, limit]) => throttle.take(key, limit)), workers)
}
