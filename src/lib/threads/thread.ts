import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { getMessage } from '../messages/message.ts'

/** Work takes too long or too much memory, or too much of it waits already. */
export class ThreadRefused extends Error {
  override name = 'ThreadRefused'
  readonly limit: 'time' | 'memory' | 'waiting'

  constructor(limit: ThreadRefused['limit']) {
    super(getMessage(WORDS[limit]))
    this.limit = limit
  }
}

const WORDS = { time: 'files.takes_long', memory: 'files.takes_memory', waiting: 'files.many_wait' } as const

/** A thread that one piece of work has for itself. */
export interface Thread<Question, Answer> {
  /** Asks the thread, and waits for its answer. Every error also ends the thread. @throws ThreadRefused */
  ask(question: Question, time_ms: number): Promise<Answer>
  /** Gives the thread back, for the next piece of work. One that has failed is ending. */
  leave(): void
}

/** A thread without work ends, because only then its memory is freed. */
const IDLE_MS = 10_000

/** Threads that wait for work, by their module and limits: starting one takes longer than reading most files. */
const idle = new Map<Worker, { key: string; timer: NodeJS.Timeout }>()

/**
 * Takes a thread that waits for work, or starts one.
 * @param file the module of the thread without its ending; it answers each message with one
 */
export function takeThread<Question, Answer>(file: URL, limits: ResourceLimits): Thread<Question, Answer> {
  const key = JSON.stringify([file.href, limits])
  const worker = takeIdle(key) ?? start(file, limits)
  let has_failed = false
  return {
    async ask(question, time_ms) {
      try {
        return await answerOf<Answer>(worker, question, time_ms)
      } catch (error) {
        has_failed = true
        void worker.terminate()
        throw error
      }
    },
    leave() {
      if (has_failed) return
      worker.unref()
      idle.set(worker, { key, timer: setTimeout(() => void worker.terminate(), IDLE_MS).unref() })
    },
  }
}

function takeIdle(key: string): Worker | undefined {
  const [worker, waiting] = [...idle].find(([, one]) => one.key === key) ?? []
  if (!worker) return undefined
  clearTimeout(waiting!.timer)
  idle.delete(worker)
  worker.ref()
  return worker
}

function start(file: URL, limits: ResourceLimits): Worker {
  // Published, the program is JavaScript.
  const worker = new Worker(new URL(`${file.href}${extname(import.meta.filename)}`), { resourceLimits: limits })
  // A thread that fails between two pieces of work ends nothing but itself.
  worker.on('error', () => {})
  return worker.on('exit', () => {
    clearTimeout(idle.get(worker)?.timer)
    idle.delete(worker)
  })
}

function answerOf<Answer>(worker: Worker, question: unknown, time_ms: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new ThreadRefused('time'))), Math.max(0, time_ms))
    const onMessage = (answer: Answer) => finish(() => resolve(answer))
    const onError = (error: Error & { code?: string }) =>
      finish(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadRefused('memory') : error))
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
