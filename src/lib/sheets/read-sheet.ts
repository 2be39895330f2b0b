import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { getMessage } from '../messages/message.ts'
import { FileRefused, type SheetFacts, type SheetLimits, SheetNotChosen, type SheetRow } from './sheet.ts'

/** Options for reading a file. */
interface SheetOptions {
  limits: SheetLimits
  /** The name of the sheet to read, where a person has chosen one. */
  sheet?: string | undefined
  /** The first cells of a sheet that explains a template: nobody is asked about it. */
  explained?: readonly string[]
}

/** Message to the thread. */
export interface SheetInput {
  bytes: Uint8Array
  options: SheetOptions & { sheet: string | undefined; explained: readonly string[] }
}

/** Rows of a file, with the facts known so far. */
interface SheetChunk {
  rows: SheetRow[]
  facts: SheetFacts
}

/** Rows that the thread hands over at once. */
export interface TakenRows extends SheetChunk {
  done: boolean
}

/** Answer of the thread to each message. */
export type SheetAnswer = TakenRows | { refused: string; sheets?: readonly string[] }

const TOO_SLOW = getMessage('files.slow')
const TOO_BIG = getMessage('files.heavy')

/**
 * Reads the rows of a CSV or an Excel file, as its first bytes say, in chunks. A thread of its own reads it, with limits of time,
 * memory, rows, columns and unpacked size: a file that breaks one is refused while everybody else is served.
 * The facts of the last chunk are complete.
 * @throws FileRefused, SheetNotChosen
 */
export async function* readSheet(
  bytes: Uint8Array,
  { limits, sheet, explained = [] }: SheetOptions,
): AsyncGenerator<SheetChunk> {
  if (bytes.length === 0) throw new FileRefused(getMessage('files.empty'))
  if (bytes.length > limits.bytes)
    throw new FileRefused(getMessage('files.large', { megabytes: limits.bytes / 1_048_576 }))
  const leave = await enter()
  try {
    const thread = startThread({ bytes, options: { limits, sheet, explained } })
    try {
      for (;;) {
        const answer = await thread.ask()
        if ('refused' in answer)
          throw answer.sheets ? new SheetNotChosen(answer.sheets) : new FileRefused(answer.refused)
        yield answer
        if (answer.done) return
      }
    } finally {
      await thread.end()
    }
  } finally {
    leave()
  }
}

/** Maximum number of files read at the same time; others wait. */
const MAX_THREADS = 2
let running = 0
const waiting: (() => void)[] = []

/** Waits for a place. @returns a function that gives it back */
async function enter(): Promise<() => void> {
  if (running < MAX_THREADS) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  return () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

interface Thread {
  /** @throws FileRefused when the thread takes too long for one answer, or too much memory */
  ask(): Promise<SheetAnswer>
  end(): Promise<void>
}

function startThread(question: SheetInput): Thread {
  const { time_ms, memory_mb } = question.options.limits
  // Published, the program is JavaScript.
  const file = new URL(`sheet-worker${extname(import.meta.filename)}`, import.meta.url)
  const worker = new Worker(file, {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: memory_mb, maxYoungGenerationSizeMb: 32 },
  })
  let left_ms = time_ms
  return {
    async ask() {
      const asked_ms = performance.now()
      try {
        return await answerOf(worker, left_ms)
      } finally {
        left_ms -= performance.now() - asked_ms
      }
    },
    async end() {
      await worker.terminate()
    },
  }
}

/** The next answer of a thread. */
function answerOf(worker: Worker, time_ms: number): Promise<SheetAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new FileRefused(TOO_SLOW))), Math.max(0, time_ms))
    const onMessage = (answer: SheetAnswer) => finish(() => resolve(answer))
    const onError = (error: Error & { code?: string }) =>
      finish(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new FileRefused(TOO_BIG) : error))
    const onExit = () => finish(() => reject(new Error('The thread that reads a file has ended.')))
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      settle()
    }
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    worker.postMessage('next')
  })
}
