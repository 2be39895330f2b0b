import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { getMessage } from '../messages/message.ts'
import type { ThreadAnswer } from './answer-questions.ts'

interface ThreadLimits {
  /** Time limit for one piece of work. */
  time_ms: number
  /** The memory of the thread for objects, in megabytes. */
  memory_mb: number
  /** Number of pieces of work that may wait for the one before them. */
  waiting: number
}

/** Work takes too long or too much memory, or too much of it waits already. */
export class ThreadRefused extends Error {
  override name = 'ThreadRefused'
}

/** A thread that answers one question after the other, while this one serves everybody. */
export interface WorkThread<Question, Answer> {
  /** Runs a piece of work. @throws ThreadRefused, and the errors of the work itself */
  ask(question: Question): Promise<Answer>
}

/** A thread without work ends, because only then its memory is freed. */
const IDLE_MS = 10_000

/**
 * Opens a thread, which starts with the first question.
 * @param file the module of the thread without its ending; it calls `answerQuestions`
 */
export function openWorkThread<Question, Answer>(file: URL, limits: ThreadLimits): WorkThread<Question, Answer> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function start(): Worker {
    // Published, the program is JavaScript.
    const module = new URL(`${file.href}${extname(import.meta.filename)}`)
    const started = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: limits.memory_mb } })
    // A thread that fails between two pieces of work ends nothing but itself.
    started.on('error', () => {})
    return started.on('exit', () => {
      if (worker === started) worker = undefined
    })
  }

  function end(): void {
    void worker?.terminate()
    worker = undefined
  }

  async function work(question: Question): Promise<Answer> {
    waiting -= 1
    clearTimeout(idle)
    worker ??= start()
    worker.ref()
    const answer = await answerOf<Answer>(worker, question, limits.time_ms).catch((error: unknown) => {
      end()
      throw error
    })
    worker.unref()
    idle = setTimeout(end, IDLE_MS).unref()
    if ('error' in answer) throw answer.error
    return answer.value
  }

  return {
    ask(question) {
      if (waiting >= limits.waiting) return Promise.reject(new ThreadRefused(getMessage('files.many_wait')))
      waiting += 1
      const mine = last.then(() => work(question))
      last = mine.catch(() => {})
      return mine
    },
  }
}

function answerOf<Answer>(worker: Worker, question: unknown, time_ms: number): Promise<ThreadAnswer<Answer>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new ThreadRefused(getMessage('files.takes_long')))), time_ms)
    const onMessage = (answer: ThreadAnswer<Answer>) => finish(() => resolve(answer))
    const onError = (error: Error & { code?: string }) =>
      finish(() =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadRefused(getMessage('files.takes_memory')) : error),
      )
    const onExit = () => finish(() => reject(new Error('The thread has ended.')))
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      settle()
    }
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    worker.postMessage(question)
  })
}
