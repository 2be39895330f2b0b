import { WriteConflict } from '../../core/write-conflict.ts'
import { isUnavailable } from '../../db/client.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'

/**
 * Applies many answers in one transaction. When that fails it logs the error and applies each by itself, so that one bad
 * answer, or one that another process has applied meanwhile, does not delay the others. When the database is out of reach
 * or too slow, nothing more is tried: each answer would wait again, and all are processed after their leases have ended.
 * @throws the error of an unavailable database; else AggregateError with the errors of the answers that could not be applied
 */
export async function applyInBatch<T>(
  answers: readonly T[],
  apply: (batch: readonly T[]) => Promise<void>,
  log: EventLog,
): Promise<void> {
  if (answers.length === 0) return
  try {
    await apply(answers)
  } catch (error) {
    if (isUnavailable(error)) throw error
    // Several processes may record the same money. That is no reason to look into the log.
    if (!(error instanceof WriteConflict)) logEvent(log, 'batch_failed', { size: answers.length, error })
    await applyEach(answers, apply)
  }
}

async function applyEach<T>(answers: readonly T[], apply: (batch: readonly T[]) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const answer of answers) {
    const error = await retryWriteConflicts(() => apply([answer]))
    if (isUnavailable(error)) throw error
    if (error !== undefined) errors.push(error)
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${answers.length} answers could not be applied.`)
}

/** More write conflicts in a row than this are not a coincidence. */
const MAX_TRIES = 4

/** @returns the last error, or undefined */
async function retryWriteConflicts(apply: () => Promise<void>): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply()
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === MAX_TRIES) return error
    }
  }
}
