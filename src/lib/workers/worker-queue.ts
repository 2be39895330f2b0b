import { takeWorker, WorkRefused } from './worker.ts'

interface QueueLimits {
  /** Time limit for one piece of work. */
  time_ms: number
  /** The memory of the process for objects, in megabytes. */
  memory_mb: number
  /** Number of pieces of work that may wait for the one before them. */
  waiting: number
}

/** A process that answers one question after the other, while this one serves everybody. */
export interface WorkerQueue<Question, Answer> {
  /** Runs a piece of work. @throws WorkRefused, and the errors of the work itself */
  ask(question: Question): Promise<Answer>
}

/**
 * Opens a queue, whose process starts with the first question.
 * @param file the module of the process without its ending; it calls `answerQuestions`
 */
export function openWorkerQueue<Question, Answer>(file: URL, limits: QueueLimits): WorkerQueue<Question, Answer> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function work(question: Question): Promise<Answer> {
    waiting -= 1
    const worker = takeWorker<Question, Answer>(file, limits.memory_mb)
    try {
      return await worker.ask(question, limits.time_ms)
    } finally {
      worker.leave()
    }
  }

  return {
    ask(question) {
      if (waiting >= limits.waiting) return Promise.reject(new WorkRefused('waiting'))
      waiting += 1
      const mine = last.then(() => work(question))
      last = mine.catch(() => {})
      return mine
    },
  }
}
