import cluster, { type Worker } from 'node:cluster'

/** What a worker and its primary talk over. */
export interface ClusterChannel {
  send(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/**
 * Makes a function with which one worker of a cluster asks its primary about a topic; the primary answers with
 * `answerWorkers`. It rejects with what went wrong there. A worker without its primary ends, so no question stays open.
 */
export function createPrimaryRequests<Question, Answer>(
  topic: string,
  primary: ClusterChannel = process as ClusterChannel,
): (question: Question) => Promise<Answer> {
  const asked = new Map<number, (reply: Reply<Answer>) => void>()
  let number = 0
  primary.on('message', (message) => {
    if (!isMessageFor<Reply<Answer>>(topic, 'reply', message)) return
    asked.get(message.number)?.(message)
    asked.delete(message.number)
  })
  return (question) =>
    new Promise((resolve, reject) => {
      number += 1
      asked.set(number, ({ answer, error }) => (error === undefined ? resolve(answer!) : reject(new Error(error))))
      primary.send({ topic, kind: 'question', number, question })
    })
}

/** Answers in the primary, for as long as it lives, what its workers ask about a topic. */
export function answerWorkers<Question, Answer>(
  topic: string,
  answer: (question: Question) => Answer | Promise<Answer>,
  workers: Pick<typeof cluster, 'on'> = cluster,
): void {
  workers.on('message', async (worker: Pick<Worker, 'send'>, message: unknown) => {
    if (!isMessageFor<{ number: number; question: Question }>(topic, 'question', message)) return
    const { number, question } = message
    const result = await toReply(() => answer(question))
    // A worker that has died meanwhile needs no answer; without a listener the failure would end the primary too.
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

/** Several topics, and libraries, share one channel. */
function isMessageFor<Message>(topic: string, kind: 'question' | 'reply', message: unknown): message is Message {
  const { topic: its, kind: sort } = (message ?? {}) as { topic?: unknown; kind?: unknown }
  return its === topic && sort === kind
}
