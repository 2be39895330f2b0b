import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { getMessage } from '../messages/message.ts'
import { STOP_SIGNALS, type WorkerAnswer } from './answer-questions.ts'

/** Work takes too long or too much memory, or too much of it waits already. */
export class WorkRefused extends Error {
  override name = 'WorkRefused'
  readonly limit: 'time' | 'memory' | 'waiting'

  constructor(limit: WorkRefused['limit']) {
    super(getMessage(WORDS[limit]))
    this.limit = limit
  }
}

const WORDS = { time: 'files.takes_long', memory: 'files.takes_memory', waiting: 'files.many_wait' } as const

/**
 * A process that one piece of work has for itself. A thread would not do: Node ends the whole program when a thread allocates
 * faster than its limit of memory can end it.
 */
export interface Worker<Question, Answer> {
  /** Asks the process, and waits for its answer. @throws WorkRefused, which ends the process, and the errors of the work itself */
  ask(question: Question, time_ms: number): Promise<Answer>
  /** Gives the process back, for the next piece of work. A process that has failed or ended is not kept. */
  leave(): void
}

/** A process without work ends, because only then its memory is freed. */
const IDLE_MS = 10_000

/** Processes that work. In an endless loop, a process does not notice that the service has ended. */
const working = new Set<ChildProcess>()
process.on('exit', () => working.forEach(end))

/** Processes that wait for work, by their module and limit: starting one takes longer than reading most files. */
const idle = new Map<ChildProcess, { key: string; timer: NodeJS.Timeout }>()

/**
 * Takes a process that waits for work, or starts one.
 * @param file the module of the process without its ending; it calls `answerQuestions`
 * @param memory_mb its memory for objects, in megabytes
 */
export function takeWorker<Question, Answer>(file: URL, memory_mb: number): Worker<Question, Answer> {
  const key = `${memory_mb} ${file.href}`
  const child = takeIdle(key) ?? start(file, memory_mb)
  let has_failed = false
  return {
    async ask(question, time_ms) {
      working.add(child)
      const answer = await answerOf<Answer>(child, question, time_ms)
        .catch((error: unknown) => {
          has_failed = true
          end(child)
          throw error
        })
        .finally(() => working.delete(child))
      if ('value' in answer) return answer.value
      has_failed = answer.is_last === true
      throw answer.error
    },
    leave() {
      if (has_failed || !child.connected) return
      child.unref()
      child.channel?.unref()
      const timer = setTimeout(() => {
        // From now on it is not taken, although its end is reported later.
        idle.delete(child)
        end(child)
      }, IDLE_MS)
      idle.set(child, { key, timer: timer.unref() })
    },
  }
}

function takeIdle(key: string): ChildProcess | undefined {
  const [child, waiting] = [...idle].find(([one, { key: its }]) => its === key && one.connected) ?? []
  if (!child) return undefined
  clearTimeout(waiting!.timer)
  idle.delete(child)
  child.ref()
  child.channel?.ref()
  return child
}

function start(file: URL, memory_mb: number): ChildProcess {
  const { TZ, NODE_COMPILE_CACHE } = process.env
  // Published, the program is JavaScript.
  const child = fork(new URL(`${file.href}${extname(import.meta.filename)}`), {
    execArgv: [`--max-old-space-size=${memory_mb}`],
    // The settings of the service have secrets.
    env: { ...(TZ && { TZ }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A process that fails between two pieces of work ends nothing but itself.
  child.on('error', () => {})
  return child.on('exit', () => {
    clearTimeout(idle.get(child)?.timer)
    idle.delete(child)
  })
}

/** Ends a process. Without an id it has not started: for it, Node sends the signal to an id that was never set. */
function end(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill('SIGKILL')
}

function answerOf<Answer>(child: ChildProcess, question: unknown, time_ms: number): Promise<WorkerAnswer<Answer>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new WorkRefused('time'))), Math.max(0, time_ms))
    const onMessage = (answer: unknown) => finish(() => resolve(answer as WorkerAnswer<Answer>))
    const onError = (error: Error) => finish(() => reject(error))
    // A signal means that the memory has run out: Node aborts, or the system kills the process. A stop of the service may also
    // signal its processes, and while they start they do not ignore that.
    const onExit = (_code: number | null, signal: NodeJS.Signals | null) => {
      const is_memory = signal !== null && !STOP_SIGNALS.includes(signal)
      finish(() => reject(is_memory ? new WorkRefused('memory') : new Error('The process has ended.')))
    }
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('error', onError).off('exit', onExit)
      settle()
    }
    child.once('message', onMessage).once('error', onError).once('exit', onExit)
    // If the process ends now, `exit` reports it. A process that has not started has no `send`, and `error` says why.
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
    else if (child.pid !== undefined) child.send(question as object, () => {})
  })
}
