import cluster, { type Worker } from 'node:cluster'

/** The channel between a worker and its primary. */
export interface ClusterChannel {
  send(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/**
 * Creates a function that sends a request about a topic from a worker of a cluster to its primary. The primary answers
 * with `answerWorkers`. The function rejects with the primary's error. A worker without its primary ends, so no request
 * waits for ever.
 */
export function createPrimaryRequests<Request, Answer>(
  topic: string,
  primary: ClusterChannel = process as ClusterChannel,
): (request: Request) => Promise<Answer> {
  const open = new Map<number, (reply: Reply<Answer>) => void>()
  let number = 0
  primary.on('message', (message) => {
    if (!isMessageFor<Reply<Answer>>(topic, 'reply', message)) return
    open.get(message.number)?.(message)
    open.delete(message.number)
  })
  return (request) =>
    new Promise((resolve, reject) => {
      number += 1
      open.set(number, ({ answer, error }) => (error === undefined ? resolve(answer!) : reject(new Error(error))))
      primary.send({ topic, kind: 'request', number, request })
    })
}

/** Answers the requests of the workers about a topic, in the primary, for as long as it runs. */
export function answerWorkers<Request, Answer>(
  topic: string,
  answer: (request: Request) => Answer | Promise<Answer>,
  workers: Pick<typeof cluster, 'on'> = cluster,
): void {
  workers.on('message', async (worker: Pick<Worker, 'send'>, message: unknown) => {
    if (!isMessageFor<{ number: number; request: Request }>(topic, 'request', message)) return
    const { number, request } = message
    const result = await toReply(() => answer(request))
    // The worker may have ended in the meantime. Without this callback the failed send would end the primary too.
    worker.send({ topic, kind: 'reply', number, ...result }, () => {})
  })
}

interface Reply<Answer> {
  number: number
  answer?: Answer
  error?: string
}

async function toReply<Answer>(work: () => Answer | Promise<Answer>): Promise<{ answer: Answer } | { error: string }> {
  try {
    return { answer: await work() }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Several topics and several libraries share one channel. */
function isMessageFor<Message>(topic: string, kind: 'request' | 'reply', message: unknown): message is Message {
  const received = (message ?? {}) as { topic?: unknown; kind?: unknown }
  return received.topic === topic && received.kind === kind
}
