export type WorkerAnswer<Value> = { value: Value } | { error: unknown }

/** The service decides when its processes end, also when these signals reach all of them, as by Ctrl-C. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']

/** Answers the questions to a worker: the module of its process calls it once. */
export function answerQuestions<Question, Value>(work: (question: Question) => Promise<Value>): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => {})
  // Without the service they end themselves.
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: Question) => {
    const answer: WorkerAnswer<Value> = await work(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    process.send!(answer)
  })
}
