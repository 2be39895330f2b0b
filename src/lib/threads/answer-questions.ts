import { parentPort } from 'node:worker_threads'

export type ThreadAnswer<Value> = { value: Value } | { error: unknown }

/** Answers the questions of `openWorkThread`: the module of a thread calls it once. */
export function answerQuestions<Question, Value>(work: (question: Question) => Promise<Value>): void {
  const port = parentPort!
  port.on('message', async (question: Question) => {
    const answer: ThreadAnswer<Value> = await work(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    port.postMessage(answer)
  })
}
