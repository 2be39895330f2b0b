import { ApiError } from '../../api.ts'

/** Result for one row: done, refused with the reason, or without an answer, so that it may be done or not. */
export type Outcome = { kind: 'done' } | { kind: 'refused' | 'unknown'; message: string }

export interface BulkRun<Row> {
  rows: readonly Row[]
  act: (row: Row) => Promise<unknown>
  /** Called after each row. */
  onOutcome: (row: Row, outcome: Outcome) => void
  /** Called while the service wants fewer requests, with the seconds of the pause; then with 0. */
  onWait: (seconds: number) => void
  /** End the run after the row that is sent. */
  signal: AbortSignal
  /** Waits; a test does not. */
  pause?: (ms: number) => Promise<void>
}

/** Seconds to wait if the service wants fewer requests and gives no time. */
const DEFAULT_WAIT_SECONDS = 5

/**
 * Act on each row, one after the other, so that the service checks and records each separately. It ends early
 * when it is stopped, when the session has ended, or when the service gives no answer: the rows after that have no outcome.
 */
export async function runBulk<Row>(run: BulkRun<Row>): Promise<void> {
  const { rows, act, onOutcome, onWait, signal, pause = sleep } = run
  for (let index = 0; index < rows.length && !signal.aborted; ) {
    const row = rows[index]!
    const error = await act(row).then(
      () => undefined,
      (fault: unknown) => fault ?? new Error(),
    )
    if (error instanceof ApiError && error.status === 429) {
      const seconds = error.retry_after_seconds ?? DEFAULT_WAIT_SECONDS
      onWait(seconds)
      await pause(seconds * 1_000)
      onWait(0)
      continue
    }
    if (error instanceof ApiError && error.status === 401) return
    const outcome = outcomeOf(error)
    onOutcome(row, outcome)
    if (outcome.kind === 'unknown') return
    index++
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error === undefined) return { kind: 'done' }
  if (!(error instanceof ApiError)) return { kind: 'unknown', message: String(error) }
  const messages = Object.values(error.fields).flat()
  const message = messages.length > 0 ? messages.join(' ') : error.message
  return { kind: error.status === 0 || error.status >= 500 ? 'unknown' : 'refused', message }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Group the refusals by their reasons, the most frequent first. */
export function groupRefusals<Row>(outcomes: ReadonlyMap<Row, Outcome>): [message: string, rows: Row[]][] {
  const refused = [...outcomes].flatMap(([row, outcome]) => (outcome.kind === 'refused' ? [{ row, outcome }] : []))
  const groups = Map.groupBy(refused, ({ outcome }) => outcome.message)
  return [...groups]
    .map(([message, members]): [string, Row[]] => [message, members.map(({ row }) => row)])
    .sort(([, a], [, b]) => b.length - a.length)
}
