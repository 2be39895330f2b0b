export type WorkerAnswer<Value> = { value: Value } | { error: unknown }

/** Answers the questions to a worker: the module of its process calls it once. */
export function answerQuestions<Question, Value>(work: (question: Question) => Promise<Value>): void {
  // The service decides when its workers end. Without the service they end themselves.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: Question) => {
    const answer: WorkerAnswer<Value> = await work(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    process.send!(answer)
  })
}
