import cluster, { type Worker } from 'node:cluster'
import { createBatch } from '../lib/batch.ts'
import { createThrottle, type Throttle, type Verdict } from './throttle.ts'

/**
 * The throttle of one worker of a cluster: the windows lie in the primary, so that all workers count together. Requests
 * of one turn of the event loop travel in one message. Without its primary a worker ends, so every question is answered.
 */
export function createWorkerThrottle(primary: Channel = process as Channel): Throttle {
  const waiting = new Map<number, (verdicts: Verdict[]) => void>()
  let last = 0
  primary.on('message', (message) => {
    if (!isOurs<Answer>(message, 'verdicts')) return
    waiting.get(message.throttle)?.(message.verdicts)
    waiting.delete(message.throttle)
  })
  const ask = createBatch<Ask, Verdict>({
    most: 1_000,
    mayReplay: () => false,
    flush: async (asks) => {
      last += 1
      const verdicts = await new Promise<Verdict[]>((resolve) => {
        waiting.set(last, resolve)
        primary.send({ throttle: last, asks } satisfies Question)
      })
      return verdicts.map((value) => ({ ok: true, value }))
    },
  })
  return { take: (key, limit) => ask([key, limit]) }
}

/** Keeps the windows of all workers in the primary, and answers them for as long as it lives. */
export function answerWorkers(workers: Pick<typeof cluster, 'on'> = cluster): void {
  const throttle = createThrottle()
  workers.on('message', (worker: Pick<Worker, 'send'>, message: unknown) => {
    if (!isOurs<Question>(message, 'asks')) return
    const verdicts = message.asks.map(([key, limit]) => throttle.take(key, limit))
    // A worker that has died meanwhile needs no answer; without a listener the failure would end the primary too.
    worker.send({ throttle: message.throttle, verdicts } satisfies Answer, () => {})
  })
}

/** What a worker and its primary talk over. */
export interface Channel {
  send(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

type Ask = [key: string, limit: number]

/** `throttle` numbers a worker's questions, so that each finds its answer. */
interface Question {
  throttle: number
  asks: Ask[]
}
interface Answer {
  throttle: number
  verdicts: Verdict[]
}

/** Other parts of the program may talk over the same channel. */
function isOurs<Message>(message: unknown, content: keyof Message & string): message is Message {
  return typeof message === 'object' && message !== null && 'throttle' in message && content in message
}
