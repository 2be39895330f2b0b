import { getMessage } from '../messages/message.ts'
import { takeWorker, WorkRefused } from '../workers/worker.ts'
import { FileRefused, type SheetFacts, type SheetLimits, SheetNotChosen, type SheetRow } from './sheet.ts'

/** Options for reading a file. */
interface SheetOptions {
  limits: SheetLimits
  /** The name of the sheet to read, where a person has chosen one. */
  sheet?: string | undefined
  /** The first cells of a sheet that explains a template: nobody is asked about it. */
  explained?: readonly string[]
}

/** The file to read, with which the process begins. */
export interface SheetInput {
  bytes: Uint8Array
  options: SheetOptions & { sheet: string | undefined; explained: readonly string[] }
}

/** Message to the process: it answers with the first rows of a file, then with the next ones. */
export type SheetQuestion = SheetInput | 'next'

/** Rows of a file, with the facts known so far. */
interface SheetChunk {
  rows: SheetRow[]
  facts: SheetFacts
}

/** Rows that the process hands over at once. */
export interface TakenRows extends SheetChunk {
  done: boolean
}

/** Answer of the process to a message. */
export type SheetAnswer = TakenRows | { refused: string; sheets?: readonly string[] }

const WORKER = new URL('sheet-worker', import.meta.url)
const TOO_SLOW = getMessage('files.slow')
const TOO_BIG = getMessage('files.heavy')

/**
 * Reads the rows of a CSV or an Excel file, as its first bytes say, in chunks. A process of its own reads it, with limits of time,
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
    const worker = takeWorker<SheetQuestion, SheetAnswer>(WORKER, limits.memory_mb)
    let left_ms = limits.time_ms
    let question: SheetQuestion = { bytes, options: { limits, sheet, explained } }
    try {
      for (;;) {
        const asked_ms = performance.now()
        const answer = await worker.ask(question, left_ms)
        left_ms -= performance.now() - asked_ms
        if ('refused' in answer)
          throw answer.sheets ? new SheetNotChosen(answer.sheets) : new FileRefused(answer.refused)
        yield answer
        if (answer.done) return
        question = 'next'
      }
    } finally {
      worker.leave()
    }
  } catch (error) {
    throw error instanceof WorkRefused ? new FileRefused(error.limit === 'time' ? TOO_SLOW : TOO_BIG) : error
  } finally {
    leave()
  }
}

/** Maximum number of files read at the same time; others wait. */
const MAX_WORKERS = 2
let running = 0
const waiting: (() => void)[] = []

/** Waits for a place. @returns a function that gives it back */
async function enter(): Promise<() => void> {
  if (running < MAX_WORKERS) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  return () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
