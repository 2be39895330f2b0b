import { writeFile } from 'node:fs/promises'

/** Answer to a question. `is_last`: the process ends, because its state is unknown. */
export type WorkerAnswer<Value> = { value: Value } | { error: unknown; is_last?: boolean }

/** The service decides when its processes end, also when these signals reach all of them, as by Ctrl-C. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Answers the questions to a worker: the module of its process calls it once. */
export function answerQuestions<Question, Value>(work: (question: Question) => Promise<Value>): void {
  // When memory is short, Linux ends this process before the service. Other systems have no such file.
  writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
  for (const signal of STOP_SIGNALS) process.on(signal, () => {})
  // Without the service they end themselves.
  process.on('disconnect', () => process.exit())
  // The output of this process goes nowhere, so the service gets the error.
  process.on('uncaughtException', (error) => {
    const answer: WorkerAnswer<Value> = { error, is_last: true }
    process.send!(answer, () => process.exit(1))
  })
  process.on('message', async (question: Question) => {
    const answer: WorkerAnswer<Value> = await work(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    process.send!(answer)
  })
}
