import type { ThreadAnswer } from './answer-questions.ts'
import { ThreadRefused, takeThread } from './thread.ts'

interface ThreadLimits {
  /** Time limit for one piece of work. */
  time_ms: number
  /** The memory of the thread for objects, in megabytes. */
  memory_mb: number
  /** Number of pieces of work that may wait for the one before them. */
  waiting: number
}

/** A thread that answers one question after the other, while this one serves everybody. */
export interface WorkThread<Question, Answer> {
  /** Runs a piece of work. @throws ThreadRefused, and the errors of the work itself */
  ask(question: Question): Promise<Answer>
}

/**
 * Opens a thread, which starts with the first question.
 * @param file the module of the thread without its ending; it calls `answerQuestions`
 */
export function openWorkThread<Question, Answer>(file: URL, limits: ThreadLimits): WorkThread<Question, Answer> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function work(question: Question): Promise<Answer> {
    waiting -= 1
    const thread = takeThread<Question, ThreadAnswer<Answer>>(file, { maxOldGenerationSizeMb: limits.memory_mb })
    const answer = await thread.ask(question, limits.time_ms)
    thread.leave()
    if ('error' in answer) throw answer.error
    return answer.value
  }

  return {
    ask(question) {
      if (waiting >= limits.waiting) return Promise.reject(new ThreadRefused('waiting'))
      waiting += 1
      const mine = last.then(() => work(question))
      last = mine.catch(() => {})
      return mine
    },
  }
}
